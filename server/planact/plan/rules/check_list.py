"""PLAN024: a request that reads like a list of steps can become a plan as it is, if its writer wants that."""

from collections.abc import Iterator

from planact.plan.check_lists import recognise
from planact.plan.problem import Fix, Problem
from planact.plan.surroundings import Surroundings
from planact.plan.tree import PlanTree


def check(tree: PlanTree, _around: Surroundings) -> Iterator[Problem]:
    """Offer it at the first step."""
    found = recognise(tree)
    if found is not None:
        message = f"this reads like a list of {found.count} steps"
        hint = "Make it a plan as it is, or choose Generate plan to have one made of it."
        yield Problem(found.first, "PLAN024", "hint", message, hint, (Fix("Make it a plan as it is", found.edits),))
