"""How a conversation begins: in which session, and with which first line."""

from planact.cli.engine import Engine
from planact.cli.request import place_of
from planact.model.permission import Mode
from planact.model.session import Session
from planact.policy.modes import MODE_TITLES
from planact.workflows.choose_model import check_model, choose_model, model_name
from planact.workflows.half_rolled_back import half_rolled_back, next_step_of, said_of
from planact.workflows.sessions import new_session
from planact.workflows.switch_mode import switch_mode


def open_session(engine: Engine, session_id: str, mode: str | None, model: str, *, last: bool) -> Session:
    """The session asked for, or a new one, in the mode and with the model asked for."""
    session = engine.session(session_id, last=last)
    if session is None:
        begins_in = Mode(mode or engine.ws.settings.start_mode)
        check_model(engine.ws, begins_in)
        return new_session(engine.ws, begins_in)
    if session.model and model:  # what the user says now counts more than what they chose in the session
        session = choose_model(engine.ws, session.id, model)
    return engine.do(switch_mode(engine.ws, session.id, Mode(mode), confirm_stop=None)) if mode else session


def warnings(engine: Engine) -> list[str]:
    """What the user has to know before they begin, in a line each."""
    return [f"! {said_of(run)}. {next_step_of(run)}" for run in half_rolled_back(engine.ws)]


def header(engine: Engine, session: Session) -> tuple[str, str]:
    """The first line: on the left the mode, the model and the folder, on the right what holds commands."""
    model = model_name(engine.ws, session.id) or "no model"
    place = place_of(engine.root, engine.home)
    left = f"planact · {MODE_TITLES[session.mode].lower()} · {model} · {place}"
    return left, f"sandbox: {engine.ws.ports.runner.describe()}"
