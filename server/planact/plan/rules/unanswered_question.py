"""PLAN021: a question in the document waits for its answer."""

from collections.abc import Iterator

from planact.plan.problem import Problem, Severity
from planact.plan.surroundings import Surroundings
from planact.plan.tree import PlanTree


def check(tree: PlanTree, _around: Surroundings) -> Iterator[Problem]:
    """Report questions with no box ticked and nothing written."""
    for question in tree.questions:
        if question.answer or any(option.is_ticked for option in question.options):
            continue
        severity: Severity = "hint" if question.severity == "minor" else "warning"
        hint = "Tick a box, then choose Answer." if question.options else "Write behind `answer:`, then choose Answer."
        yield Problem(question.span, "PLAN021", severity, f"the question “{question.text}” is not answered yet", hint)
