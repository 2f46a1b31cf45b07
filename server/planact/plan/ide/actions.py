"""Code actions: the lenses' actions for editors without lenses and for keyboards, and those for selected steps."""

from collections.abc import Iterator

from planact.base.span import Span
from planact.plan.plan_actions import PlanAction, PlanState, plan_actions
from planact.plan.syntax.tree import PlanTree


def actions(tree: PlanTree, state: PlanState, selection: Span) -> tuple[PlanAction, ...]:
    """Return the actions of the selected steps, of the step where the selection begins, and then of the plan."""
    possible = [action for action in plan_actions(tree, state) if action.command]
    here = [action for action in possible if action.step and action.step.span.contains(selection.start)]
    return (*_for_selected(possible, selection), *here, *(action for action in possible if not action.step))


def _for_selected(possible: list[PlanAction], selection: Span) -> Iterator[PlanAction]:
    """Yield an action that runs those of several selected steps that can run."""
    steps = [action.step for action in possible if action.step and action.command in _RUNS]
    selected = [step for step in steps if step.span.start < selection.end and selection.start < step.span.end]
    if len(selected) > 1:
        arguments = {"steps": [step.step_number for step in selected]}
        yield PlanAction(selection, f"Run {len(selected)} selected steps", "planact.executePlan", arguments)


_RUNS = ("planact.executeStep", "planact.retryStep")
