"""Which paths may be touched: inside the workspace or where the user lets it read, not hidden, and to write none
of git's, planact's or a run's.
"""

import unicodedata
from collections.abc import Sequence
from pathlib import PurePosixPath

from planact.base.paths import Place
from planact.model.rights.permission import PathEffect
from planact.policy.context import Deny, PolicyContext, Request, Verdict
from planact.policy.protected import PLAN_SUFFIX, is_below, is_git_internal, is_planact_internal

_BREAKS = ("Cc", "Zl", "Zp")


def judge(request: Request, context: PolicyContext) -> Sequence[Verdict]:
    """Refuse each path that may not be touched, or not be written."""
    found: list[Verdict] = []
    for touch in request.touches:
        if not isinstance(touch.effect, PathEffect):
            continue
        place, path = touch.place, touch.place.relative if touch.place else None
        if place is not None and touch.is_hidden:
            found.append(Deny("PATH_HIDDEN", f"{place.asked!r} is hidden from you by the user's ignore patterns"))
        elif place is None or path is None:
            if place is None or not _is_readable(touch.effect, place, context, is_public=touch.is_public):
                reason = f"{touch.effect.path!r} leads outside the workspace"
                found.append(Deny("PATH_OUTSIDE_WORKSPACE", reason, "Use a path relative to the workspace folder."))
        elif touch.effect.action not in ("read", "search"):
            found += _written_path(touch.effect, path, context)
    return found


def _is_readable(effect: PathEffect, place: Place, context: PolicyContext, *, is_public: bool) -> bool:
    is_read = effect.action in ("read", "search")
    return is_read and (is_public or any(place.real.is_relative_to(folder) for folder in context.readable))


def _written_path(effect: PathEffect, path: PurePosixPath, context: PolicyContext) -> Sequence[Verdict]:
    asked, plans = effect.path, context.plans_directory
    if effect.action == "make_directory":
        is_plans = path == plans or is_below(path, plans) or plans.is_relative_to(path)
    else:
        is_plans = path.suffix == PLAN_SUFFIX and is_below(path, plans)
    if any(unicodedata.category(each) in _BREAKS for each in f"{asked}{path}"):
        reason = f"{asked!r} has line breaks or control characters, so the change can't be shown"
        return (Deny("PATH_PROTECTED", reason, "Use a plain name."),)
    if is_git_internal(path):
        return (Deny("PATH_PROTECTED", f"{asked!r} belongs to git", "Leave it to git commands."),)
    if is_planact_internal(path) and not is_plans:
        return (Deny("PATH_PROTECTED", f"{asked!r} belongs to planact; only plans may be written there"),)
    if str(path) in context.locked_plans:
        reason = f"the plan {asked!r} is approved or running, and only the user may change it"
        return (Deny("PLAN_LOCKED", reason, "Write a new plan instead."),)
    return ()
