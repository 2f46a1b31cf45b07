"""The one function that says whether a call may run. Pure: everything it rests on is handed in.

Every rule looks at every effect. A refusal by any rule wins over a question by another, a question over containment,
whatever their order, and what no rule minds is allowed. Mode comes first only so that its refusal is the one that is
told.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal, assert_never

from planact.base.paths import Place
from planact.model.classification import Classification
from planact.model.effect import (
    AskEffect,
    CommandEffect,
    ExitPlanEffect,
    McpEffect,
    PathEffect,
    PlanEffect,
    RunningEffect,
    SpawnEffect,
)
from planact.model.jail import Confinement
from planact.model.permission import Mode, Permission
from planact.model.rule import Allowed
from planact.policy.always_allow import rule_for
from planact.policy.commands import (
    CommandVerdict,
    exact_text,
    is_denied,
    judge_command,
    may_reach_beyond,
    only_reads,
    reading_jail,
)
from planact.policy.deviation import is_planned, large_deviation
from planact.policy.modes import MODE_PERMISSIONS
from planact.policy.protected import (
    PLAN_SUFFIX,
    holds_credentials,
    is_below,
    is_git_internal,
    is_planact_internal,
)
from planact.policy.rights import may_use, may_write
from planact.policy.standing import Request, Standing, Touch

DenyCode = Literal[
    "TOOL_BLOCKED_BY_MODE",
    "TOOL_BLOCKED_BY_ROLE",
    "PATH_OUTSIDE_WORKSPACE",
    "PATH_PROTECTED",
    "PATH_HIDDEN",
    "CREDENTIAL_FILE",
    "PLAN_LOCKED",
    "COMMAND_DENIED",
    "WORKSPACE_UNTRUSTED",
]

PLAN_MODE_MESSAGE = "System is in Plan Mode. You can only modify the plan. Switch to Act Mode to apply changes."


@dataclass(frozen=True, slots=True)
class Allow:
    """It may run."""


@dataclass(frozen=True, slots=True)
class Contain:
    """It may run, but in the strongest jail: nobody knows what it does, and there it can change and reach nothing."""


@dataclass(frozen=True, slots=True)
class Ask:
    """It may run if the user says so; `reason` tells them why they are asked, `touches` about what."""

    reason: str
    touches: tuple[Touch, ...] = ()


@dataclass(frozen=True, slots=True)
class Deny:
    """It may not run, and nobody is asked."""

    code: DenyCode
    reason: str
    hint: str = ""


Verdict = Allow | Contain | Ask | Deny


_REASONS = 4
"""How many of the reasons for a question are told."""


def decide(request: Request, standing: Standing) -> Verdict:
    """The verdict on one call. A rule of the user's answers a question about what it allows, and nothing else."""
    verdicts = [verdict for rule in RULES for verdict in rule(request, standing)]
    for verdict in verdicts:
        if isinstance(verdict, Deny):
            return verdict
    asks = [verdict for verdict in verdicts if isinstance(verdict, Ask) and not _is_always_allowed(verdict, standing)]
    if asks:
        reasons = list(dict.fromkeys(ask.reason for ask in asks))
        more = f"; and {len(reasons) - _REASONS} more" if len(reasons) > _REASONS else ""
        touches = dict.fromkeys(touch for ask in asks for touch in ask.touches)
        return Ask("; ".join(reasons[:_REASONS]) + more, tuple(touches))
    return Contain() if Contain() in verdicts else Allow()


def rules_for(ask: Ask, standing: Standing) -> frozenset[Allowed]:
    """What the user would have to allow always so that they are not asked this again; empty where no rule can."""
    found = [rule_for(touch.effect, touch.place, touch.found, standing.mode) for touch in ask.touches]
    allowed = frozenset(each for each in found if each is not None)
    return frozenset() if None in found else allowed


def _is_always_allowed(ask: Ask, standing: Standing) -> bool:
    needed = rules_for(ask, standing)
    return bool(needed) and needed <= standing.rules


def confinement(request: Request, standing: Standing, verdict: Verdict) -> Confinement:
    """The jail that the command of a call runs in. In Act, what passed only because it is known to read is held to
    that; what the user or their plan said yes to may write.
    """
    for touch in request.touches:
        if isinstance(touch.effect, CommandEffect) and touch.found is not None:
            jail = reading_jail(touch.found)
            is_by_reading = isinstance(verdict, Allow) and not _is_named(touch.effect, standing)
            is_held = is_by_reading and only_reads(touch.found) and jail in standing.held
            return jail if is_held or standing.mode is Mode.PLAN else "act"
    return "contain"


# --- rules: each yields what it minds -----------------------------------------------------------------------


def _mode(request: Request, standing: Standing) -> Sequence[Verdict]:
    unfit = next((touch for touch in request.touches if not _fits_mode(touch, standing)), None)
    if unfit is None:
        return ()
    if standing.mode is Mode.PLAN:
        hint = "Put it into the plan as a step; the user decides when to switch to Act."
        if isinstance(unfit.effect, CommandEffect) and unfit.found is not None:
            hint = f"Not run: {_judged(unfit.found, standing).reason}. {hint}"
        return (Deny("TOOL_BLOCKED_BY_MODE", PLAN_MODE_MESSAGE, hint),)
    reason = f"{request.tool} belongs to Plan Mode. System is in Act Mode."
    return (Deny("TOOL_BLOCKED_BY_MODE", reason, "Carry out the approved plan; ask the user if it must change."),)


def _fits_mode(touch: Touch, standing: Standing) -> bool:
    effect, in_plan = touch.effect, standing.mode is Mode.PLAN
    match effect:
        case AskEffect():
            return True
        case PlanEffect() | ExitPlanEffect():
            return in_plan
        case CommandEffect():
            is_fit = touch.found is not None and _judged(touch.found, standing).kind != "deny"
            return not in_plan or (is_fit and not effect.goes_on)
        case RunningEffect():
            return not in_plan
        case SpawnEffect():
            return not in_plan or touch.spawns is not Mode.ACT
        case McpEffect(server=server, tool=tool):
            return not in_plan or (server, tool) in standing.mcp_read_only
        case PathEffect():
            return not in_plan or _is_planning(effect, touch.place, standing)
        case _:
            assert_never(effect)


def _is_planning(effect: PathEffect, place: Place | None, standing: Standing) -> bool:
    """Whether it leaves everything but plan documents as it is; judged by where the path really leads."""
    if effect.action in ("read", "search"):
        return True
    if place is None or place.relative is None:
        return False
    path = place.relative
    if effect.action == "make_directory":
        return path == standing.plans_directory or is_below(path, standing.plans_directory)
    if path.suffix != PLAN_SUFFIX or path.name == PLAN_SUFFIX or place.is_directory or place.is_shared:
        return False
    if effect.action == "delete":
        return is_below(path, standing.plans_directory) and str(path) in standing.made_plans
    return True


def _role(request: Request, standing: Standing) -> Sequence[Verdict]:
    role = standing.role
    permissions = role.rights.permissions
    missing = request.required - permissions
    commands = [touch for touch in request.touches if isinstance(touch.effect, CommandEffect)]
    if commands and all(touch.found is not None and only_reads(touch.found) for touch in commands):
        missing -= {Permission.EXECUTE_COMMANDS}  # a command that reads needs no more than reading does
        missing |= {Permission.READ_FILES} - permissions
    # In Plan the mode rule has looked at each effect: what remains of a write tool is a plan document.
    if standing.mode is Mode.PLAN and role.mode is Mode.PLAN:
        missing &= MODE_PERMISSIONS[Mode.PLAN]
    if not missing:
        return ()
    names = ", ".join(sorted(missing))
    return (
        Deny("TOOL_BLOCKED_BY_ROLE", f"the role {role.name} has no permission {names}, which {request.tool} needs"),
    )


def _role_lists(request: Request, standing: Standing) -> Sequence[Verdict]:
    """The tools and paths that the role is limited to."""
    name, rights = standing.role.name, standing.role.rights
    is_plan_edit = all(isinstance(touch.effect, PathEffect) for touch in request.touches) and request.touches
    is_by_plan = standing.mode is Mode.PLAN and is_plan_edit and may_use(rights, "write_plan")
    if not may_use(rights, request.tool) and not is_by_plan:
        return (Deny("TOOL_BLOCKED_BY_ROLE", f"{request.tool} is none of the tools of the role {name}"),)
    for touch in request.touches:
        if not isinstance(touch.effect, PathEffect) or touch.effect.action in ("read", "search"):
            continue
        path = touch.place.relative if touch.place else None
        if path is not None and not may_write(rights, path):
            limits = " and also in ".join(sorted(", ".join(sorted(patterns)) for patterns in rights.paths))
            hint = f"It may write in {limits or 'nothing'}."
            return (Deny("TOOL_BLOCKED_BY_ROLE", f"the role {name} may not write {path}", hint),)
    return ()


def _delegation(request: Request, standing: Standing) -> Sequence[Verdict]:
    """Who works for another role hands nothing further out, and what becomes of the plan is not theirs to ask."""
    if standing.is_delegate and any(isinstance(t.effect, SpawnEffect | ExitPlanEffect) for t in request.touches):
        return (Deny("TOOL_BLOCKED_BY_ROLE", f"{request.tool} is not for delegates", "Say so in your report."),)
    return ()


def _paths(request: Request, standing: Standing) -> Sequence[Verdict]:
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
    if is_git_internal(path):
        return (Deny("PATH_PROTECTED", f"{asked!r} belongs to git", "Leave it to git commands."),)
    if is_planact_internal(path) and not is_plans:
        return (Deny("PATH_PROTECTED", f"{asked!r} belongs to planact; only plans may be written there"),)
    if str(path) in standing.locked_plans:
        reason = f"the plan {asked!r} is approved or running, and only the user may change it"
        return (Deny("PLAN_LOCKED", reason, "Write a new plan instead."),)
    return ()


def _credentials(request: Request, standing: Standing) -> Sequence[Verdict]:
    for touch in request.touches:
        if not isinstance(touch.effect, PathEffect) or touch.place is None or touch.place.relative is None:
            continue
        if touch.effect.action in ("search", "make_directory") or not holds_credentials(touch.place.relative):
            continue
        name = touch.place.shown
        if touch.effect.action != "read":
            return (Deny("CREDENTIAL_FILE", f"{name} usually holds credentials and is never written", "Ask the user."),)
        if standing.mode is Mode.PLAN:
            return (Deny("CREDENTIAL_FILE", f"{name} usually holds credentials and is not read in Plan Mode"),)
        if standing.approval != "acceptAll":
            return (Ask(f"{name} usually holds credentials", (touch,)),)
    return ()


def _commands(request: Request, standing: Standing) -> Sequence[Verdict]:
    found: list[Verdict] = []
    for touch in request.touches:
        if not isinstance(touch.effect, CommandEffect):
            continue
        command, where = exact_text(touch.effect.command), touch.place
        if where is None or where.relative is None:
            reason = f"{touch.effect.directory!r} leads outside the workspace"
            found.append(Deny("PATH_OUTSIDE_WORKSPACE", reason, "Use a directory relative to the workspace folder."))
        elif is_denied(command, touch.found, standing.commands_deny):
            found.append(Deny("COMMAND_DENIED", f"the user's settings deny the command {command!r}"))
        elif standing.mode is Mode.PLAN or not _is_named(touch.effect, standing):
            found += _unnamed_command(touch, command, standing)
        elif standing.approval != "acceptAll" and where.relative.parts:
            found.append(Ask(f"the command is meant for the workspace folder, and this is {where.shown}", (touch,)))
    return found


def _judged(found: Classification, standing: Standing) -> CommandVerdict:
    return judge_command(found, standing.mode, standing.contain, standing.held)


def _is_named(effect: CommandEffect, standing: Standing) -> bool:
    """Whether the user has said yes to exactly this command: in Act, by the plan or their list."""
    named = standing.planned_commands | standing.commands_allow
    return exact_text(effect.command) in named and standing.mode is Mode.ACT


def _unnamed_command(touch: Touch, command: str, standing: Standing) -> Sequence[Verdict]:
    judged = _judged(touch.found, standing) if touch.found else CommandVerdict("ask", "nobody read it")
    in_plan = standing.mode is Mode.PLAN
    match judged.kind:
        case "allow":
            return ()
        case "contain":
            return (Contain(),)
        case "ask" if in_plan:
            return (Ask(judged.reason, (touch,)),)
        case "ask" if standing.approval == "acceptAll" and not may_reach_beyond(command, touch.found):
            return ()
        case "ask":
            whose = "the plan doesn't name it" if standing.has_step else "no approved plan names it"
            return (Ask(f"{judged.reason}, and {whose}", (touch,)),)
        case "deny":
            return (Deny("TOOL_BLOCKED_BY_MODE", PLAN_MODE_MESSAGE, judged.reason),)
        case _:
            assert_never(judged.kind)


def _mcp(request: Request, standing: Standing) -> Sequence[Verdict]:
    """What these tools touch, nobody here can know or undo: so `acceptAll`, which is for the workspace, covers none."""
    found: list[Verdict] = []
    for touch in request.touches:
        if not isinstance(touch.effect, McpEffect):
            continue
        server, tool = touch.effect.server, touch.effect.tool
        if (server, tool) not in standing.mcp_read_only:
            hint = ". The server says that it only reads, which nobody checked" if touch.effect.says_read_only else ""
            found.append(Ask(f"{tool} of the MCP server {server} may change things anywhere{hint}", (touch,)))
    return found


def _approval(request: Request, standing: Standing) -> Sequence[Verdict]:
    if standing.mode is Mode.PLAN or standing.approval == "acceptAll":
        return ()
    found: list[Verdict] = []
    for touch in request.touches:
        effect = touch.effect
        if not isinstance(effect, PathEffect) or effect.action in ("read", "search") or touch.place is None:
            continue
        if effect.action == "delete":
            found.append(Ask(f"it deletes {touch.place.shown}", (touch,)))
        elif standing.approval == "review":
            found.append(Ask(f"it changes {touch.place.shown}", (touch,)))
        elif standing.approval == "ask" and not is_planned(touch.place.shown, standing.planned_files):
            others = ", which other steps do" if is_planned(touch.place.shown, standing.files_of_others) else ""
            whose = "the approved step doesn't name" if standing.has_step else "no approved plan names"
            found.append(Ask(f"{whose} {touch.place.shown}{others}", (touch,)))
    has_own_rule = any(isinstance(touch.effect, (CommandEffect, McpEffect)) for touch in request.touches)
    if request.needs_approval and not found and not has_own_rule:
        found.append(Ask(f"{request.tool} always needs your approval", request.touches))
    return found


def _deviation(request: Request, standing: Standing) -> Sequence[Verdict]:
    if standing.mode is Mode.PLAN or standing.approval != "acceptEdits":
        return ()  # with `ask` each of these files is a question of its own
    reason, touches = large_deviation(request, standing)
    return (Ask(reason, tuple(touches)),) if reason else ()


def _restriction(request: Request, standing: Standing) -> Sequence[Verdict]:
    """Where the user doesn't trust what is in the workspace, nothing that could run a part of it is started."""
    starts = any(isinstance(touch.effect, CommandEffect | McpEffect) for touch in request.touches)
    if not (standing.is_restricted and starts):
        return ()
    reason = "No command and no MCP server runs in this workspace, since the user hasn't trusted it in their editor"
    return (Deny("WORKSPACE_UNTRUSTED", reason, "Read files, or trust it by “Workspaces: Manage Workspace Trust”."),)


Rule = Callable[[Request, Standing], Sequence[Verdict]]
RULES: tuple[Rule, ...] = (
    *(
        _restriction,
        _mode,
        _role,
        _role_lists,
        _delegation,
        _paths,
        _credentials,
        _commands,
        _mcp,
        _approval,
        _deviation,
    ),
)
