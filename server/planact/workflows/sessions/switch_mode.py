"""Switch a session's mode, only by the user's own action."""

from planact.base.errors import Conflict, ErrorCode
from planact.model.chat.message import Session
from planact.model.question import MOMENTARY, Option, Question
from planact.model.rights.permission import Mode
from planact.workflows.hooks import ask_user
from planact.workflows.sessions.manage import change_session, default_role
from planact.workflows.workspace import Workspace


async def switch_mode(ws: Workspace, session_id: str, mode: Mode, *, confirm_stop: bool | None) -> Session:
    """Set the mode; it holds from the next tool call on, also in a running turn.

    Args:
        ws: the workspace.
        session_id: the session.
        mode: the new one. Act alone approves no plan.
        confirm_stop: the switch to Plan may stop running work; None = ask the user.

    Raises:
        Conflict: MODE_CONFLICT, when work is running and must not be stopped; NOT_CONFIRMED, when the user just said
            so.
    """
    session = ws.ports.sessions.get(session_id)
    if session.mode is mode:
        return session
    if mode is Mode.PLAN and session_id in ws.running:
        may_stop = await _may_stop(ws, session_id) if confirm_stop is None else confirm_stop
        if not may_stop:
            code: ErrorCode = "NOT_CONFIRMED" if confirm_stop is None else "MODE_CONFLICT"
            raise Conflict(code, "work is running and would stop", "Confirm that it may stop, or wait for it.")
        await ws.stop(session_id)
    return enter_mode(ws, session_id, mode, "by hand")


def enter_mode(ws: Workspace, session_id: str, mode: Mode, by: str, plan_file: str | None = None) -> Session:
    """Set the mode, with its default role if it is another one, and write down by what act of the user."""
    changes: dict[str, object] = {"mode": mode}
    if ws.ports.sessions.get(session_id).mode is not mode:
        changes["role"] = default_role(ws, mode)
    if plan_file is not None:
        changes["plan_file"] = plan_file
    session = change_session(ws, session_id, **changes)
    ws.record("mode_entered", session_id, {"mode": mode.value, "by": by, "plan_file": session.plan_file})
    return session


async def _may_stop(ws: Workspace, session_id: str) -> bool:
    question = Question(
        name="stop",
        question="Switch to Plan? Work in progress will stop; the plan stays where it is.",
        severity="major",
        options=(
            Option(label="Stop and switch", value=True, variant="danger"),
            Option(label="Keep working", value=False),
        ),
    )
    ended = await ask_user(ws, session_id, (question,), "confirm", f"{MOMENTARY}stop {ws.ports.ids.uuid7()}")
    return ended.status == "answered" and ended.answers["stop"] is True
