"""The list on the desk: what is out."""

from datetime import date

from bookshelf.loans import Loan


def report(loans: list[Loan], today: date) -> str:
    """One line for each book, the longest out first."""
    ordered = sorted(loans, key=lambda loan: loan.since)
    return "\n".join(line(loan, today) for loan in ordered)


def line(loan: Loan, today: date) -> str:
    """A book, who has it, and for how long."""
    return f"{loan.title} ({loan.reader}): {loan.days(today)} days"
