"""PLAN008: a step names tools that exist. Naming one grants nothing, so a wrong name doesn't stop a plan."""

from collections.abc import Iterator
from difflib import get_close_matches

from planact.base.span import TextEdit
from planact.model.mcp import PREFIX
from planact.plan.lower import step_names
from planact.plan.problem import Fix, Problem
from planact.plan.references import names_in
from planact.plan.surroundings import Surroundings
from planact.plan.tree import PlanTree

_MAX_GUESSES = 20  # each takes longer than parsing a step


def check(tree: PlanTree, around: Surroundings) -> Iterator[Problem]:
    """Report unknown tools, with the nearest there is."""
    nearest: dict[str, list[str]] = {}
    for step in tree.steps:
        if all(name in around.tools for name in step_names(step, "tools")):
            continue
        for name, at in names_in(tree, step, "tools"):
            if name in around.tools or name.startswith(PREFIX):  # what servers offer shows when they run
                continue
            if name not in nearest and len(nearest) < _MAX_GUESSES:
                nearest[name] = get_close_matches(name[:64], around.tools, 1)
            guesses = nearest.get(name, [])
            hint = f"Did you mean '{guesses[0]}'?" if guesses else "Name a tool that exists, or none."
            fixes = tuple(Fix(f"Change it to '{guess}'", (TextEdit(at, guess),), True) for guess in guesses)
            yield Problem(at, "PLAN008", "warning", f"no tool named '{name}'", hint, fixes)
