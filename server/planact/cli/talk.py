"""A conversation at the terminal, with a few words that begin with a slash. Between two turns nothing runs."""

import sys
from dataclasses import dataclass

from planact.base.errors import PlanactError
from planact.cli.call import Exit, Result, failure
from planact.cli.engine import Engine
from planact.cli.screen import printable
from planact.cli.trips import hear
from planact.model.permission import Mode
from planact.model.session import Session
from planact.policy.modes import MODE_TITLES
from planact.workflows.choose_model import check_model, choose_model
from planact.workflows.sessions import new_session
from planact.workflows.switch_mode import switch_mode


@dataclass(slots=True)
class Talk:
    """The conversation; `session_id` changes when a new one begins."""

    engine: Engine
    session_id: str

    @property
    def session(self) -> Session:
        """As it is now."""
        return self.engine.ws.ports.sessions.get(self.session_id)


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


def talk(engine: Engine, session: Session) -> Result:
    """Talk until the user leaves."""
    talk_ = Talk(engine, session.id)
    engine.screen.line("/help tells what you can write here; /quit or Ctrl-D leaves.")
    while (line := _read(talk_)) is not None:
        if not line.strip():
            continue
        if line.strip() in ("/quit", "/exit"):
            break
        try:
            result = _take(talk_, line)
        except PlanactError as error:
            result = failure(error)
            engine.screen.line(f"! {error}")
        _show(engine, result)
    next_step = f"Go on with: planact chat --session {talk_.session_id}"
    return Result(Exit.DONE, {"session_id": talk_.session_id}, next_step=next_step)


def _read(talk_: Talk) -> str | None:
    """A line; None when the user leaves."""
    try:
        import readline  # noqa: F401 - importing it lets `input` be edited

        return input(f"{MODE_TITLES[talk_.session.mode].lower()} › ")
    except EOFError:
        print(file=sys.stderr)
        return None
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return ""


def _show(engine: Engine, result: Result) -> None:
    if result.text and not result.is_seen:
        print(printable(result.text), flush=True)
    if result.next_step:
        words = result.next_step.replace("planact act ", "/act ").replace("planact resume ", "/resume ")
        engine.screen.line(words)  # what is a command elsewhere


def _take(talk_: Talk, line: str) -> Result:
    result = hear(talk_.engine, talk_.session, line)
    talk_.session_id = result.data.get("session_id", talk_.session_id)
    return result
