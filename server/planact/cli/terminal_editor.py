"""The terminal as the editor: nothing is open in it, files change on disk, and questions go to whoever can answer.

That is the file of `--answers`, then the defaults where `--defaults` allows them, then the person at the terminal.
"""

from collections.abc import Callable, Mapping, Sequence

from planact.base.filetext import FileText
from planact.base.paths import Place
from planact.cli.replies import Replies
from planact.cli.view import View
from planact.model.answer import shown_value
from planact.model.change import Change
from planact.model.execution import FileChange
from planact.model.notice import Notice
from planact.model.question import Answered, DeclinedByUser, QuestionSet, Shown
from planact.workflows.check_answer import answer_problem, rejection_problem
from planact.workflows.review_edits import Difference


class TerminalEditor:
    """Implements `ports.Editor`."""

    def __init__(
        self,
        view: View,
        apply_to_disk: Callable[[Sequence[Change]], tuple[FileChange, ...]],
        replies: Replies,
        difference: Difference,
        *,
        takes_defaults: bool,
    ) -> None:
        self._view = view
        self._apply_to_disk = apply_to_disk
        self._replies = replies
        self._difference = difference
        self._takes_defaults = takes_defaults

    def buffer(self, place: Place) -> FileText | None:  # noqa: ARG002 - nothing is open here
        """See `ports.Editor`."""
        return None

    def unsaved(self, place: Place) -> Mapping[str, str]:  # noqa: ARG002 - nothing is open here
        """See `ports.Editor`."""
        return {}

    async def diagnostics(self, place: Place) -> None:
        """See `ports.Editor`."""

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

    async def take_back(self, ended: QuestionSet) -> None:
        """Nothing: what the terminal shows goes by."""

    def tell(self, notice: Notice) -> None:
        """See `ports.Editor`."""
        self._view.tell(notice)

    def _defaults(self, asked: QuestionSet) -> Answered | None:
        """Never where the answer is the user's leave to do something."""
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
