"""Code lenses: what can be done, above the goal and above each step. Those without a command only tell the state."""

from planact.plan.offers import Offer, PlanState, offers
from planact.plan.tree import PlanTree

Lens = Offer


def lenses(tree: PlanTree, state: PlanState) -> tuple[Lens, ...]:
    """All lenses of a document, in the order in which they stand side by side."""
    return offers(tree, state)
