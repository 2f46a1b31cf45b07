"""The redrawn part of the screen: changing lines, the state of the work, questions, the prompt."""

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

from planact.cli.chat.conversation import ChatController
from planact.cli.chat.output import ChatOutput
from planact.cli.chat.questions import ChatQuestions
from planact.cli.output.screen import printable

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
"""Rows below the changing lines, for the state, a question and the prompt."""


class ScreenParts:
    """Containers that read the current state each time they are drawn."""

    def __init__(
        self,
        message: Buffer,
        chat_output: ChatOutput,
        questions: ChatQuestions,
        chat: ChatController,
        is_writing: Callable[[], bool],
    ) -> None:
        self._message = message
        self._chat_output = chat_output
        self._questions = questions
        self._chat = chat
        self._is_writing = Condition(is_writing)

    def layout(self) -> Layout:
        """Return the layout, with the focus on the message."""
        is_asking = Condition(lambda: self._questions.panel is not None)
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
                Condition(lambda: self._chat_output.is_changing),
            ),
            ConditionalContainer(
                Window(FormattedTextControl(self._working), height=1),
                Condition(lambda: self._chat.is_busy and self._questions.panel is None),
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
        panel = self._questions.panel
        return panel.container if panel is not None else Window(height=0)

    def _changing(self) -> ANSI:
        rows = get_app().output.get_size().rows - _ROWS_BELOW
        return ANSI("\n".join(self._chat_output.changing(max(3, rows))))

    def _working(self) -> StyleAndTextTuples:
        began = self._chat_output.began
        seconds = time.monotonic() - began if began is not None else 0.0
        turning = _SPINNER[int(time.monotonic() * 10) % len(_SPINNER)]
        parts = (self._chat_output.activity, f"{seconds:.0f} s" if seconds >= 1 else "", self._chat_output.context)
        said = "  ".join(printable(part) for part in (*parts, "Ctrl-C stops") if part)
        return [(f"class:{self._chat.mode}", f"{turning} "), ("class:quiet", said)]

    def _help(self) -> StyleAndTextTuples:
        panel = self._questions.panel
        keys = "" if panel is None else f"{panel.help} · Esc writes a message instead"
        return [("class:quiet", "  Esc goes back to the question" if self._is_writing() else f"  {keys}")]

    def _prompt(self, number: int, wrapped: int) -> StyleAndTextTuples:
        mode = self._chat.mode
        text = f"{mode} › "
        return [(f"class:{mode}", " " * len(text) if number or wrapped else text)]
