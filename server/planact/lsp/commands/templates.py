"""Commands on plan templates."""

from typing import Any, Literal

from pydantic import Field, JsonValue

from planact.base.frozen_model import FrozenModel
from planact.lsp.host.plan_state import plan_made
from planact.lsp.host.workspace_host import host_of
from planact.lsp.protocol.arguments import OneFolder, OnePlan, OneSession
from planact.lsp.protocol.results import PlanMade
from planact.lsp.server import PlanactServer
from planact.plan.templates.template import KnownTemplate, json_schema
from planact.workflows.templates import create_template, delete_template, find_template, list_templates, use_template


class OneTemplate(OneSession):
    """A template by its name."""

    name: str


class UseTemplate(OneTemplate):
    """`values` by parameter, of its type or as text; the user is asked for missing ones."""

    values: dict[str, JsonValue] = Field(default_factory=dict)


class CreateTemplate(OnePlan):
    """A plan to make a template of: `parameters` are texts of the plan by their parameter names."""

    name: str
    description: str = ""
    parameters: dict[str, str] = Field(default_factory=dict)
    category: str = "custom"


class TemplateParameter(FrozenModel):
    """`value_schema` is the JSON Schema of its value; empty = any text."""

    name: str
    description: str
    default: str
    is_required: bool
    value_schema: dict[str, Any]


class TemplateListed(FrozenModel):
    """A template; `source` is its owner."""

    name: str
    goal: str
    description: str
    category: str
    source: Literal["planact", "workspace"]
    parameters: tuple[TemplateParameter, ...]


class Templates(FrozenModel):
    """Templates by name; `problems` describe those of the workspace that can't be used."""

    templates: tuple[TemplateListed, ...]
    problems: tuple[str, ...]


class TemplateShown(TemplateListed):
    """A template with its text."""

    text: str


class TemplateCreated(FrozenModel):
    """Place of the new template."""

    name: str
    path: str
    uri: str


class TemplateDeleted(FrozenModel):
    """Former place of the deleted template."""

    name: str
    path: str


def _fields_of(known: KnownTemplate) -> dict[str, Any]:
    """Return the fields of `TemplateListed` for a template."""
    template = known.template
    return {
        "name": template.name,
        "goal": template.goal,
        "description": template.description,
        "category": template.category,
        "source": known.source,
        "parameters": tuple(
            TemplateParameter(
                name=each.name,
                description=each.description,
                default=each.default,
                is_required=each.is_required,
                value_schema=json_schema(template.name, each),
            )
            for each in template.parameters
        ),
    }


async def handle_list_templates(ls: PlanactServer, arguments: OneFolder) -> Templates:
    """List the templates of a folder."""
    known, problems = list_templates(host_of(ls).workspaces.get(arguments.folder))
    rows = tuple(TemplateListed(**_fields_of(each)) for each in known)
    return Templates(templates=rows, problems=tuple(str(problem) for problem in problems))


async def handle_show_template(ls: PlanactServer, arguments: OneTemplate) -> TemplateShown:
    """Return a template with its text."""
    known = find_template(host_of(ls).workspaces.get(arguments.folder), arguments.name)
    return TemplateShown(**_fields_of(known), text=known.template.tree.text)


async def handle_use_template(ls: PlanactServer, arguments: UseTemplate) -> PlanMade:
    """Make a plan from a template."""
    ws = host_of(ls).workspaces.get(arguments.folder)
    known = find_template(ws, arguments.name)
    session = host_of(ls).sessions.for_questions(ws, arguments.session_id)
    document = await use_template(ws, session.id, known.template, arguments.values)
    return plan_made(host_of(ls).workspaces, ws, session.id, document)


async def handle_create_template(ls: PlanactServer, arguments: CreateTemplate) -> TemplateCreated:
    """Make a template from a plan."""
    ws, document = await host_of(ls).workspaces.plan(arguments)
    session = host_of(ls).sessions.for_questions(ws, arguments.session_id)
    made = await create_template(
        ws, session.id, document, arguments.name, arguments.description, arguments.parameters, arguments.category
    )
    return TemplateCreated(name=arguments.name, path=made.path, uri=host_of(ls).workspaces.uri(ws, made.path))


async def handle_delete_template(ls: PlanactServer, arguments: OneTemplate) -> TemplateDeleted:
    """Delete a template of the workspace, after the user confirmed."""
    ws = host_of(ls).workspaces.get(arguments.folder)
    known = find_template(ws, arguments.name)
    session = host_of(ls).sessions.for_questions(ws, arguments.session_id)
    path = await delete_template(ws, session.id, known)
    return TemplateDeleted(name=arguments.name, path=path)
