"""A conversation at the terminal, with a few words that begin with a slash. Between two turns nothing runs."""

import sys
from collections.abc import Callable
from dataclasses import dataclass

from planact.base.errors import InvalidInput, PlanactError
from planact.cli.call import Exit, Result, failure
from planact.cli.engine import Engine
from planact.cli.screen import printable
from planact.cli.show import plans_text
from planact.cli.trips import act_on, plan_and_act_on, plan_for, say
from planact.model.permission import Mode, parse_mode
from planact.model.session import Session
from planact.policy.modes import MODE_MEANINGS, MODE_TITLES
from planact.workflows.choose_model import check_model
from planact.workflows.execute_plan import Confirmation
from planact.workflows.library import list_plans
from planact.workflows.roles import list_roles, set_role
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


def open_session(engine: Engine, session_id: str, mode: str | None, *, last: bool) -> Session:
    """The session asked for, or a new one, in the mode asked for."""
    session = engine.session(session_id, last=last)
    if session is None:
        begins_in = Mode(mode or engine.ws.settings.start_mode)
        check_model(engine.ws, begins_in)
        return new_session(engine.ws, begins_in)
    return engine.do(switch_mode(engine.ws, session.id, Mode(mode), confirm_stop=None)) if mode else session


def talk(engine: Engine, session: Session) -> Result:
    """Talk until the user leaves."""
    talk_ = Talk(engine, session.id)
    engine.screen.line("/help tells what you can write here; Ctrl-D leaves.")
    while (line := _read(talk_)) is not None:
        if not line.strip():
            continue
        if line.strip() in ("/quit", "/exit"):
            break
        try:
            result = _take(talk_, line.strip())
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
        engine.screen.line(result.next_step.replace("planact act ", "/act "))  # what is a command elsewhere


def _take(talk_: Talk, line: str) -> Result:
    if not line.startswith("/"):
        return say(talk_.engine, talk_.session, line)
    word, _, rest = line.partition(" ")
    found = next((each for each in WORDS if each.word == word), None)
    if found is None:
        raise InvalidInput("INVALID_ARGUMENTS", f"there is no word {word}", "/help lists them.")
    return found.run(talk_, rest.strip())


def _plan(talk_: Talk, request: str) -> Result:
    _switch(talk_, Mode.PLAN)
    return plan_for(talk_.engine, talk_.session_id, request.removeprefix("acceptall ").strip())


def _act(talk_: Talk, plan_id: str) -> Result:
    document = talk_.engine.plan(plan_id, talk_.session_id)
    confirmation = Confirmation.UNLESS_APPROVED if plan_id else Confirmation.ASK
    return act_on(talk_.engine, document, confirmation, session_id=talk_.session_id)


def _plan_and_act(talk_: Talk, request: str) -> Result:
    _switch(talk_, Mode.PLAN)
    return plan_and_act_on(talk_.engine, talk_.session_id, request, waits=True)


def _plans(talk_: Talk, _rest: str) -> Result:
    plans = list_plans(talk_.engine.ws)
    return Result(Exit.DONE, {}, plans_text(plans) if plans else "There are no plans in this folder.")


def _mode(talk_: Talk, name: str) -> Result:
    mode = parse_mode(name) if name else talk_.session.mode
    if mode is None:
        raise InvalidInput("INVALID_ARGUMENTS", f"there is no mode {name!r}", "The modes are plan and act.")
    _switch(talk_, mode)
    return Result(Exit.DONE, {}, f"{MODE_TITLES[mode]}: {MODE_MEANINGS[mode]}")


def _role(talk_: Talk, name: str) -> Result:
    ws = talk_.engine.ws
    if name:
        role = set_role(ws, talk_.session_id, name).role
        return Result(Exit.DONE, {}, f"The role is {role}.")
    now, (roles, problems) = talk_.session.role, list_roles(ws)
    lines = [f"{'*' if r.name == now else ' '} {r.name:<14}{r.mode.value:<6}{r.description}" for r in roles]
    return Result(Exit.DONE, {}, "\n".join([*lines, *(f"! {problem.message}" for problem in problems)]))


def _switch(talk_: Talk, mode: Mode) -> None:
    engine = talk_.engine
    engine.do(switch_mode(engine.ws, talk_.session_id, mode, confirm_stop=None))


def _new(talk_: Talk, _rest: str) -> Result:
    talk_.session_id = new_session(talk_.engine.ws).id
    return Result(Exit.DONE, {}, "A new session.")


def _help(_talk: Talk, _rest: str) -> Result:
    lines = [f"{each.word + ' ' + each.argument:<22}{each.meaning}" for each in WORDS]
    return Result(Exit.DONE, {}, "\n".join([*lines, f"{'/quit':<22}leave", "Anything else goes to the agent."]))


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the conversation."""

    word: str
    argument: str
    meaning: str
    run: Callable[[Talk, str], Result]


WORDS = (
    Word("/plan", "REQUEST", "make a plan", _plan),
    Word("/act", "[ID]", "carry out a plan; without an id the latest", _act),
    Word("/planandact", "REQUEST", "make a plan and carry it out if it is safe, else ask", _plan_and_act),
    Word("/plans", "", "list the plans", _plans),
    Word("/mode", "[plan|act]", "show or switch the mode", _mode),
    Word("/role", "[NAME]", "list the roles, or have one work from now on", _role),
    Word("/new", "", "begin a new session", _new),
    Word("/help", "", "this list", _help),
)
