"""Questions that the user's setting `approval` asks for before files change in Act."""

from collections.abc import Sequence

from planact.model.rights.permission import CommandEffect, McpEffect, Mode, PathEffect
from planact.policy.context import Ask, PolicyContext, Request, Verdict, is_planned


def judge(request: Request, context: PolicyContext) -> Sequence[Verdict]:
    """Ask about deletions and hard links, and by the setting about all changes or those that no step names."""
    if context.mode is Mode.PLAN or context.approval == "acceptAll":
        return ()
    found: list[Verdict] = []
    for touch in request.touches:
        effect = touch.effect
        if not isinstance(effect, PathEffect) or effect.action in ("read", "search") or touch.place is None:
            continue
        if effect.action == "delete":
            found.append(Ask("nothing is deleted without your yes", (touch,)))
        elif touch.place.is_shared and effect.follows_link:  # else the name alone changes
            found.append(Ask(f"further names of {touch.place.shown} (hard links) change with it", (touch,)))
        elif context.approval == "review":
            found.append(Ask("you review each edit", (touch,)))
        elif context.approval == "ask" and not is_planned(touch.place.shown, context.planned_files):
            others = ", which other steps do" if is_planned(touch.place.shown, context.files_of_others) else ""
            whose = "the approved step doesn't name" if context.has_step else "no approved plan names"
            found.append(Ask(f"{whose} {touch.place.shown}{others}", (touch,)))
    has_own_rule = any(isinstance(touch.effect, (CommandEffect, McpEffect)) for touch in request.touches)
    if request.needs_approval and not found and not has_own_rule:
        found.append(Ask(f"{request.tool} always needs your approval", request.touches))
    return found
