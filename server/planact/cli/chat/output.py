"""Output of the conversation before it is on the screen: final lines are printed above, changing ones drawn below.

This module writes to no stream: the program takes the final lines as often as a screen can be read.
"""

import re
import time
from collections.abc import Callable
from typing import assert_never

from planact.base.text import one_line
from planact.cli.chat import paint
from planact.cli.chat.folded_calls import FoldedCalls
from planact.cli.chat.stream import finished_length, visible_end
from planact.cli.command import Result
from planact.cli.output.line_view import BEGINS_ANEW, edited, is_shown_when_done, render_tool_notice
from planact.model.answer import answers_in_words
from planact.model.chat.message import Message
from planact.model.notice import (
    CallRuns,
    CommandOutput,
    ExecutionProgress,
    FilesEdited,
    MessageAdded,
    MessageDelta,
    ModelRetry,
    ModeNotice,
    Notice,
    PlanNotice,
    QuestionNotice,
    ToolNotice,
    UsageNotice,
    WorkMoved,
    WorkNotice,
    WorkStopping,
)
from planact.model.question import QuestionSet

_DIFF = re.compile(r"--- \S")
_OUTPUT_SEEN = 4
_OUTPUT_KEPT = 12
_WIDEST_ACTIVITY = 100


class ChatOutput:
    """Lines that are not on the screen yet. Calls `on_change` when there are new ones."""

    def __init__(self, width: Callable[[], int], on_change: Callable[[], None]) -> None:
        self._width = width
        self._on_change = on_change
        self._ready: list[str] = []
        self._message = ""
        self._is_whole = True
        self._was_streamed = False
        self._is_printed = False
        self._folded_calls = FoldedCalls()
        self._looked: float | None = None
        self._is_output_folded = False
        self._output: list[str] = []
        self._open_output = ""
        self._count = 0
        self.asked_here: set[str] = set()
        self.activity = ""
        self.context = ""
        self.began: float | None = None

    def say(self, text: str, style: str = "") -> None:
        """Add whole lines in one style."""
        self._end()
        self._add(paint.styled(text, style, self._width()))

    def header(self, left: str, right: str) -> None:
        """Add the first line, with `right` aligned right if there is room."""
        gap = self._width() - len(left) - len(right)
        self.say(f"{left}{' ' * gap}{right}" if gap > 1 else f"{left}\n{right}", "bold")

    def said(self, mode: str, text: str) -> None:
        """Add a line that the user typed."""
        self.aside(f"\n{mode} › {text}", "bold blue" if mode == "plan" else "bold green")

    def aside(self, text: str, style: str = "dim") -> None:
        """Add lines above a text that is being streamed, without ending it."""
        self._add(paint.styled(text, style, self._width()))

    def result(self, result: Result) -> None:
        """Add the parts of a result that weren't streamed."""
        if result.data.get("status") == "queued":
            self.aside(f"  {result.text}")
            return
        self._end()
        if result.seen_hash:
            first, _, rest = result.text.partition("\n")
            self.say(first, "bold")
            self.say(rest)
        elif result.text and not result.is_seen:
            self._notify(result)
        if result.next_step:
            self.say(result.next_step, "red" if result.next_step.startswith("!") else "dim")

    def _notify(self, result: Result) -> None:
        if _DIFF.match(result.text):
            self.diff(result.text)
        elif "text" in result.data and not result.text.startswith("---"):
            self.markdown(result.text)
        else:
            self.say(result.text)

    def markdown(self, text: str, indent: str = "") -> None:
        """Add Markdown."""
        self._end()
        self._add([f"{indent}{line}" for line in paint.markdown(text, self._width() - len(indent))])

    def diff(self, text: str) -> None:
        """Add a unified diff."""
        self._end()
        self._add(paint.diff(text, self._width()))

    def end(self) -> None:
        """End the streamed text and the command's output."""
        self._end()
        self._on_change()

    def take(self) -> str:
        """Return the final lines that weren't taken before, each with a line end."""
        whole = finished_length(self._message)
        if whole:
            text, self._message, self._is_printed = self._message[:whole], self._message[whole:], True
            self._ready += [*paint.markdown(text.rstrip("\n"), self._width()), ""]
        ready, self._ready = self._ready, []
        return "".join(f"{line}\n" for line in ready)

    @property
    def is_changing(self) -> bool:
        return bool(self._ready or self._message or self._folded_calls.text() or self._output or self._open_output)

    def changing(self, rows: int) -> list[str]:
        """Return up to `rows` changing lines: the end of the streamed text, folded calls, a command's output."""
        lines = [*self._ready]
        if self._message:
            lines += paint.markdown(visible_end(self._message), self._width())
        lines += self._folded()
        seen = [*self._output[-_OUTPUT_SEEN:], *([self._open_output] if self._open_output else [])][-_OUTPUT_SEEN:]
        for line in seen:
            lines += paint.styled(f"    {one_line(line, self._width() - 6)}", "dim", self._width())
        return lines[-rows:] if rows > 0 else []

    def notify(self, notice: Notice) -> None:
        """Add the lines of a notice."""
        match notice:
            case MessageDelta() | ModelRetry():
                self._follow_answer(notice)
            case MessageAdded(message=message):
                self._finish(message)
            case ToolNotice() | FilesEdited():
                self._show_call(notice)
            case ExecutionProgress(text=text):
                self.activity = text
                self.say(f"act › {text}", "green")
            case CommandOutput(text=text):
                self._print(text)
            case WorkNotice():
                self.activity = ""
                self.began = time.monotonic() if notice.is_running else None
            case UsageNotice():
                tokens, window = notice.context_tokens, notice.context_window
                self.context = f"context {tokens / window:.0%}" if tokens and window else ""
            case QuestionNotice(question=question):
                self._show_end(question)
            case ModeNotice() | PlanNotice() | CallRuns() | WorkStopping() | WorkMoved():
                pass
            case _:
                assert_never(notice)
        self._on_change()

    def _show_end(self, ended: QuestionSet) -> None:
        """Add the end of a question; an answer typed here is on the screen already."""
        if ended.status == "cancelled" or ended.id not in self.asked_here:
            self.say(f"  → {_answer(ended)}", "bold")

    def _follow_answer(self, notice: MessageDelta | ModelRetry) -> None:
        if isinstance(notice, ModelRetry):
            self.activity = notice.text
            if notice.line:
                self.aside(f"! {notice.line}", "red")
        elif notice.begins_anew:
            self._begin_anew()
        else:
            self._stream(notice)

    def _stream(self, delta: MessageDelta) -> None:
        text = delta.text
        if delta.is_reasoning:
            self.activity = "thinking"
            return
        if self._is_whole and text:
            self._end()
            self.activity = "answering"
            self._is_whole = False
        self._was_streamed = self._was_streamed or bool(text.strip())
        self._message += text

    def _begin_anew(self) -> None:
        """Drop the answer that is being streamed; the part that was printed is marked, since it can't be taken back."""
        if self._is_printed:
            self.aside(BEGINS_ANEW)
        self._message, self._is_whole, self._was_streamed, self._is_printed = "", True, False, False

    def _print(self, text: str) -> None:
        *lines, self._open_output = (self._open_output + text).split("\n")
        self._count += len(lines)
        self._output = [*self._output, *lines][-_OUTPUT_KEPT:]

    def _finish(self, message: Message) -> None:
        if message.role != "assistant":
            return
        if message.content.strip() and not self._was_streamed:
            self._end()
            self._message = message.content
        self._was_streamed = False
        self._end_message()

    def _show_call(self, notice: ToolNotice | FilesEdited) -> None:
        self._end_message()
        self._end_output()
        if isinstance(notice, FilesEdited):
            for file in notice.files:
                self.activity = edited(file)
                self.say(f"  {self.activity}", "dim")
            return
        line = render_tool_notice(notice)
        if line:
            self.activity = one_line(line, _WIDEST_ACTIVITY)
        if self._folded_calls.take(notice):
            self._looked = self._looked or time.monotonic()
            self._is_output_folded = notice.confinement is not None
        elif line and not is_shown_when_done(notice):
            self.say(line, "red" if notice.code else "dim")

    def _end(self) -> None:
        """End the message, the output and the folded calls, so that the next lines come below them."""
        self._end_message()
        self._end_output()
        if folded := self._folded():
            self._folded_calls, self._looked = FoldedCalls(), None
            self._add(folded)

    def _folded(self) -> list[str]:
        """Return the line of folded calls, with their duration aligned right if there is room."""
        text = f"  {self._folded_calls.text()}"
        if not text.strip():
            return []
        seconds = time.monotonic() - self._looked if self._looked is not None else 0.0
        took, width = f"{seconds:.0f} s" if seconds >= 1 else "", self._width()
        gap = width - len(text) - len(took)
        return paint.styled(f"{text}{' ' * gap}{took}" if took and gap > 1 else text, "dim", width)

    def _end_message(self) -> None:
        if self._message:
            self._add(paint.markdown(self._message.rstrip("\n"), self._width()))
        self._message, self._is_whole, self._is_printed = "", True, False

    def _end_output(self) -> None:
        rest = [self._open_output] if self._open_output else []
        shown = [] if self._is_output_folded else [*self._output, *rest]
        self._is_output_folded = False
        if shown and self._count > len(self._output):
            self._add(paint.styled(f"    … {self._count - len(self._output)} lines before", "dim", self._width()))
        for line in shown:
            self._add(paint.styled(f"    {line}", "dim", self._width()))
        self._output, self._open_output, self._count = [], "", 0

    def _add(self, lines: list[str]) -> None:
        self._ready += lines
        self._on_change()


def _answer(ended: QuestionSet) -> str:
    """Return the answer in the words of the choices, or the reason why there is none."""
    if ended.status != "answered":
        return f"{ended.status}{f': {ended.reason}' if ended.reason else ''}"
    return answers_in_words(ended)
