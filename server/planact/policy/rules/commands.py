"""Commands: by the user's lists and the plan where those name them, else by their classification."""

from collections.abc import Sequence
from typing import assert_never

from planact.base.text import one_line
from planact.model.rights.classification import Classification
from planact.model.rights.permission import CommandEffect, Mode
from planact.policy.commands import (
    CommandVerdict,
    exact_text,
    is_denied,
    is_named,
    judge_in_context,
    may_contain,
    may_reach_beyond,
    may_try,
)
from planact.policy.context import (
    PLAN_MODE_MESSAGE,
    Ask,
    Contain,
    Deny,
    PlacedEffect,
    PolicyContext,
    Request,
    Try,
    Verdict,
)

_WHY = 200
"""Characters of the model's reason that a question shows."""


def judge(request: Request, context: PolicyContext) -> Sequence[Verdict]:
    """Return the objections to each command of a call."""
    found: list[Verdict] = []
    for touch in request.touches:
        if not isinstance(touch.effect, CommandEffect):
            continue
        command, where = exact_text(touch.effect.command), touch.place
        if where is None or where.relative is None:
            reason = f"{touch.effect.directory!r} leads outside the workspace"
            found.append(Deny("PATH_OUTSIDE_WORKSPACE", reason, "Use a directory relative to the workspace folder."))
        elif is_denied(command, touch.found, context.commands_deny):
            found.append(Deny("COMMAND_DENIED", f"the user's settings deny the command {command!r}"))
        elif (
            touch.effect.is_held_in_act or context.mode is Mode.PLAN or not is_named(touch.effect, touch.found, context)
        ):
            found += _unnamed_command(touch, command, context)
        elif context.approval != "acceptAll" and where.relative.parts:
            found.append(Ask(f"the command is meant for the workspace folder, and this is {where.shown}", (touch,)))
    return found


def _unnamed_command(touch: PlacedEffect, command: str, context: PolicyContext) -> Sequence[Verdict]:
    judged = judge_in_context(touch.found, context) if touch.found else CommandVerdict("ask", "nobody read it")
    in_plan = context.mode is Mode.PLAN
    assert isinstance(touch.effect, CommandEffect)
    if touch.found and (held := _jail_without_question(touch, touch.effect, touch.found, context)):
        return (held,)
    whose = "the plan doesn't name it" if context.has_step else "no approved plan names it"
    is_accepted = context.approval == "acceptAll" and not may_reach_beyond(command, touch.found)
    if touch.effect.held_back and not is_accepted:
        reason = f"it was held back, since it wanted {touch.effect.held_back}, and {whose}"
        return (Ask(reason, (touch,)),)
    if touch.effect.why_network and not (in_plan or is_accepted or _has_network(judged, touch.found)):
        why = one_line(touch.effect.why_network, _WHY)
        return (Ask(f"the agent asks for the network: “{why}”, and {whose}", (touch,)),)
    match judged.kind:
        case "allow":
            return ()
        case "contain":
            return (Contain(),)
        case "ask" if in_plan:
            return (Ask(judged.reason, (touch,)),)
        case "ask" if is_accepted:
            return ()
        case "ask":
            return (Ask(f"{judged.reason}, and {whose}", (touch,)),)
        case "deny":
            return (Deny("TOOL_BLOCKED_BY_MODE", PLAN_MODE_MESSAGE, judged.reason),)
        case _:
            assert_never(judged.kind)


def _jail_without_question(
    touch: PlacedEffect, effect: CommandEffect, found: Classification, context: PolicyContext
) -> Try | Contain | None:
    """Return how a command runs in Act that would be asked about, if it can be held to what needs no question."""
    if may_try(effect, found, context):
        return Try((touch,))
    return Contain((touch,)) if may_contain(effect, found, context) else None


def _has_network(judged: CommandVerdict, found: Classification | None) -> bool:
    """Return True if the command may speak to the network anyway, in the jail of its class."""
    return judged.kind == "allow" and found is not None and found.cls == "net-read"
