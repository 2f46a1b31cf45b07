"""The part of the screen that is drawn again and again: what changes, the state of the work, questions, the prompt."""

import time
from collections.abc import Callable

from prompt_toolkit.application import get_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition, has_completions
from prompt_toolkit.formatted_text import ANSI, StyleAndTextTuples
from prompt_toolkit.layout import (
    BufferControl,
    ConditionalContainer,
    Container,
    DynamicContainer,
    FormattedTextControl,
    HSplit,
    Layout,
    Window,
)
from prompt_toolkit.layout.dimension import Dimension
from prompt_toolkit.layout.menus import CompletionsMenuControl
from prompt_toolkit.styles import Style

from planact.cli.screen import printable
from planact.cli.talk.asking import Asking
from planact.cli.talk.drawn import Drawn
from planact.cli.talk.talk import Talk

STYLE = Style.from_dict(
    {
        "plan": "ansibrightblue bold",
        "act": "ansigreen bold",
        "quiet": "ansibrightblack",
        "problem": "ansired",
        "completion-menu.completion": "noreverse",
        "completion-menu.completion.current": "reverse",
        "completion-menu.meta.completion": "ansibrightblack",
        "completion-menu.meta.completion.current": "ansibrightblack",
    }
)

_SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_ROWS_BELOW = 12
"""So many rows are left for what is below what changes."""


class ScreenParts:
    """Parts that read what there is each time they are drawn."""

    def __init__(
        self, message: Buffer, drawn: Drawn, asking: Asking, talk: Talk, is_writing: Callable[[], bool]
    ) -> None:
        self._message = message
        self._drawn = drawn
        self._asking = asking
        self._talk = talk
        self._is_writing = Condition(is_writing)

    def layout(self) -> Layout:
        """All of it, with the focus on the message."""
        is_asking = Condition(lambda: self._asking.panel is not None)
        prompt = Window(
            BufferControl(self._message),
            wrap_lines=True,
            dont_extend_height=True,
            height=Dimension(min=1, max=10),
            get_line_prefix=self._prompt,
        )
        completions = Window(CompletionsMenuControl(), height=Dimension(min=1, max=8), dont_extend_height=True)
        parts: list[Container] = [
            ConditionalContainer(
                Window(FormattedTextControl(self._changing), dont_extend_height=True),
                Condition(lambda: self._drawn.is_changing),
            ),
            ConditionalContainer(
                Window(FormattedTextControl(self._working), height=1),
                Condition(lambda: self._talk.is_busy and self._asking.panel is None),
            ),
            ConditionalContainer(DynamicContainer(self._panel), is_asking),
            ConditionalContainer(
                Window(FormattedTextControl(self._help), wrap_lines=True, dont_extend_height=True), is_asking
            ),
            ConditionalContainer(prompt, self._is_writing | ~is_asking),
            ConditionalContainer(completions, has_completions & self._is_writing),
        ]
        return Layout(HSplit(parts), focused_element=self._message)

    def _panel(self) -> Container:
        panel = self._asking.panel
        return panel.container if panel is not None else Window(height=0)

    def _changing(self) -> ANSI:
        rows = get_app().output.get_size().rows - _ROWS_BELOW
        return ANSI("\n".join(self._drawn.changing(max(3, rows))))

    def _working(self) -> StyleAndTextTuples:
        began = self._drawn.began
        seconds = time.monotonic() - began if began is not None else 0.0
        turning = _SPINNER[int(time.monotonic() * 10) % len(_SPINNER)]
        parts = (self._drawn.activity, f"{seconds:.0f} s" if seconds >= 1 else "", self._drawn.context)
        said = "  ".join(printable(part) for part in (*parts, "Ctrl-C stops") if part)
        return [(f"class:{self._talk.mode}", f"{turning} "), ("class:quiet", said)]

    def _help(self) -> StyleAndTextTuples:
        panel = self._asking.panel
        keys = "" if panel is None else f"{panel.help} · Esc writes a message instead"
        return [("class:quiet", "  Esc goes back to the question" if self._is_writing() else f"  {keys}")]

    def _prompt(self, number: int, wrapped: int) -> StyleAndTextTuples:
        mode = self._talk.mode
        text = f"{mode} › "
        return [(f"class:{mode}", " " * len(text) if number or wrapped else text)]
