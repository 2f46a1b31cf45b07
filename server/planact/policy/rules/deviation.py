"""How far a step goes beyond its own files: small deviations pass where edits do, the first large one asks."""

from collections.abc import Sequence

from planact.model.effect import PathEffect
from planact.model.permission import Mode
from planact.policy.standing import Request, Standing, Touch, is_planned
from planact.policy.verdict import Ask, Verdict

MANY = 5
"""So many files outside its list a step may change before that is a large deviation."""


def judge(request: Request, standing: Standing) -> Sequence[Verdict]:
    """Ask about a large deviation; with `ask`, each of these files is a question of its own."""
    if standing.mode is Mode.PLAN or standing.approval != "acceptEdits":
        return ()
    reason, touches = _large_deviation(request, standing)
    return (Ask(reason, tuple(touches)),) if reason else ()


def _large_deviation(request: Request, standing: Standing) -> tuple[str, Sequence[Touch]]:
    """Why the call makes a large deviation of what the step has done so far, and the effects that do; empty where it
    doesn't. It is asked about once: what the user let happen is among the files that the step has changed.
    """
    touches = {
        touch.place.shown: touch
        for touch in request.touches
        if touch.place is not None
        and isinstance(touch.effect, PathEffect)
        and touch.effect.action not in ("read", "search", "make_directory")
        and not is_planned(touch.place.shown, standing.planned_files)
    }
    before = {path for path in standing.changed if not is_planned(path, standing.planned_files)}
    of_others = [path for path in touches if is_planned(path, standing.files_of_others)]
    if of_others and not any(is_planned(path, standing.files_of_others) for path in before):
        names = ", ".join(sorted(of_others))
        return f"it changes {names}, which only other steps of the plan name", [touches[path] for path in of_others]
    count = len(before.union(touches))
    if standing.planned_files and len(before) <= MANY < count:
        return f"with it, the step would have changed {count} files that it doesn't name", list(touches.values())
    return "", ()
