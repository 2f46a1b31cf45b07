"""Limits on how far a step goes beyond its own files: small deviations pass where edits do, the first large one
asks.
"""

from collections.abc import Sequence

from planact.model.rights.permission import Mode, PathEffect
from planact.policy.context import Ask, PlacedEffect, PolicyContext, Request, Verdict, is_planned

LARGE_DEVIATION = 5
"""Most files outside its list that a step may change before the deviation is a large one."""


def judge(request: Request, context: PolicyContext) -> Sequence[Verdict]:
    """Ask about a large deviation; with `ask`, each of these files is a question of its own."""
    if context.mode is Mode.PLAN or context.approval != "acceptEdits":
        return ()
    reason, touches = _large_deviation(request, context)
    return (Ask(reason, tuple(touches)),) if reason else ()


def _large_deviation(request: Request, context: PolicyContext) -> tuple[str, Sequence[PlacedEffect]]:
    """Return the reason why the call makes a large deviation of the step's changes so far, with the effects that cause
    it.

    Empty where it doesn't. The user is asked once: changes that they allowed are among the files that the step has
    changed.
    """
    touches = {
        touch.place.shown: touch
        for touch in request.touches
        if touch.place is not None
        and isinstance(touch.effect, PathEffect)
        and touch.effect.action not in ("read", "search", "make_directory")
        and not is_planned(touch.place.shown, context.planned_files)
    }
    before = {path for path in context.changed if not is_planned(path, context.planned_files)}
    of_others = [path for path in touches if is_planned(path, context.files_of_others)]
    if of_others and not any(is_planned(path, context.files_of_others) for path in before):
        names = ", ".join(sorted(of_others))
        return f"it changes {names}, which only other steps of the plan name", [touches[path] for path in of_others]
    count = len(before.union(touches))
    if context.planned_files and len(before) <= LARGE_DEVIATION < count:
        return f"with it, the step would have changed {count} files that it doesn't name", list(touches.values())
    return "", ()
