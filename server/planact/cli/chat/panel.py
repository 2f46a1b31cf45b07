"""Menus and fields below the conversation, for one answer each. A stray Enter chooses only a default."""

import asyncio
import textwrap
from collections.abc import Callable, Sequence
from typing import TypeVar

from prompt_toolkit.application import get_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import BufferControl, Container, FormattedTextControl, HSplit, Window
from prompt_toolkit.layout.dimension import Dimension
from prompt_toolkit.utils import get_cwidth

from planact.cli.output.prompt import MenuItem
from planact.cli.output.screen import fitted, printable

_MOST_SEEN = 12
_BELOW = " " * 6
_LEAST_ROOM = 20
_MOST_LINES = 6

T = TypeVar("T")


class Menu:
    """A menu for one choice, or with `several` for any number. Its answer is the set of indexes."""

    def __init__(
        self, title: str, choices: Sequence[MenuItem], at: int | None, marked: frozenset[int], *, several: bool
    ) -> None:
        self.answer: asyncio.Future[frozenset[int]] = asyncio.get_running_loop().create_future()
        self._title = title
        self._choices = choices
        self._at = 0 if several and at is None else at
        self._marked = set(marked)
        self._several = several
        self._control = FormattedTextControl(self._text, focusable=True, key_bindings=self._keys(), show_cursor=False)
        self.container: Container = Window(self._control, dont_extend_height=True, wrap_lines=False)

    def focus_on(self) -> FormattedTextControl:
        """Return the control to focus."""
        return self._control

    @property
    def help(self) -> str:
        """Return the keys in a few words."""
        keys = "Space marks · Enter takes what is marked" if self._several else "Enter takes it"
        return f"↑↓ or a number · {keys}"

    def _text(self) -> StyleAndTextTuples:
        shown: StyleAndTextTuples = [("bold", f"  {_line(self._title)}\n")] if self._title else []
        first = max(0, min((self._at or 0) - _MOST_SEEN // 2, len(self._choices) - _MOST_SEEN))
        for place, choice in enumerate(self._choices[first : first + _MOST_SEEN], first):
            style = "reverse" if place == self._at else ""
            mark = f"[{'x' if place in self._marked else ' '}] " if self._several else ""
            line = f"  {place + 1} {mark}{_line(choice.label)}"
            shown += [(style, line), ("class:quiet", f"{_detail(choice.detail, get_cwidth(line))}\n")]
        if len(self._choices) > _MOST_SEEN:
            shown.append(("class:quiet", f"  {len(self._choices)} in all\n"))
        style, last, *_ = shown[-1]
        shown[-1] = (style, last.rstrip("\n"))
        return shown

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        def go(step: int) -> None:
            start = -1 if self._at is None and step > 0 else self._at or 0
            self._at = (start + step) % len(self._choices)

        keys.add("up")(lambda _: go(-1))
        keys.add("c-p")(lambda _: go(-1))
        keys.add("down")(lambda _: go(1))
        keys.add("c-n")(lambda _: go(1))

        @keys.add("<any>")
        def _(event: KeyPressEvent) -> None:
            if event.data.isascii() and event.data.isdigit() and 0 < int(event.data) <= len(self._choices):
                self._at = int(event.data) - 1
                if self._several:
                    self._marked ^= {self._at}

        @keys.add("space", filter=Condition(lambda: self._several))
        def _(_event: KeyPressEvent) -> None:
            self._marked ^= {self._at or 0}

        @keys.add("enter")
        def _(_event: KeyPressEvent) -> None:
            if self._several:
                _give(self.answer, frozenset(self._marked))
            elif self._at is not None:
                _give(self.answer, frozenset({self._at}))

        return keys


class Field:
    """A field for one text. A faulty text stays in the field, with its fault above."""

    def __init__(self, title: str, hint: str, default: str, problem_of: Callable[[str], str]) -> None:
        self.answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._problem = ""
        self._problem_of = problem_of
        self._about = " ".join(part for part in (_line(title), f"({_line(hint)})" if hint else "") if part)
        self._buffer = Buffer(multiline=True)
        self._default = default
        self._control = BufferControl(self._buffer, key_bindings=self._keys())
        prompt = Window(
            self._control,
            wrap_lines=True,
            dont_extend_height=True,
            height=Dimension(min=1, max=8),
            get_line_prefix=lambda number, wrapped: [("class:quiet", "    " if number or wrapped else "  › ")],
        )
        about = Window(FormattedTextControl(self._header), dont_extend_height=True, wrap_lines=True)
        self.container: Container = HSplit([about, prompt])

    def focus_on(self) -> BufferControl:
        """Return the control to focus."""
        return self._control

    @property
    def help(self) -> str:
        """Return the keys in a few words."""
        alone = f" (alone: {_line(self._default)})" if self._default else ""
        return f"Enter answers{alone} · “decline” declines"

    def _header(self) -> StyleAndTextTuples:
        told: StyleAndTextTuples = [("bold", f"  {self._about}" if self._about else "  Your answer")]
        return [*told, ("class:problem", f"\n  ! {_line(self._problem)}")] if self._problem else told

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("enter")
        def _(_event: KeyPressEvent) -> None:
            text = self._buffer.text if self._buffer.text.strip() else self._default
            self._problem = self._problem_of(text)
            if not self._problem:
                _give(self.answer, text)

        return keys


Panel = Menu | Field


def _give(answer: asyncio.Future[T], value: T) -> None:
    if not answer.done():
        answer.set_result(value)


def _line(text: str) -> str:
    return printable(fitted(text))


def _detail(text: str, before: int) -> str:
    """Return what is said of a choice: behind its label, which takes `before` cells, or below it where that is cut."""
    columns = get_app().output.get_size().columns
    line = printable(" ".join(text.split()))
    if before + 2 + get_cwidth(line) <= columns:
        return f"  {line}" if line else ""
    room = max(_LEAST_ROOM, columns - 2 * len(_BELOW))
    return "".join(f"\n{_BELOW}{each}" for each in textwrap.wrap(line, room, max_lines=_MOST_LINES, placeholder=" …"))
