"""What a terminal shows of the work, and asks: as lines that go by, or as a program that redraws itself."""

from typing import Protocol

from planact.model.notice import Notice
from planact.model.question import QuestionSet, Shown
from planact.workflows.review_edits import Difference


class View(Protocol):
    """Where people look. Whatever comes here is hostile until it is shown, and loses its control characters then."""

    def line(self, text: str) -> None:
        """Whole lines."""
        ...

    def end_line(self) -> None:
        """Finish what came bit by bit."""
        ...

    def show_question(self, asked: QuestionSet) -> None:
        """What was asked, where nobody has to answer it here."""
        ...

    async def ask(self, asked: QuestionSet, problem: str, difference: Difference) -> Shown:
        """Ask the person at the terminal, if there is one; `problem` says what was wrong with the answer before, and
        `difference` what would become of a file.
        """
        ...

    def tell(self, notice: Notice) -> None:
        """Show something now, or not; never raises."""
        ...
