"""The port between the engine and the terminal: progress and questions, as printed lines or as a drawn program."""

from typing import Protocol

from planact.model.notice import Notice
from planact.model.question import QuestionSet, Shown
from planact.workflows.history.review_edits import EditDiff


class TerminalView(Protocol):
    """Display of the terminal. Escapes the control characters of all texts, which may be hostile."""

    def line(self, text: str) -> None:
        """Print whole lines."""

    def end_line(self) -> None:
        """End the line that is being streamed."""

    def show_question(self, asked: QuestionSet) -> None:
        """Print questions that are answered already."""

    async def ask(self, asked: QuestionSet, problem: str, difference: EditDiff) -> Shown:
        """Ask the user at the terminal, if there is one.

        Args:
            asked: the open question set.
            problem: the fault of the previous answer, or empty.
            difference: returns the unified diff of a proposed edit.
        """

    def notify(self, notice: Notice) -> None:
        """Show a notice if the display has a form for it. Never raises."""
