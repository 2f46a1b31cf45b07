"""Limits of the mode: in Plan only plan documents change, in Act the plan is no longer written."""

from collections.abc import Sequence
from typing import assert_never

from planact.base.paths import Place
from planact.model.rights.permission import (
    AskEffect,
    CommandEffect,
    ExitPlanEffect,
    McpEffect,
    Mode,
    OutputEffect,
    PageEffect,
    PathEffect,
    PlanEffect,
    RunningEffect,
    SpawnEffect,
)
from planact.policy.commands import judge_in_context
from planact.policy.context import PLAN_MODE_MESSAGE, Deny, PlacedEffect, PolicyContext, Request, Verdict
from planact.policy.protected import PLAN_SUFFIX, is_below


def judge(request: Request, context: PolicyContext) -> Sequence[Verdict]:
    """Refuse a call with an effect that doesn't fit the mode."""
    unfit = next((touch for touch in request.touches if not _fits_mode(touch, context)), None)
    if unfit is None:
        return ()
    if context.mode is Mode.PLAN:
        hint = "Put it into the plan as a step; the user decides when to switch to Act."
        if isinstance(unfit.effect, CommandEffect) and unfit.found is not None:
            hint = f"Not run: {judge_in_context(unfit.found, context).reason}. {hint}"
        return (Deny("TOOL_BLOCKED_BY_MODE", PLAN_MODE_MESSAGE, hint),)
    reason = f"{request.tool} belongs to Plan Mode. System is in Act Mode."
    return (Deny("TOOL_BLOCKED_BY_MODE", reason, "Carry out the approved plan; ask the user if it must change."),)


def _fits_mode(touch: PlacedEffect, context: PolicyContext) -> bool:
    effect, in_plan = touch.effect, context.mode is Mode.PLAN
    match effect:
        case AskEffect() | OutputEffect() | PageEffect():
            return True
        case PlanEffect() | ExitPlanEffect():
            return in_plan
        case CommandEffect():
            is_fit = touch.found is not None and judge_in_context(touch.found, context).kind != "deny"
            return not in_plan or (is_fit and not effect.goes_on)
        case RunningEffect():
            return not in_plan
        case SpawnEffect():
            return not in_plan or touch.spawns is not Mode.ACT
        case McpEffect(server=server, tool=tool):
            return not in_plan or (server, tool) in context.mcp_read_only
        case PathEffect():
            return not in_plan or _is_planning(effect, touch.place, context)
        case _:
            assert_never(effect)


def _is_planning(effect: PathEffect, place: Place | None, context: PolicyContext) -> bool:
    """The effect changes plan documents at most, judged by its real path."""
    if effect.action in ("read", "search"):
        return True
    if place is None or place.relative is None:
        return False
    path = place.relative
    if effect.action == "make_directory":
        return path == context.plans_directory or is_below(path, context.plans_directory)
    is_other = place.is_directory or place.is_link or place.is_shared
    if path.suffix != PLAN_SUFFIX or path.name == PLAN_SUFFIX or is_other:
        return False
    if effect.action == "delete":
        return is_below(path, context.plans_directory) and str(path) in context.made_plans
    return True
