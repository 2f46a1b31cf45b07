"""Do what a word of the chat says, by the same workflow as its command. What comes of it is told in words, too."""

import shlex
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from planact.agent.loop import TurnResult
from planact.base.errors import Conflict, InvalidInput
from planact.base.text import one_line
from planact.model.execution import Execution
from planact.model.permission import Mode, parse_mode
from planact.plan.code_span import fenced
from planact.policy.modes import MODE_MEANINGS, MODE_TITLES
from planact.workflows.chat_words import WORDS, SaidWord
from planact.workflows.choose_model import choose_model, model_name
from planact.workflows.compact import compact
from planact.workflows.delete_plan import delete_plan
from planact.workflows.execute_plan import Confirmation, execute_plan
from planact.workflows.library import PlanDocument, list_plans, pick_plan, read_document
from planact.workflows.make_plan import make_plan, turn_of
from planact.workflows.plan_and_act import PlannedAndActed, plan_and_act
from planact.workflows.queued import said_by_user
from planact.workflows.resume_execution import resume_execution, run_called
from planact.workflows.rewind import rewind
from planact.workflows.roles import list_roles, set_role
from planact.workflows.roll_back import FilesMovedOn, Wanted, roll_back, rollback_text
from planact.workflows.sessions import new_session
from planact.workflows.switch_mode import switch_mode
from planact.workflows.take_turn import TurnTaken
from planact.workflows.templates import create_template, find_template, list_templates, use_template
from planact.workflows.workspace import Workspace

_LONGEST = 160

Came = TurnTaken | PlanDocument | Execution | PlannedAndActed | str
"""What came of a word; a text is for the user alone."""


@dataclass(frozen=True, slots=True)
class Heeded:
    """What came of a word; `session_id` is another one after `/new`."""

    session_id: str
    came: Came

    @property
    def result(self) -> TurnResult:
        """The same as of any other message."""
        match self.came:
            case str(text):
                return TurnResult("finished", text)
            case TurnTaken(result=result, written=written, offer=offer):
                text = result.text if written is None else _made(written)
                return TurnResult(result.kind, text, offer or result.reason)
            case PlanDocument() as document:
                return TurnResult("finished", _made(document))
            case PlannedAndActed(document=document, execution=execution):
                not_run = f"{_made(document)}. It was not executed."
                return turn_of(execution) if execution else TurnResult("finished", not_run)
            case Execution() as execution:
                return turn_of(execution)
        assert_never(self.came)


@dataclass(frozen=True, slots=True)
class _Talk:
    ws: Workspace
    session_id: str


async def heed_word(ws: Workspace, session_id: str, said: SaidWord) -> Heeded:
    """Do what the word says, in a session.

    Raises:
        What the workflow of its command raises; `Stopped`, when the user stops it.
    """
    if said.name == "/new":
        return Heeded(new_session(ws).id, "A new session.")
    return Heeded(session_id, await _DEEDS[said.name](_Talk(ws, session_id), said.argument))


async def _plan(talk: _Talk, request: str) -> Came:
    ws, session_id = talk.ws, talk.session_id
    await switch_mode(ws, session_id, Mode.PLAN, confirm_stop=None)
    first, *rest = request.split(None, 1)
    taken = await make_plan(
        ws, session_id, " ".join(rest) if first == "acceptall" else request
    )  # that is inert in Plan
    if taken.written is not None and taken.result.kind == "accepted":
        return await execute_plan(ws, session_id, taken.written.path, Confirmation.UNLESS_APPROVED)
    return taken


async def _plan_and_act(talk: _Talk, request: str) -> Came:
    await switch_mode(talk.ws, talk.session_id, Mode.PLAN, confirm_stop=None)
    return await plan_and_act(talk.ws, talk.session_id, request)


async def _act(talk: _Talk, plan_id: str) -> Came:
    document = pick_plan(talk.ws, plan_id, talk.session_id)
    confirmation = Confirmation.UNLESS_APPROVED if plan_id else Confirmation.ASK
    return await execute_plan(talk.ws, talk.session_id, document.path, confirmation)


async def _resume(talk: _Talk, name: str) -> Came:
    return await resume_execution(talk.ws, talk.session_id, run_called(talk.ws, name))


async def _undo(talk: _Talk, step: str) -> Came:
    if step and not step.isdecimal():
        raise InvalidInput("INVALID_ARGUMENTS", f"{step!r} is no number of a step", "Write: /undo [STEP]")
    try:
        done = await roll_back(talk.ws, talk.session_id, Wanted(step=int(step) if step else None))
    except FilesMovedOn as moved_on:
        return f"Nothing was taken back: {moved_on.message}. {moved_on.hint}\n\n{fenced(moved_on.diff, 'diff')}"
    return rollback_text(done)


async def _compact(talk: _Talk, _argument: str) -> Came:
    done = await compact(talk.ws, talk.session_id)
    if done.message is None:
        return "There is nothing to leave out yet."
    return f"The model reads about {done.after} tokens of this conversation now, instead of {done.before}."


async def _plans(talk: _Talk, _argument: str) -> Came:
    plans = list_plans(talk.ws)
    rows = (f"{plan.id} · {plan.status} {plan.steps_done}/{plan.steps_total} · {_line(plan.goal)}" for plan in plans)
    return _listed([*rows], "There are no plans in this folder.")


async def _show_plan(talk: _Talk, plan_id: str) -> Came:
    return (_in_hand(talk) if not plan_id else pick_plan(talk.ws, plan_id)).file.text.rstrip("\n")


async def _delete_plan(talk: _Talk, plan_id: str) -> Came:
    document = pick_plan(talk.ws, plan_id)
    await delete_plan(talk.ws, talk.session_id, document)
    return f"Deleted {document.path}"


async def _templates(talk: _Talk, _argument: str) -> Came:
    known, problems = list_templates(talk.ws)
    rows = [f"{each.template.name} · {_line(each.template.description)}" for each in known]
    return _listed([*rows, *(f"! {problem}" for problem in problems)], "There are no templates.")


async def _show_template(talk: _Talk, name: str) -> Came:
    return find_template(talk.ws, name).template.tree.text.rstrip("\n")


async def _use_template(talk: _Talk, argument: str) -> Came:
    ws, session_id = talk.ws, talk.session_id
    name, values = _name_and_values(argument)
    template = find_template(ws, name).template
    await switch_mode(ws, session_id, Mode.PLAN, confirm_stop=None)
    ws.check_idle(session_id)
    return await use_template(ws, session_id, template, values)


async def _create_template(talk: _Talk, name: str) -> Came:
    document = await create_template(talk.ws, talk.session_id, _in_hand(talk), name, "", {})
    return f"The template is in {document.path}. Use it: /template use {name}"


async def _mode(talk: _Talk, name: str) -> Came:
    mode = parse_mode(name) if name else talk.ws.ports.sessions.get(talk.session_id).mode
    if mode is None:
        raise InvalidInput("INVALID_ARGUMENTS", f"there is no mode {name!r}", "The modes are plan and act.")
    await switch_mode(talk.ws, talk.session_id, mode, confirm_stop=None)
    return f"{MODE_TITLES[mode]}: {MODE_MEANINGS[mode]}"


async def _role(talk: _Talk, name: str) -> Came:
    if name:
        return f"The role is {set_role(talk.ws, talk.session_id, name).role}."
    now, (roles, problems) = talk.ws.ports.sessions.get(talk.session_id).role, list_roles(talk.ws)
    rows = [
        f"{role.name}{' (at work)' if role.name == now else ''} · {role.mode.value} · {role.description}"
        for role in roles
    ]
    return _listed([*rows, *(f"! {problem.message}" for problem in problems)], "")


async def _model(talk: _Talk, name: str) -> Came:
    if name:
        choose_model(talk.ws, talk.session_id, name)
    return f"The model is {model_name(talk.ws, talk.session_id) or 'not chosen yet'}."


async def _accept_all(talk: _Talk, argument: str) -> Came:
    ws = talk.ws
    if argument not in ("", "off"):
        raise InvalidInput("INVALID_ARGUMENTS", f"/acceptall {argument} means nothing", "Write: /acceptall [off]")
    if argument:
        ws.accepting.discard(talk.session_id)
        return "You are asked again, as the setting approval says."
    if ws.is_strict:
        hint = "Remove `approval` from it, or trust the folder."
        raise Conflict("NOT_CONFIRMED", "this folder's config.toml says that you are to be asked", hint)
    ws.accepting.add(talk.session_id)
    ws.say(talk.session_id, "system", "From now on everything inside the folder is done without a question.")
    in_plan = ws.ports.sessions.get(talk.session_id).mode is Mode.PLAN
    return (
        "In Act everything inside the folder is done without a question, in this session until planact ends or you "
        f"say /acceptall off.{' It changes nothing in Plan.' if in_plan else ''}"
    )


async def _cost(talk: _Talk, _argument: str) -> Came:
    usage = talk.ws.ports.sessions.get(talk.session_id).usage
    return "\n".join([f"{usage.in_words()}.", *(f"- {part}" for part in usage.parts_in_words())])


async def _rewind(talk: _Talk, number: str) -> Came:
    said = said_by_user(talk.ws, talk.session_id)
    if not number:
        rows = [f"{at} · {_line(message.typed)}" for at, message in enumerate(said, 1)]
        return _listed(rows, "You wrote nothing here yet.")
    if not number.isdecimal() or not 0 < int(number) <= len(said):
        hint = f"Write a number from 1 to {len(said)}." if said else "You wrote nothing here yet."
        raise InvalidInput("INVALID_ARGUMENTS", f"there is no message {number}", hint)
    done = await rewind(talk.ws, talk.session_id, said[int(number) - 1].id)
    files = f" Put back: {', '.join(done.files)}." if done.files else ""
    stayed = f" Not put back: {', '.join(done.stayed)}." if done.stayed else ""
    return f"Back to before what you wrote:{files}{stayed}\n\n{done.text}"


async def _stop(talk: _Talk, _argument: str) -> Came:
    return "Stopped." if await talk.ws.stop(talk.session_id) else "Nothing runs."


async def _help(_talk: _Talk, _argument: str) -> Came:
    return _listed([f"{word.usage}: {word.meaning}" for word in WORDS], "") + "\n\nAnything else goes to the agent."


_DEEDS: Mapping[str, Callable[[_Talk, str], Awaitable[Came]]] = {
    "/plan": _plan,
    "/plans": _plans,
    "/plan show": _show_plan,
    "/plan delete": _delete_plan,
    "/act": _act,
    "/resume": _resume,
    "/planandact": _plan_and_act,
    "/template list": _templates,
    "/template show": _show_template,
    "/template use": _use_template,
    "/template create": _create_template,
    "/mode": _mode,
    "/role": _role,
    "/model": _model,
    "/acceptall": _accept_all,
    "/undo": _undo,
    "/compact": _compact,
    "/cost": _cost,
    "/rewind": _rewind,
    "/stop": _stop,
    "/help": _help,
}


def _in_hand(talk: _Talk) -> PlanDocument:
    """The session's plan, also when nothing is left of it to do."""
    path = talk.ws.ports.sessions.get(talk.session_id).plan_file
    return read_document(talk.ws, path) if path else pick_plan(talk.ws, "", talk.session_id)


def _name_and_values(argument: str) -> tuple[str, Mapping[str, str]]:
    try:
        name, *pairs = shlex.split(argument)
    except ValueError as error:
        raise InvalidInput("INVALID_ARGUMENTS", "a quotation mark has no partner", "Write both, or none.") from error
    split = [pair.partition("=") for pair in pairs]
    values = {key: value for key, _, value in split}
    if len(values) < len(pairs) or not all(key and equals for key, equals, _ in split):
        hint = "Write PARAMETER=VALUE, once for each, in quotation marks where there are spaces."
        raise InvalidInput("INVALID_ARGUMENTS", f"the values of the template {name} can't be read", hint)
    return name, values


def _made(document: PlanDocument) -> str:
    goal = document.plan.goal if document.plan else ""
    return f"Plan: {_line(goal)}, in {document.path}"


def _listed(rows: Sequence[str], nothing: str) -> str:
    """As a list in Markdown, which reads well as it is, too."""
    return "\n".join(f"- {row}" for row in rows) or nothing


def _line(text: str) -> str:
    return one_line(text, _LONGEST)
