"""Do what a word of the chat says, by the same workflow as its command. What comes of it is told in words, too."""

import shlex
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from planact.agent.context import in_context
from planact.agent.loop import TurnResult
from planact.base.errors import Conflict, InvalidInput
from planact.base.text import one_line
from planact.model.notice import ToolNotice
from planact.model.rights.permission import Mode, parse_mode
from planact.model.runs.execution import Execution
from planact.plan.syntax.code_span import fenced
from planact.plan.templates.template import suggested_values
from planact.policy.rights import MODE_MEANINGS, MODE_TITLES
from planact.workflows.chat.slash_commands import SLASH_COMMANDS, SlashCommandCall
from planact.workflows.plans.archive import delete_plan
from planact.workflows.plans.library import WHOSE, PlanDocument, list_plans, pick_plan, plan_name, read_document
from planact.workflows.plans.unreadable import unreadable_plans
from planact.workflows.runs.execute import Confirmation, execute_plan
from planact.workflows.runs.make_plan import make_plan, result_of_planning
from planact.workflows.runs.plan_and_act import PlanAndExecution, plan_and_act, turn_result
from planact.workflows.runs.queued_messages import said_by_user
from planact.workflows.runs.resume import find_run, resume_execution
from planact.workflows.sessions.choose_model import choose_model, model_name, model_warning
from planact.workflows.sessions.context import own_transcript
from planact.workflows.sessions.instructions import find_instructions
from planact.workflows.sessions.manage import new_session
from planact.workflows.sessions.roles import list_roles, load_roles, set_role
from planact.workflows.sessions.switch_mode import switch_mode
from planact.workflows.templates import create_template, find_template, list_templates, use_template
from planact.workflows.turns.compact import compact
from planact.workflows.turns.take_turn import TurnTaken
from planact.workflows.undo.rewind import rewind
from planact.workflows.undo.roll_back import FilesMovedOn, RollbackTarget, roll_back, rollback_text
from planact.workflows.workspace import Workspace

_LONGEST = 160

_NO_EFFECT = "acceptall changes nothing in Plan."

SlashCommandValue = TurnTaken | PlanDocument | Execution | PlanAndExecution | str
"""Result of a slash command; a text is for the user alone."""


@dataclass(frozen=True, slots=True)
class SlashCommandResult:
    """Result of a slash command; `session_id` is another one after `/new`."""

    session_id: str
    came: SlashCommandValue

    @property
    def result(self) -> TurnResult:
        """Return the result in the form that other messages have."""
        match self.came:
            case str(text):
                return TurnResult("finished", text)
            case TurnTaken(written=written, offer=offer) as taken:
                result = result_of_planning(taken)
                text = result.text if written is None else _made(written)
                return TurnResult(result.kind, text, offer or result.reason)
            case PlanDocument() as document:
                return TurnResult("finished", _made(document))
            case PlanAndExecution(document=document, execution=execution):
                not_run = f"{_made(document)}. It was not executed."
                return turn_result(execution) if execution else TurnResult("finished", not_run)
            case Execution() as execution:
                return turn_result(execution)
        assert_never(self.came)


@dataclass(frozen=True, slots=True)
class _Chat:
    ws: Workspace
    session_id: str


async def handle_slash_command(ws: Workspace, session_id: str, said: SlashCommandCall) -> SlashCommandResult:
    """Do what the word says, in a session.

    Raises:
        What the workflow of its command raises; `Stopped`, when the user stops it.
    """
    if said.name == "/new":
        return SlashCommandResult(new_session(ws).id, "A new session.")
    return SlashCommandResult(session_id, await _HANDLERS[said.name](_Chat(ws, session_id), said.argument))


async def _plan(chat: _Chat, request: str) -> SlashCommandValue:
    ws, session_id = chat.ws, chat.session_id
    await switch_mode(ws, session_id, Mode.PLAN, confirm_stop=None)
    first, *rest = request.split(None, 1)
    if first == "acceptall":
        request = " ".join(rest)
        ws.add_message(session_id, "system", _NO_EFFECT)
        ws.ports.editor.notify(ToolNotice(session_id, "acceptall", _NO_EFFECT))
    taken = await make_plan(ws, session_id, request)
    if taken.written is not None and taken.result.kind == "accepted":
        return await execute_plan(ws, session_id, taken.written.path, Confirmation.UNLESS_APPROVED)
    return taken


async def _plan_and_act(chat: _Chat, request: str) -> SlashCommandValue:
    await switch_mode(chat.ws, chat.session_id, Mode.PLAN, confirm_stop=None)
    return await plan_and_act(chat.ws, chat.session_id, request)


async def _act(chat: _Chat, plan_id: str) -> SlashCommandValue:
    document = pick_plan(chat.ws, plan_id, chat.session_id)
    confirmation = Confirmation.UNLESS_APPROVED if plan_id else Confirmation.ASK
    return await execute_plan(chat.ws, chat.session_id, document.path, confirmation)


async def _resume(chat: _Chat, name: str) -> SlashCommandValue:
    return await resume_execution(chat.ws, chat.session_id, find_run(chat.ws, name))


async def _undo(chat: _Chat, step: str) -> SlashCommandValue:
    if step and not step.isdecimal():
        raise InvalidInput("INVALID_ARGUMENTS", f"{step!r} is no number of a step", "Write: /undo [STEP]")
    try:
        done = await roll_back(chat.ws, chat.session_id, RollbackTarget(step=int(step) if step else None))
    except FilesMovedOn as moved_on:
        return f"Nothing was rolled back: {moved_on.message}. {moved_on.hint}\n\n{fenced(moved_on.diff, 'diff')}"
    return rollback_text(done)


async def _compact(chat: _Chat, _argument: str) -> SlashCommandValue:
    done = await compact(chat.ws, chat.session_id)
    if done.message is None:
        return "There is nothing to leave out yet."
    return f"The model reads about {done.after} tokens of this conversation now, instead of {done.before}."


async def _plans(chat: _Chat, _argument: str) -> SlashCommandValue:
    plans = list_plans(chat.ws)
    rows = (
        f"{plan_name(plan.id, plan.path)} · {plan.status} {plan.steps_done}/{plan.steps_total} · {_line(plan.goal)}"
        f"{'' if plan.origin == 'own' else f' · {WHOSE[plan.origin]}'}"
        for plan in plans
    )
    problems = (f"! {_line(failure.message)} [{failure.code}]" for failure in unreadable_plans(chat.ws).values())
    return _listed([*rows, *problems], "There are no plans in this folder.")


async def _show_plan(chat: _Chat, plan_id: str) -> SlashCommandValue:
    return (_in_hand(chat) if not plan_id else pick_plan(chat.ws, plan_id)).file.text.rstrip("\n")


async def _delete_plan(chat: _Chat, plan_id: str) -> SlashCommandValue:
    document = pick_plan(chat.ws, plan_id)
    await delete_plan(chat.ws, chat.session_id, document)
    return f"Deleted {document.path}"


async def _templates(chat: _Chat, _argument: str) -> SlashCommandValue:
    known, problems = list_templates(chat.ws)
    rows = [f"{each.template.name} · {_line(each.template.description)}" for each in known]
    return _listed([*rows, *(f"! {problem}" for problem in problems)], "There are no templates.")


async def _show_template(chat: _Chat, name: str) -> SlashCommandValue:
    return find_template(chat.ws, name).template.tree.text.rstrip("\n")


async def _use_template(chat: _Chat, argument: str) -> SlashCommandValue:
    ws, session_id = chat.ws, chat.session_id
    name, values = _name_and_values(argument)
    template = find_template(ws, name).template
    await switch_mode(ws, session_id, Mode.PLAN, confirm_stop=None)
    ws.check_idle(session_id)
    return await use_template(ws, session_id, template, values)


async def _create_template(chat: _Chat, argument: str) -> SlashCommandValue:
    said = _template_options(argument)
    plan = pick_plan(chat.ws, said["--from-plan"]) if "--from-plan" in said else _in_hand(chat)
    name, parameters = said.get("--name", ""), _name_and_values(f"x {said.get('--parameter', '')}")[1]
    about, category = said.get("--description", ""), said.get("--category", "custom")
    document = await create_template(chat.ws, chat.session_id, plan, name, about, parameters, category)
    offered = {} if parameters else suggested_values(plan.tree)
    pairs = " ".join(f"-p {shlex.quote(f'{each}={text}')}" for each, text in offered.items())
    more = f" These could be parameters: {pairs}" if offered else ""
    return f"The template is in {document.path}. Use it: /template use {name}.{more}"


async def _mode(chat: _Chat, name: str) -> SlashCommandValue:
    mode = parse_mode(name) if name else chat.ws.ports.sessions.get(chat.session_id).mode
    if mode is None:
        raise InvalidInput("INVALID_ARGUMENTS", f"there is no mode {name!r}", "The modes are plan and act.")
    await switch_mode(chat.ws, chat.session_id, mode, confirm_stop=None)
    return f"{MODE_TITLES[mode]}: {MODE_MEANINGS[mode]}"


async def _role(chat: _Chat, name: str) -> SlashCommandValue:
    if name:
        return f"The role is {set_role(chat.ws, chat.session_id, name).role}."
    now, (roles, problems) = chat.ws.ports.sessions.get(chat.session_id).role, list_roles(chat.ws)
    rows = [
        f"{role.name}{' (at work)' if role.name == now else ''} · {role.mode.value} · {role.description}"
        for role in roles
    ]
    return _listed([*rows, *(f"! {problem.message}" for problem in problems)], "")


async def _model(chat: _Chat, name: str) -> SlashCommandValue:
    if name:
        choose_model(chat.ws, chat.session_id, name)
    now = model_name(chat.ws, chat.session_id)
    return f"The model is {now or 'not chosen yet'}. {model_warning(chat.ws, name) if name else ''}".rstrip()


async def _accept_all(chat: _Chat, argument: str) -> SlashCommandValue:
    ws = chat.ws
    if argument not in ("", "off"):
        raise InvalidInput("INVALID_ARGUMENTS", f"/acceptall {argument} means nothing", "Write: /acceptall [off]")
    if argument:
        ws.accepting.discard(chat.session_id)
        return "You are asked again, as the setting approval says."
    if ws.is_strict:
        hint = "Remove `approval` from it, or trust the folder."
        raise Conflict("NOT_CONFIRMED", "this folder's config.toml says that you are to be asked", hint)
    if ws.ports.sessions.get(chat.session_id).mode is Mode.PLAN:
        return f"{_NO_EFFECT} Say it again in Act."
    ws.accepting.add(chat.session_id)
    ws.add_message(chat.session_id, "system", "From now on all actions inside the folder run without a question.")
    return (
        "In Act all actions inside the folder run without a question, in this session, until planact ends or you "
        "write /acceptall off."
    )


async def _status(chat: _Chat, _argument: str) -> SlashCommandValue:
    ws, session = chat.ws, chat.ws.ports.sessions.get(chat.session_id)
    read, model = await load_roles([ws], lambda: (find_instructions(ws), model_name(ws, chat.session_id)))
    transcript = in_context(own_transcript(ws, chat.session_id))
    nested = [message.metadata["instructions_of"] for message in transcript if "instructions_of" in message.metadata]
    named = ", ".join([*(name for name, _ in read), *nested])
    return _listed(
        [
            f"Mode: {MODE_TITLES[session.mode]}",
            f"Role: {session.role}",
            f"Model: {model or 'not chosen yet'}",
            f"Plan in hand: {session.plan_file or 'none'}",
            f"Asks: {ws.approval(chat.session_id)} (setting approval)",
            f"Commands run in: {ws.ports.runner.describe()}",
            f"Instructions of the repository: {named or 'none'}",
        ],
        "",
    )


async def _cost(chat: _Chat, _argument: str) -> SlashCommandValue:
    usage = chat.ws.ports.sessions.get(chat.session_id).usage
    return "\n".join([f"{usage.in_words()}.", *(f"- {part}" for part in usage.parts_in_words())])


async def _rewind(chat: _Chat, number: str) -> SlashCommandValue:
    said = said_by_user(chat.ws, chat.session_id)
    if not number:
        rows = [f"{at} · {_line(message.typed)}" for at, message in enumerate(said, 1)]
        return _listed(rows, "You have written no message here yet.")
    if not number.isdecimal() or not 0 < int(number) <= len(said):
        hint = f"Write a number from 1 to {len(said)}." if said else "You have written no message here yet."
        raise InvalidInput("INVALID_ARGUMENTS", f"there is no message {number}", hint)
    done = await rewind(chat.ws, chat.session_id, said[int(number) - 1].id)
    files = f" Put back: {', '.join(done.files)}." if done.files else ""
    stayed = f" Not put back: {', '.join(done.stayed)}." if done.stayed else ""
    return f"Back to before what you wrote:{files}{stayed}\n\n{done.text}"


async def _stop(chat: _Chat, _argument: str) -> SlashCommandValue:
    return "Stopped." if await chat.ws.stop(chat.session_id) else "Nothing runs."


async def _help(_talk: _Chat, _argument: str) -> SlashCommandValue:
    return (
        _listed([f"{word.usage}: {word.meaning}" for word in SLASH_COMMANDS], "")
        + "\n\nAnything else goes to the agent."
    )


_HANDLERS: Mapping[str, Callable[[_Chat, str], Awaitable[SlashCommandValue]]] = {
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
    "/status": _status,
    "/cost": _cost,
    "/rewind": _rewind,
    "/stop": _stop,
    "/help": _help,
}


def _in_hand(chat: _Chat) -> PlanDocument:
    """Return the session's plan, even when all its steps are done."""
    path = chat.ws.ports.sessions.get(chat.session_id).plan_file
    return read_document(chat.ws, path) if path else pick_plan(chat.ws, "", chat.session_id)


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


_TEMPLATE_OPTIONS = {"-n": "--name", "-d": "--description", "-p": "--parameter", "-c": "--category"}


def _template_options(argument: str) -> Mapping[str, str]:
    """The options of `/template create` by their long names; a word alone is the name, each `-p` adds one parameter."""
    hint = "Write: /template create [--from-plan ID] -n NAME [-d TEXT] [-p PARAMETER=TEXT] [-c CATEGORY]"
    try:
        words = iter(shlex.split(argument))
    except ValueError as error:
        raise InvalidInput("INVALID_ARGUMENTS", "a quotation mark has no partner", hint) from error
    said: dict[str, str] = {}
    for word in words:
        option = _TEMPLATE_OPTIONS.get(word, word)
        if option not in ("--from-plan", *_TEMPLATE_OPTIONS.values()):
            if option.startswith("-") or "--name" in said:
                raise InvalidInput("INVALID_ARGUMENTS", f"/template create doesn't know {word!r}", hint)
            said["--name"] = word
            continue
        value = next(words, None)
        if value is None:
            raise InvalidInput("INVALID_ARGUMENTS", f"{word} has no value", hint)
        said[option] = f"{said.get(option, '')} {shlex.quote(value)}" if option == "--parameter" else value
    return said


def _made(document: PlanDocument) -> str:
    goal = document.plan.goal if document.plan else ""
    return f"Plan: {_line(goal)}, in {document.path}"


def _listed(rows: Sequence[str], nothing: str) -> str:
    """As a list in Markdown, which reads well as it is, too."""
    return "\n".join(f"- {row}" for row in rows) or nothing


def _line(text: str) -> str:
    return one_line(text, _LONGEST)
