"""Beginning of a conversation: its session, warnings and first line."""

from planact.cli.arguments import place_of
from planact.cli.engine import Engine
from planact.model.chat.message import Session
from planact.model.rights.permission import Mode
from planact.policy.rights import MODE_TITLES
from planact.workflows.history.half_calls import HALF_CALL_NEXT_STEP, find_half_calls
from planact.workflows.history.interruption import find_interrupted_rollbacks, rollback_next_step, rollback_warning
from planact.workflows.sessions.choose_model import check_model, choose_model, model_name
from planact.workflows.sessions.manage import new_session, start_mode
from planact.workflows.sessions.roles import mode_of_role
from planact.workflows.sessions.switch_mode import switch_mode


def open_session(engine: Engine, session_id: str, mode: str | None, model: str, *, last: bool, role: str) -> Session:
    """Return the session of the options, or a new one, switched to the mode and model of the options. Without a mode, a
    new one begins in that of `role`, the one that the user is about to choose.
    """
    session = engine.session(session_id, last=last)
    if session is None:
        begins_in = Mode(mode) if mode else mode_of_role(engine.ws, role) or start_mode(engine.ws)
        check_model(engine.ws, begins_in)
        return new_session(engine.ws, begins_in)
    if session.model and model:  # --model wins over the session's choice
        session = choose_model(engine.ws, session.id, model)
    return engine.do(switch_mode(engine.ws, session.id, Mode(mode), confirm_stop=None)) if mode else session


def warnings(engine: Engine) -> list[str]:
    """Return one line for each interrupted rollback or call, which the user has to know of first."""
    told = [f"! {call.warning}. {HALF_CALL_NEXT_STEP}" for call in find_half_calls(engine.ws)]
    runs = find_interrupted_rollbacks(engine.ws)
    return [*told, *(f"! {rollback_warning(run)}. {rollback_next_step(run)}" for run in runs)]


def header(engine: Engine, session: Session) -> tuple[str, str]:
    """Return the two parts of the first line: mode, model and folder on the left, the sandbox on the right."""
    model = model_name(engine.ws, session.id) or "no model"
    place = place_of(engine.root, engine.home)
    left = f"planact · {MODE_TITLES[session.mode].lower()} · {model} · {place}"
    return left, f"sandbox: {engine.ws.ports.runner.describe()}"
