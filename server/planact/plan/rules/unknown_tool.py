"""PLAN008: a step names tools that exist. Naming one grants nothing, so a wrong name doesn't stop a plan."""

from collections.abc import Collection, Iterator
from difflib import get_close_matches

from planact.plan.lower import step_names
from planact.plan.problem import Problem
from planact.plan.tree import PlanTree

_MAX_GUESSES = 20  # each takes longer than parsing a step


def check(tree: PlanTree, known_tools: Collection[str]) -> Iterator[Problem]:
    """Report unknown tools, with the nearest there is."""
    nearest: dict[str, list[str]] = {}
    for step in tree.steps:
        at = next((detail.value_span for detail in step.details if detail.key == "tools"), step.action_span)
        for name in step_names(step, "tools"):
            if name in known_tools:
                continue
            if name not in nearest and len(nearest) < _MAX_GUESSES:
                nearest[name] = get_close_matches(name[:64], known_tools, 1)
            guess = nearest.get(name)
            hint = f"Did you mean '{guess[0]}'?" if guess else "Name a tool that exists, or none."
            yield Problem(at, "PLAN008", "warning", f"no tool named '{name}'", hint)
