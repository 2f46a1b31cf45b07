"""PLAN021: a question in the document waits for its answer."""

from collections.abc import Iterator

from planact.plan.lint_context import LintContext
from planact.plan.syntax.tree import PlanProblem, PlanProblemSeverity, PlanTree


def check(tree: PlanTree, _context: LintContext) -> Iterator[PlanProblem]:
    """Report questions without a ticked box and without a written answer."""
    for question in tree.questions:
        if question.answer or any(option.is_ticked for option in question.options):
            continue
        severity: PlanProblemSeverity = "hint" if question.severity == "minor" else "warning"
        hint = "Tick a box, then choose Answer." if question.options else "Write behind `answer:`, then choose Answer."
        yield PlanProblem(
            question.span, "PLAN021", severity, f"the question “{question.text}” is not answered yet", hint
        )
