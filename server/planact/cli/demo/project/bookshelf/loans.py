"""Books that are out, and since when."""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True)
class Loan:
    """A book that somebody has at home."""

    title: str
    reader: str
    since: date

    def days(self, today: date) -> int:
        """How long it has been out."""
        return (today - self.since).days
