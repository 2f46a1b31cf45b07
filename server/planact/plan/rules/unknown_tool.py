"""PLAN008: a step names tools that exist. A name grants no right, so a wrong one doesn't stop a plan."""

from collections.abc import Iterator
from difflib import get_close_matches

from planact.base.span import TextEdit
from planact.model.mcp import PREFIX
from planact.plan.lint_context import LintContext
from planact.plan.references import names_in
from planact.plan.syntax.lower import step_names
from planact.plan.syntax.tree import Fix, PlanProblem, PlanTree

_MAX_GUESSES = 20  # each takes longer than parsing a step


def check(tree: PlanTree, context: LintContext) -> Iterator[PlanProblem]:
    """Report unknown tools, with the nearest there is."""
    nearest: dict[str, list[str]] = {}
    for step in tree.steps:
        if all(name in context.tools for name in step_names(step, "tools")):
            continue
        for name, at in names_in(tree, step, "tools"):
            if name in context.tools or name.startswith(PREFIX):  # servers list their tools only when they run
                continue
            if name not in nearest and len(nearest) < _MAX_GUESSES:
                nearest[name] = get_close_matches(name[:64], context.tools, 1)
            guesses = nearest.get(name, [])
            hint = f"Did you mean '{guesses[0]}'?" if guesses else "Name a tool that exists, or none."
            fixes = tuple(Fix(f"Change it to '{guess}'", (TextEdit(at, guess),), True) for guess in guesses)
            yield PlanProblem(at, "PLAN008", "warning", f"no tool named '{name}'", hint, fixes)
