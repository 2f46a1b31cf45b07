"""Code actions: the lenses again, for editors without lenses and hands on the keyboard, and what a selection of steps
offers.
"""

from collections.abc import Iterator

from planact.base.span import Span
from planact.plan.offers import Offer, PlanState, offers
from planact.plan.tree import PlanTree

Action = Offer


def actions(tree: PlanTree, state: PlanState, selection: Span) -> tuple[Action, ...]:
    """Those of all steps that are selected, of the step in which the selection begins, and then of the plan."""
    possible = [offer for offer in offers(tree, state) if offer.command]
    here = [offer for offer in possible if offer.step and offer.step.span.contains(selection.start)]
    return (*_for_selected(possible, selection), *here, *(offer for offer in possible if not offer.step))


def _for_selected(possible: list[Offer], selection: Span) -> Iterator[Action]:
    """To run those of several selected steps that can be run."""
    steps = [offer.step for offer in possible if offer.step and offer.command in _RUNS]
    selected = [step for step in steps if step.span.start < selection.end and selection.start < step.span.end]
    if len(selected) > 1:
        arguments = {"steps": [step.step_number for step in selected]}
        yield Offer(selection, f"Run {len(selected)} selected steps", "planact.executePlan", arguments)


_RUNS = ("planact.executeStep", "planact.retryStep")
