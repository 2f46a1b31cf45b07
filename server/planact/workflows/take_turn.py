"""One turn of the agent in a session: the right model, role, rights and tools, as they are at each moment."""

from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePosixPath

from planact.agent.ask_model import Spent
from planact.agent.loop import Budget, TurnResult
from planact.agent.prompt import Surroundings
from planact.base.errors import InvalidInput
from planact.base.filetext import decode
from planact.model.permission import Mode
from planact.model.role import Role
from planact.model.session import Session
from planact.model.usage import Usage
from planact.policy.protected import holds_credentials
from planact.policy.standing import Standing
from planact.tools.background import Background
from planact.tools.gate import Turn
from planact.tools.trace import Trace
from planact.workflows.choose_model import model_name
from planact.workflows.conversation import SessionConversation
from planact.workflows.delegate import Speaker
from planact.workflows.hooks import before_hooks
from planact.workflows.library import PlanDocument
from planact.workflows.offer_mcp import find_mcp_tools, servers_in_use, trusted_readers
from planact.workflows.roles import RoleWatch, look_at_roles, mode_of_role
from planact.workflows.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Scope:
    """What the turn is about, and what the user has approved for it.

    Attributes:
        execution_id: empty while planning.
        asked_in: the step that a question belongs to, so that an answer given after its run paused counts in its next
            one and in no other; empty = the session, with the same effect for work without a plan.
        approved_plan: text that is pinned in the prompt.
        files, commands: what the approved step and plan name; files_of_others: what only other steps do.
        touched: files that the run changed before.
        rests_on: files whose changes by others the run looks for.
        target: the document that a plan is to go into.
        background: what the run has started, and what ends with it.
        is_hooked: whether the hooks before a plan have run.
    """

    execution_id: str = ""
    asked_in: str = ""
    approved_plan: str = ""
    files: frozenset[str] = frozenset()
    commands: frozenset[str] = frozenset()
    files_of_others: frozenset[str] = frozenset()
    touched: frozenset[str] = frozenset()
    rests_on: frozenset[str] = frozenset()
    target: PlanDocument | None = None
    background: Background | None = None
    is_hooked: bool = False


@dataclass(frozen=True, slots=True)
class TurnTaken:
    """How it ended, what it wrote, and what it saw and changed. `is_held` = the user was asked to execute what it wrote
    last, and didn't say yes; `offer` = where a plan waits that wasn't written over what they typed meanwhile.
    """

    result: TurnResult
    written: PlanDocument | None
    trace: Trace
    usage: Usage
    is_held: bool = False
    offer: str = ""


def make_turn(
    ws: Workspace, session_id: str, scope: Scope, trace: Trace, model: str
) -> tuple[Turn, SessionConversation]:
    """A turn for the gate: its rights are looked up again at every verdict. `model` is the one that will call."""
    conversation = SessionConversation(ws, session_id, trace, scope.target, scope.asked_in, is_hooked=scope.is_hooked)

    watch = RoleWatch(ws, session_id)

    def standing() -> Standing:
        return replace(standing_now(ws, session_id, watch.role(), scope), changed=frozenset(trace.changed))

    def mode_of(name: str) -> Mode | None:
        return mode_of_role(ws, name)

    turn = Turn(
        *(session_id, scope.execution_id, standing, conversation, trace, ws.limits(), model, mode_of),
        background=scope.background,
        look=partial(look_at_roles, [ws]),
    )
    return turn, conversation


def standing_now(ws: Workspace, session_id: str, role: Role, scope: Scope) -> Standing:
    """What is so at this moment, for a role with its rights of this moment."""
    return standing_of(ws, ws.ports.sessions.get(session_id), role, scope)


def standing_of(ws: Workspace, session: Session, role: Role, scope: Scope) -> Standing:
    """What is so in a session that may not be kept."""
    settings = ws.settings
    return Standing(
        mode=session.mode,
        role=role,
        plans_directory=PurePosixPath(settings.plans_directory),
        made_plans=frozenset(session.made_plans),
        locked_plans=ws.ports.approvals.paths(),
        planned_files=scope.files,
        files_of_others=scope.files_of_others,
        planned_commands=scope.commands,
        mcp_read_only=trusted_readers(ws),
        approval=ws.approval(session.id),
        commands_allow=frozenset(settings.commands.allow),
        commands_deny=frozenset(settings.commands.deny),
        contain=settings.contain,
        held=ws.ports.runner.held(),
        rules=frozenset(rule.allows for rule in ws.ports.rules.list()),
        has_step=bool(scope.asked_in),
        is_restricted=ws.is_restricted(),
    )


async def take_turn(ws: Workspace, session_id: str, scope: Scope) -> TurnTaken:
    """Let the agent work until it is done or something ends the turn. What the user or planact said is in the
    transcript.

    Raises:
        ModelFailure, StorageFailure: what `Loop.run` raises.
    """
    speaker, conversation = await _speaker(ws, session_id, scope)
    result = await speaker.work()
    trace, usage = conversation.trace, speaker.spent.usage
    return TurnTaken(result, conversation.written, trace, usage, conversation.is_held, conversation.offer)


async def take_planning_turn(ws: Workspace, session_id: str, target: PlanDocument | None) -> TurnTaken:
    """A turn that is to make or revise a plan.

    Raises:
        Conflict: HOOK_FAILED before it begins. What `take_turn` raises.
    """
    await before_hooks(ws, session_id, "Plan", plan_file=target.path if target else "")
    return await take_turn(ws, session_id, Scope(target=target, is_hooked=True))


async def ask_role(ws: Workspace, session_id: str, role: str, task: str) -> str:
    """Have another role work on a task in the session, and return its report.

    Raises:
        What `Speaker.delegate` raises.
    """
    speaker, _ = await _speaker(ws, session_id, Scope())
    return await speaker.delegate(role, task)


async def _speaker(ws: Workspace, session_id: str, scope: Scope) -> tuple[Speaker, SessionConversation]:
    trace = Trace(touched=scope.touched, rests_on=scope.rests_on, known=ws.known_texts(session_id))

    def look() -> tuple[Surroundings, str]:
        ws.ports.runner.held()  # the first time, it looks at the machine
        return _surroundings(ws), model_name(ws, session_id)

    surroundings, model = await look_at_roles([ws], look)
    turn, conversation = make_turn(ws, session_id, scope, trace, model)
    turn = replace(turn, tools=await find_mcp_tools(ws, session_id, turn.standing()))
    limits = ws.settings.limits
    budget = Budget(limits.max_turns, limits.max_tokens, limits.max_cost)
    speaker = Speaker(ws, turn, surroundings, budget, Spent(), scope.approved_plan)
    conversation.hand_out = speaker.delegate
    return speaker, conversation


def _surroundings(ws: Workspace) -> Surroundings:
    found: list[tuple[str, str]] = []
    for name in ws.settings.instructions:
        place = ws.ports.files.resolve(name)
        if place.relative is None or not place.exists or place.is_directory:
            continue
        # A repository can make `AGENTS.md` a link to what the agent must not see.
        if holds_credentials(place.relative) or ws.ports.files.is_hidden(place):
            continue
        try:
            file = decode(ws.ports.files.read(place, ws.settings.limits.file_bytes))
        except InvalidInput:
            continue
        if file is not None and file.text.strip():
            found.append((name, file.text))
    return Surroundings(ws.ports.files.root.name, ws.platform, tuple(found), servers_in_use(ws))
