"""Templates: those that ship with planact and the workspace's own, and plans made from them."""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Any

from planact.base.errors import Conflict, InvalidInput, NotFound
from planact.base.sources import new_plan_id
from planact.base.span import apply_edits
from planact.base.text import one_line
from planact.model.chat.message import ToolCall
from planact.model.notice import ToolNotice
from planact.model.question import MOMENTARY, Question
from planact.model.runs.change import DeleteFile
from planact.plan.approval import hash_of
from planact.plan.syntax.edits import set_keys
from planact.plan.syntax.lower import lower
from planact.plan.syntax.parser import parse
from planact.plan.templates.template import (
    CATEGORIES,
    MAX_VALUE,
    NAME,
    KnownTemplate,
    Template,
    check_names,
    default_value,
    fill_template,
    json_schema,
    make_template,
    read_template,
    read_value,
    value_text,
)
from planact.policy.protected import PLAN_SUFFIX
from planact.tools.trace import Trace
from planact.workflows.hooks import ask_user, confirm_deletion
from planact.workflows.plans.library import PlanDocument, create_document, new_path, origin_of, own_place, read_document
from planact.workflows.plans.revisions import keep_revision
from planact.workflows.questions.check_answer import value_problem
from planact.workflows.sessions.manage import change_session
from planact.workflows.turns.take_turn import Scope, make_turn
from planact.workflows.workspace import Workspace

TEMPLATES_FOLDER = ".planact/templates"
_CHECK_SECONDS = 10.0
_FILES = 10_000
_MOST_OF_A_DESCRIPTION = 200


def list_templates(ws: Workspace) -> tuple[Sequence[KnownTemplate], Sequence[InvalidInput]]:
    """All that can be used, by name, and what is wrong with the others. The workspace's own go before planact's."""
    found: dict[str, KnownTemplate] = {}
    problems: list[InvalidInput] = []
    for file in (files("planact.plan.templates") / "builtin").iterdir():
        if file.name.endswith(PLAN_SUFFIX):
            name = file.name.removesuffix(PLAN_SUFFIX)
            found[name] = KnownTemplate(read_template(name, file.read_text(encoding="utf-8")), "planact")
    for path in _own_paths(ws):
        try:
            template = read_template(PurePosixPath(path).stem, read_document(ws, path).file.text)
        except InvalidInput as error:
            problems.append(error)
        else:
            found[template.name] = KnownTemplate(template, "workspace")
    return [found[name] for name in sorted(found)], problems


def find_template(ws: Workspace, name: str) -> KnownTemplate:
    """The template called `name`.

    Raises:
        NotFound: TEMPLATE_NOT_FOUND. InvalidInput: TEMPLATE_INVALID, for one of the workspace that can't be read.
    """
    known, problems = list_templates(ws)
    for each in known:
        if each.template.name == name:
            return each
    broken = next((problem for problem in problems if f"the template {name} " in problem.message), None)
    if broken is not None:
        raise broken
    names = ", ".join(each.template.name for each in known)
    raise NotFound("TEMPLATE_NOT_FOUND", f"there is no template {name!r}", f"The templates are {names}.")


async def use_template(ws: Workspace, session_id: str, template: Template, values: Mapping[str, Any]) -> PlanDocument:
    """Create a new plan from a template, a draft like any other. Missing values are asked for in one question; texts
    are read by the type of their parameter.

    Raises:
        InvalidInput: ANSWER_INVALID, INVALID_ARGUMENTS.
        Conflict: NOT_CONFIRMED, when the user gives no missing value.
        EndTurn: the user can't be asked now.
    """
    check_names(template, values)
    values = _read_values(template, values)
    _check(template, values)
    if lack := await unmet_need(ws, session_id, template):
        text = f"The template {template.name} may not fit here: {lack}. Look through the plan before you execute it."
        ws.ports.editor.notify(ToolNotice(session_id, "template", text))
    missing = [parameter.name for parameter in template.parameters if parameter.name not in values]
    asked = await _asked(ws, session_id, template, missing) if missing else {}
    chosen = _read_values(template, {**values, **asked})
    _check(template, chosen)
    text = fill_template(template, {name: value_text(value) for name, value in chosen.items()})
    plan_id = new_plan_id(ws.ports.clock.now(), ws.ports.ids)
    tree = parse(text)
    text = apply_edits(text, set_keys(tree, {"id": [plan_id], "status": ["draft"], "created": [ws.now()]}))
    plan = lower(parse(text))
    assert plan is not None, "a template has a goal and steps"
    document = await create_document(ws, session_id, new_path(ws, plan), text, is_own=_is_own(ws, template))
    keep_revision(ws, document, "user")
    change_session(ws, session_id, plan_file=document.path)
    ws.record("plan_created", session_id, {"plan_id": plan_id, "path": document.path, "template": template.name})
    return document


async def create_template(
    ws: Workspace,
    session_id: str,
    document: PlanDocument,
    name: str,
    description: str,
    parameters: Mapping[str, str],
    category: str = "custom",
) -> PlanDocument:
    """Make a template of the workspace from a plan; `parameters` are texts of the plan by the names they get.

    Raises:
        InvalidInput: TEMPLATE_INVALID, INVALID_ARGUMENTS. EditFailure: FILE_EXISTS.
    """
    if not NAME.match(name):
        raise InvalidInput("TEMPLATE_INVALID", f"{name!r} is no name of a template", "Use small letters and hyphens.")
    if not NAME.match(category):
        hint = f"Take {', '.join(CATEGORIES)}, or a word of small letters and hyphens."
        raise InvalidInput("INVALID_ARGUMENTS", f"{category!r} is no category", hint)
    document.complete()
    text = make_template(document.tree, description, category, parameters)
    read_template(name, text)
    is_own = origin_of(ws, document) == "own"
    return await create_document(ws, session_id, f"{TEMPLATES_FOLDER}/{name}{PLAN_SUFFIX}", text, is_own=is_own)


async def delete_template(ws: Workspace, session_id: str, known: KnownTemplate, *, is_confirmed: bool = False) -> str:
    """Delete a template of the workspace; returns its path.

    Raises:
        Conflict: NOT_CONFIRMED. InvalidInput: TEMPLATE_INVALID for one that ships with planact.
    """
    name = known.template.name
    if known.source != "workspace":
        hint = f"Write {TEMPLATES_FOLDER}/{name}{PLAN_SUFFIX} to have another in its place."
        raise InvalidInput("TEMPLATE_INVALID", f"the template {name} ships with planact", hint)
    place = own_place(ws, f"{TEMPLATES_FOLDER}/{name}{PLAN_SUFFIX}")
    document = read_document(ws, place.shown)
    subject = f"{MOMENTARY}delete template {name} {ws.ports.ids.uuid7()}"
    if not is_confirmed and not await confirm_deletion(ws, session_id, f"the template {name}", subject):
        raise Conflict("NOT_CONFIRMED", f"the template {name} was not deleted: you didn't confirm it", "Confirm it.")
    await ws.ports.editor.apply((DeleteFile(place, document.file.sha256),), "Delete the template")
    return place.shown


async def unmet_need(ws: Workspace, session_id: str, template: Template) -> str:
    """Return the template's unmet requirement in words; empty = none. Its command goes through the gate, in a session
    in Plan.
    """
    if template.glob and not any(PurePosixPath(path).match(template.glob) for path in ws.ports.files.find("", _FILES)):
        return f"no file is called like {template.glob}"
    if not template.command:
        return ""
    trace = Trace()
    turn, _ = make_turn(ws, session_id, Scope(), trace, "")
    arguments = {"command": template.command, "timeout": _CHECK_SECONDS}
    await ws.gate.call(ToolCall.of(ws.ports.ids.uuid7(), "execute_command", arguments), turn)
    is_fit = bool(trace.commands) and trace.commands[-1].exit_code == 0
    return "" if is_fit else f"`{one_line(template.command, _MOST_OF_A_DESCRIPTION)}` does not find what it needs"


def questions_for(template: Template, names: Sequence[str]) -> tuple[Question, ...]:
    """Return questions for the parameters without values."""
    by_name = {parameter.name: parameter for parameter in template.parameters}
    return tuple(
        Question(
            name=name,
            question=by_name[name].description or name,
            context=one_line(template.description, _MOST_OF_A_DESCRIPTION),
            default=default_value(template.name, by_name[name]),
            schema_=json_schema(template.name, by_name[name]) or {"type": "string", "maxLength": MAX_VALUE},
        )
        for name in names
    )


async def _asked(ws: Workspace, session_id: str, template: Template, names: Sequence[str]) -> Mapping[str, Any]:
    subject = f"{MOMENTARY}template {template.name} {ws.ports.ids.uuid7()}"
    ended = await ask_user(ws, session_id, questions_for(template, names), "confirm", subject)
    if ended.status != "answered":
        raise Conflict("NOT_CONFIRMED", f"the template {template.name} was not used", "Give the values it asks for.")
    return dict(ended.answers)


def _read_values(template: Template, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the values by the types of their parameters. Raises InvalidInput ANSWER_INVALID."""
    schemas = {each.name: json_schema(template.name, each) for each in template.parameters}
    return {name: read_value(name, schemas[name], value) for name, value in values.items()}


def _check(template: Template, values: Mapping[str, Any]) -> None:
    """Raises InvalidInput ANSWER_INVALID, when a value that wasn't asked doesn't fit."""
    given = [parameter.name for parameter in template.parameters if parameter.name in values]
    for question in questions_for(template, given):
        problem = value_problem(question, values)
        if problem and (values[question.name] not in ("", None) or question.default is not None):
            raise InvalidInput("ANSWER_INVALID", problem, f"See: planact template show {template.name}")


def _is_own(ws: Workspace, template: Template) -> bool:
    """The template ships with planact or is the user's own; the other templates are the repository's."""
    name = f"{template.name}{PLAN_SUFFIX}"
    built_in = files("planact.plan.templates") / "builtin" / name
    if built_in.is_file() and built_in.read_text(encoding="utf-8") == template.tree.text:
        return True
    own = ws.ports.approvals.own(f"{TEMPLATES_FOLDER}/{name}")
    return own is not None and own.hash == hash_of(template.tree)


def _own_paths(ws: Workspace) -> Sequence[str]:
    """List the templates in the folder itself, without those behind links."""
    names = ws.ports.records.list(PurePosixPath(TEMPLATES_FOLDER).name)
    paths = [f"{TEMPLATES_FOLDER}/{name}" for name in names if name.endswith(PLAN_SUFFIX)]
    return [path for path in paths if str(ws.ports.files.resolve(path).relative) == path]
