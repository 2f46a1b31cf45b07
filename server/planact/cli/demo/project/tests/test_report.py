"""Run with `python3 -m unittest -q tests.test_report`."""

import unittest
from datetime import date, timedelta

from bookshelf.loans import Loan
from bookshelf.report import report

TODAY = date(2026, 5, 1)


def lent(title: str, days: int) -> Loan:
    """A book that has been out for so many days."""
    return Loan(title, "Ada", TODAY - timedelta(days=days))


class Report(unittest.TestCase):
    """What the list says."""

    def test_the_longest_out_comes_first(self) -> None:
        """Whoever waits for a book wants to see that one."""
        lines = report([lent("Emma", 1), lent("Ulysses", 3)], TODAY).splitlines()
        self.assertEqual(lines, ["Ulysses (Ada): 3 days", "Emma (Ada): 1 days"])
