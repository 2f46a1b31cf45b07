"""Code actions: the lenses again, for editors without lenses and hands on the keyboard."""

from planact.base.span import Span
from planact.plan.offers import Offer, PlanState, offers
from planact.plan.tree import PlanTree

Action = Offer


def actions(tree: PlanTree, state: PlanState, selection: Span) -> tuple[Action, ...]:
    """Those of the step in which the selection begins, then those of the plan."""
    possible = [offer for offer in offers(tree, state) if offer.command]
    here = [offer for offer in possible if offer.step and offer.step.span.contains(selection.start)]
    return (*here, *(offer for offer in possible if not offer.step))
