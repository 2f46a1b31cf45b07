"""The terminal as the editor: nothing is open in it, files change on disk, and questions go to whoever can answer.

That is the file of `--answers`, then the defaults where `--defaults` allows them, then the person at the terminal.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import assert_never

from planact.base.filetext import FileText
from planact.base.paths import Place
from planact.cli import prompt
from planact.cli.replies import Replies
from planact.cli.screen import Screen, one_line
from planact.model.answer import shown_value
from planact.model.change import Change
from planact.model.execution import FileChange
from planact.model.notice import (
    CommandOutput,
    ExecutionProgress,
    MessageAdded,
    MessageDelta,
    ModeChanged,
    Notice,
    PlanChanged,
    QuestionResolved,
    ToolNotice,
    UsageChanged,
    WorkChanged,
)
from planact.model.question import Answered, DeclinedByUser, NobodyThere, QuestionSet, Shown
from planact.workflows.ask_question import answer_problem


class TerminalEditor:
    """Implements `ports.Editor`."""

    def __init__(
        self,
        screen: Screen,
        apply_to_disk: Callable[[Sequence[Change]], tuple[FileChange, ...]],
        replies: Replies,
        *,
        takes_defaults: bool,
    ) -> None:
        self._screen = screen
        self._apply_to_disk = apply_to_disk
        self._replies = replies
        self._takes_defaults = takes_defaults
        self._output = ""

    def buffer(self, place: Place) -> FileText | None:  # noqa: ARG002 - nothing is open here
        """See `ports.Editor`."""
        return None

    def unsaved(self, place: Place) -> Mapping[str, str]:  # noqa: ARG002 - nothing is open here
        """See `ports.Editor`."""
        return {}

    async def apply(self, changes: Sequence[Change], label: str) -> tuple[FileChange, ...]:  # noqa: ARG002
        """See `ports.Editor`."""
        return self._apply_to_disk(changes)

    async def save(self, places: Sequence[Place]) -> tuple[Place, ...]:  # noqa: ARG002
        """See `ports.Editor`."""
        return ()

    async def show(self, question: QuestionSet, problem: str) -> Shown:
        """See `ports.Editor`. What was decided beforehand is checked here, since it would be the same again."""
        ready = self._replies.to(question) or self._defaults(question)
        if isinstance(ready, Answered):
            fault = answer_problem(question, ready.answers)
            if not fault:
                self._show_answered(question, ready)
                return ready
            self._screen.line(f"! the answer given beforehand doesn't fit: {fault}")
        elif isinstance(ready, DeclinedByUser):
            self._show_texts(question)
            self._screen.line("  → declined by the answers file")
            return ready
        if prompt.somebody_is_there():
            return await prompt.ask(self._screen, question, problem)
        return NobodyThere()

    async def take_back(self, ended: QuestionSet) -> None:
        """Nothing: what the terminal shows goes by."""

    def tell(self, notice: Notice) -> None:
        """See `ports.Editor`."""
        match notice:
            case MessageDelta(text=text, is_reasoning=False):
                self._screen.piece(text)
            case MessageAdded(message=message):
                if message.role == "assistant":
                    self._screen.end_line()
            case ToolNotice():
                self._tell_tool(notice)
            case ExecutionProgress(text=text):
                self._flush_output()
                self._screen.line(f"act › {text}")
            case CommandOutput(text=text):
                lines, _, self._output = (self._output + text).rpartition("\n")
                self._screen.quiet(lines)
            case MessageDelta() | ModeChanged() | PlanChanged() | UsageChanged() | WorkChanged() | QuestionResolved():
                pass
            case _:
                assert_never(notice)

    def _tell_tool(self, notice: ToolNotice) -> None:
        self._flush_output()
        if notice.tool == "model":
            self._screen.line(f"! {notice.text} [{notice.code}]")
        elif notice.code:
            call = f"{notice.tool} {one_line(_main_argument(notice.arguments))}".rstrip()
            self._screen.line(f"⊘ {call}: {notice.text} [{notice.code}]")
        elif notice.tool != "ask_user":  # the question itself follows
            self._screen.line(f"  {notice.tool} {one_line(_main_argument(notice.text))}")

    def _flush_output(self) -> None:
        self._screen.quiet(self._output)
        self._output = ""

    def _defaults(self, asked: QuestionSet) -> Answered | None:
        """Never where the answer is the user's leave to do something."""
        if not self._takes_defaults or asked.purpose != "agent":
            return None
        if any(question.default is None for question in asked.questions):
            return None
        return Answered({question.name: question.default for question in asked.questions}, assumed=True)

    def _show_answered(self, asked: QuestionSet, answered: Answered) -> None:
        self._show_texts(asked)
        source = "default, assumed" if answered.assumed else "from the answers file"
        for question in asked.questions:
            value = answered.answers[question.name]
            label = next((o.label for o in question.options if o.value == value), shown_value(value))
            self._screen.line(f"  → {label} ({source})")

    def _show_texts(self, asked: QuestionSet) -> None:
        for question in asked.questions:
            prompt.show_question(self._screen, question)


def _main_argument(text: str) -> str:
    """The value of the first argument, where several stand below each other."""
    first, has_more, _ = text.partition("\n")
    return first.partition(": ")[2] or first if has_more else text
