"""One turn of the agent in a session: the right model, role, rights and tools, as they are at each moment."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from planact.agent.loop import Budget, Loop, TurnResult
from planact.agent.prompt import Surroundings, system_prompt
from planact.base.errors import InvalidInput
from planact.base.filetext import decode
from planact.model.permission import Mode
from planact.model.usage import Usage
from planact.policy.decide import Standing
from planact.policy.protected import holds_credentials
from planact.policy.roles import built_in_role
from planact.tools.gate import Turn
from planact.tools.permit import Trace
from planact.tools.registry import offered
from planact.workflows.conversation import SessionConversation
from planact.workflows.library import PlanDocument
from planact.workflows.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Scope:
    """What the turn is about, and what the user has approved for it.

    Attributes:
        execution_id: empty while planning.
        asked_in: the step that a question belongs to, so that an answer given after its run paused counts in its next
            one and in no other; empty = the session, with the same effect for work without a plan.
        approved_plan: text that is pinned in the prompt.
        files, commands: what the approved step and plan name.
        touched: files that the run changed before.
        target: the document that a plan is to go into.
    """

    execution_id: str = ""
    asked_in: str = ""
    approved_plan: str = ""
    files: frozenset[str] = frozenset()
    commands: frozenset[str] = frozenset()
    touched: frozenset[str] = frozenset()
    target: PlanDocument | None = None


@dataclass(frozen=True, slots=True)
class TurnTaken:
    """How it ended, what it wrote, and what it saw and changed. `is_held` = the user was asked to execute what it wrote
    last, and didn't say yes.
    """

    result: TurnResult
    written: PlanDocument | None
    trace: Trace
    usage: Usage
    is_held: bool = False


def model_name(ws: Workspace, session_id: str) -> str:
    """The model that the session, or else the settings for its mode, name; empty = none is chosen."""
    session, settings = ws.ports.sessions.get(session_id), ws.settings
    by_mode = settings.planner_model if session.mode is Mode.PLAN else settings.actor_model
    return session.model or by_mode or settings.model


def make_turn(
    ws: Workspace, session_id: str, scope: Scope, trace: Trace, model: str
) -> tuple[Turn, SessionConversation]:
    """A turn for the gate: its rights are looked up again at every verdict. `model` is the one that will call."""
    conversation = SessionConversation(ws, session_id, trace, scope.target, scope.asked_in)

    def standing() -> Standing:
        return standing_now(ws, session_id, scope)

    turn = Turn(session_id, scope.execution_id, standing, conversation, trace, ws.limits(), model)
    return turn, conversation


def standing_now(ws: Workspace, session_id: str, scope: Scope) -> Standing:
    """What is so at this moment."""
    session, settings = ws.ports.sessions.get(session_id), ws.settings
    return Standing(
        mode=session.mode,
        role=built_in_role(session.role),
        plans_directory=PurePosixPath(settings.plans_directory),
        made_plans=frozenset(session.made_plans),
        locked_plans=ws.ports.approvals.paths(),
        planned_files=scope.files,
        planned_commands=scope.commands,
        approval=settings.approval,
        commands_allow=frozenset(settings.commands.allow),
        commands_deny=frozenset(settings.commands.deny),
        contain=settings.contain,
        held=ws.ports.runner.held(),
    )


async def take_turn(ws: Workspace, session_id: str, scope: Scope) -> TurnTaken:
    """Let the agent work until it is done or something ends the turn. What the user or planact said is in the
    transcript.

    Raises:
        ModelFailure, StorageFailure: what `Loop.run` raises.
    """
    trace = Trace(touched=scope.touched)
    model = model_name(ws, session_id)
    turn, conversation = make_turn(ws, session_id, scope, trace, model)
    surroundings = _surroundings(ws)

    def prompt() -> str:
        session = ws.ports.sessions.get(session_id)
        plan = scope.approved_plan if session.mode is Mode.ACT else ""
        return system_prompt(built_in_role(session.role), session.mode, surroundings, plan)

    offers: dict[str, Sequence[dict[str, Any]]] = {}

    def tools() -> Sequence[dict[str, Any]]:
        role = ws.ports.sessions.get(session_id).role
        if role not in offers:
            offers[role] = [tool.schema() for tool in offered(built_in_role(role))]
        return offers[role]

    limits = ws.settings.limits
    budget = Budget(limits.max_turns, limits.max_tokens, limits.max_cost)
    loop = Loop(ws.ports, ws.gate, ws.ports.models.open(model), turn, prompt, tools, budget)
    result = await loop.run()
    return TurnTaken(result, conversation.written, trace, loop.usage, conversation.is_held)


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
    return Surroundings(ws.ports.files.root.name, ws.platform, tuple(found))
