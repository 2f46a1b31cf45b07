"""Progress as lines on standard error, one per event: for scripts, pipes, plain terminals and single commands."""

import re
from typing import assert_never

from planact.cli.output import prompt
from planact.cli.output.screen import Screen, fitted
from planact.model.notice import (
    CallRuns,
    CommandOutput,
    EditedFile,
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
from planact.model.question import NobodyThere, QuestionSet, Shown
from planact.tools.registry import BY_NAME
from planact.workflows.history.review_edits import EditDiff

BEGINS_ANEW = "  the answer above broke off; this one replaces it:"
_PATCHED = re.compile(r"^\*\*\* (?:Update|Add|Delete) File: (.+)$", re.MULTILINE)


class LineView:
    """Implements `TerminalView`."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._output = ""
        self._is_answering = False

    def line(self, text: str) -> None:
        self._flush_output()
        self._screen.line(text)

    def end_line(self) -> None:
        self._screen.end_line()

    def show_question(self, asked: QuestionSet) -> None:
        self._flush_output()
        for question in asked.questions:
            prompt.show_question(self._screen, question)

    async def ask(self, asked: QuestionSet, problem: str, difference: EditDiff) -> Shown:
        if prompt.is_interactive():
            return await prompt.ask(self._screen, asked, problem, difference)
        return NobodyThere()

    def notify(self, notice: Notice) -> None:
        match notice:
            case MessageDelta() | ModelRetry():
                self._follow_answer(notice)
            case MessageAdded(message=message):
                if message.role == "assistant":
                    self._is_answering = False
                    self._screen.end_line()
            case ToolNotice():
                self._show_tool(notice)
            case FilesEdited(files=files):
                for file in files:
                    self._screen.line(f"  {edited(file)}")
            case ExecutionProgress(text=text):
                self.line(f"act › {text}")
            case CommandOutput(text=text):
                lines, _, self._output = (self._output + text).rpartition("\n")
                self._screen.quiet(lines)
            case (
                ModeNotice()
                | PlanNotice()
                | UsageNotice()
                | QuestionNotice()
                | CallRuns()
                | WorkNotice()
                | WorkStopping()
                | WorkMoved()
            ):
                pass
            case _:
                assert_never(notice)

    def _follow_answer(self, notice: MessageDelta | ModelRetry) -> None:
        if isinstance(notice, ModelRetry):
            if notice.line:
                self.line(f"! {notice.line}")
        elif notice.begins_anew:
            if self._is_answering:
                self._screen.line(BEGINS_ANEW)
            self._is_answering = False
        elif not notice.is_reasoning:
            self._is_answering = True
            self._flush_output()
            self._screen.answer(notice.text)

    def _show_tool(self, notice: ToolNotice) -> None:
        self._flush_output()
        if (line := render_tool_notice(notice)) and not is_shown_when_done(notice):
            contained = ": contained" if notice.confinement == "contain" else ""
            self._screen.line(f"{line}{contained}")

    def _flush_output(self) -> None:
        if self._output:
            self._screen.quiet(self._output)
            self._output = ""


def render_tool_notice(notice: ToolNotice) -> str:
    """Return a tool call as one line; empty for `ask_user`, whose question is shown instead."""
    if notice.tool == "model":
        return f"! {notice.text} [{notice.code}]"
    if notice.tool == "outcome" and not notice.code:
        return f"! {notice.text}"
    if notice.code:
        call = f"{notice.tool} {fitted(main_argument(notice.arguments))}".rstrip()
        return f"⊘ {call}: {notice.text} [{notice.code}]"
    if notice.tool == "ask_user":  # the question itself follows
        return ""
    return f"  {notice.tool} {fitted(main_argument(notice.text))}".rstrip()


def is_shown_when_done(notice: ToolNotice) -> bool:
    """Return whether the call edits files: these are shown by file once the edits are made."""
    tool = BY_NAME.get(notice.tool)
    return not notice.code and tool is not None and tool.changes is not None


def edited(file: EditedFile) -> str:
    """Return an edited file with its counts: `src/worker.py +3 −3`."""
    counts = (f"+{file.added}" if file.added else "", f"−{file.removed}" if file.removed else "")
    return " ".join(part for part in (fitted(file.path), *counts) if part)


def main_argument(text: str) -> str:
    """Return the value of the first of several arguments, one a line; for a patch its files."""
    if files := _PATCHED.findall(text):
        return ", ".join(files)
    first, has_more, _ = text.partition("\n")
    return first.partition(": ")[2] or first if has_more else text
