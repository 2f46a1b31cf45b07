"""Which paths may be touched: inside the workspace, not hidden, and to write none of git's, planact's or a run's."""

import unicodedata
from collections.abc import Sequence
from pathlib import PurePosixPath

from planact.model.effect import PathEffect
from planact.policy.protected import PLAN_SUFFIX, is_below, is_git_internal, is_planact_internal
from planact.policy.standing import Request, Standing
from planact.policy.verdict import Deny, Verdict

_BREAKS = ("Cc", "Zl", "Zp")


def judge(request: Request, standing: Standing) -> Sequence[Verdict]:
    """Refuse each path that may not be touched, or not be written."""
    found: list[Verdict] = []
    for touch in request.touches:
        if not isinstance(touch.effect, PathEffect):
            continue
        place, path = touch.place, touch.place.relative if touch.place else None
        if place is None or path is None:
            reason = f"{touch.effect.path!r} leads outside the workspace"
            found.append(Deny("PATH_OUTSIDE_WORKSPACE", reason, "Use a path relative to the workspace folder."))
        elif touch.is_hidden:
            found.append(Deny("PATH_HIDDEN", f"{place.asked!r} is hidden from you by the user's ignore patterns"))
        elif touch.effect.action not in ("read", "search"):
            found += _written_path(touch.effect, path, standing)
    return found


def _written_path(effect: PathEffect, path: PurePosixPath, standing: Standing) -> Sequence[Verdict]:
    asked, plans = effect.path, standing.plans_directory
    if effect.action == "make_directory":
        is_plans = path == plans or is_below(path, plans) or plans.is_relative_to(path)
    else:
        is_plans = path.suffix == PLAN_SUFFIX and is_below(path, plans)
    if any(unicodedata.category(each) in _BREAKS for each in f"{asked}{path}"):
        reason = f"{asked!r} has line breaks or control characters, so that nobody can be shown what would change"
        return (Deny("PATH_PROTECTED", reason, "Use a plain name."),)
    if is_git_internal(path):
        return (Deny("PATH_PROTECTED", f"{asked!r} belongs to git", "Leave it to git commands."),)
    if is_planact_internal(path) and not is_plans:
        return (Deny("PATH_PROTECTED", f"{asked!r} belongs to planact; only plans may be written there"),)
    if str(path) in standing.locked_plans:
        reason = f"the plan {asked!r} is approved or running, and only the user may change it"
        return (Deny("PLAN_LOCKED", reason, "Write a new plan instead."),)
    return ()
