"""The terminal as the editor: no file is open in it, changes go to disk, and questions to the first that can answer.

The answers file comes first, then the defaults if `--defaults` allows them, then the user at the terminal.
"""

from collections.abc import Callable, Mapping, Sequence

from planact.base.filetext import FileText
from planact.base.paths import Place
from planact.cli.output.answers_file import AnswersFile
from planact.cli.output.view import TerminalView
from planact.model.answer import shown_value
from planact.model.file import FileCheck
from planact.model.navigation import CodeAction, CodePlace, NamedPlace, PlaceKind
from planact.model.notice import Notice
from planact.model.question import Answered, DeclinedByUser, QuestionSet, Shown
from planact.model.runs.change import Change
from planact.model.runs.execution import FileChange
from planact.workflows.history.review_edits import EditDiff
from planact.workflows.questions.check_answer import answer_problem, rejection_problem


class TerminalEditor:
    """Implements `ports.Editor`."""

    def __init__(
        self,
        view: TerminalView,
        apply_to_disk: Callable[[Sequence[Change]], tuple[FileChange, ...]],
        answers_file: AnswersFile,
        difference: EditDiff,
        *,
        takes_defaults: bool,
    ) -> None:
        self._view = view
        self._apply_to_disk = apply_to_disk
        self._answers_file = answers_file
        self._difference = difference
        self._takes_defaults = takes_defaults

    def buffer(self, place: Place) -> FileText | None:  # noqa: ARG002 - no file is open here
        return None

    def check_readable(self, place: Place) -> None:
        """Do nothing: no file is open here."""

    def unsaved(self, place: Place) -> Mapping[str, str]:  # noqa: ARG002 - no file is open here
        return {}

    def saved_since(self, mark: int) -> tuple[int, Mapping[str, str]]:
        return mark, {}

    def has_diagnostics(self) -> bool:
        return False

    async def check_files(self, paths: Sequence[str], seconds: float) -> Sequence[FileCheck]:  # noqa: ARG002
        return ()

    def open_files(self) -> Sequence[str]:
        return ()

    async def diagnostics(self, place: Place) -> None:
        pass

    async def find_places(self, kind: PlaceKind, at: NamedPlace) -> Sequence[CodePlace]:  # noqa: ARG002
        return ()

    async def propose_rename(self, at: NamedPlace, new_name: str) -> None:
        pass

    async def propose_actions(self, path: str, line: int) -> Sequence[CodeAction]:  # noqa: ARG002
        return ()

    async def apply(self, changes: Sequence[Change], label: str) -> tuple[FileChange, ...]:  # noqa: ARG002
        return self._apply_to_disk(changes)

    async def save(self, places: Sequence[Place]) -> tuple[Place, ...]:  # noqa: ARG002
        return ()

    async def show(self, question: QuestionSet, problem: str) -> Shown:
        """Answer from the answers file or the defaults if they fit, else ask the user. A prepared answer is checked
        here, because asking for it again would return the same.
        """
        ready = self._answers_file.answer_to(question) or self._defaults(question)
        if isinstance(ready, Answered):
            fault = answer_problem(question, ready.answers)
            fault = fault or rejection_problem(question, ready.answers, ready.rejected)
            if not fault:
                self._show_answered(question, ready)
                return ready
            self._view.line(f"! the answer given beforehand doesn't fit: {fault}")
        elif isinstance(ready, DeclinedByUser):
            self._view.show_question(question)
            self._view.line("  → declined by the answers file")
            return ready
        return await self._view.ask(question, problem, self._difference)

    async def remove_question(self, ended: QuestionSet) -> None:
        """Do nothing: printed lines can't be removed."""

    def notify(self, notice: Notice) -> None:
        self._view.notify(notice)

    def _defaults(self, asked: QuestionSet) -> Answered | None:
        """Return the defaults for questions of the agent; a question for approval has none."""
        if not self._takes_defaults or asked.purpose != "agent":
            return None
        if any(question.default is None for question in asked.questions):
            return None
        return Answered({question.name: question.default for question in asked.questions}, assumed=True)

    def _show_answered(self, asked: QuestionSet, answered: Answered) -> None:
        self._view.show_question(asked)
        source = "default, assumed" if answered.assumed else "from the answers file"
        for question in asked.questions:
            value = answered.answers[question.name]
            label = next((o.label for o in question.options if o.value == value), shown_value(value))
            self._view.line(f"  → {label} ({source})")
        for path in answered.rejected:
            self._view.line(f"  → rejected: {path} ({source})")
