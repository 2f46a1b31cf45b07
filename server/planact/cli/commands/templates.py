"""`planact template …`: list, show and use templates, make one from a plan, and delete one of the workspace."""

import argparse
import shlex

from planact.cli.arguments import add_confirmation, named_values
from planact.cli.command import CliCommand, Exit, Invocation, Result, no_arguments


def _add_name(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="name of the template")


# --- template list


def _list(invocation: Invocation) -> Result:
    from planact.cli.engine import Engine
    from planact.cli.output.show import template_data, templates_text
    from planact.workflows.templates import list_templates

    known, problems = list_templates(Engine(invocation, warms_up=False).ws)
    data = {"templates": [template_data(each) for each in known], "problems": [str(each) for each in problems]}
    next_step = "\n".join([*map(str, problems), "To use one: planact template use NAME"])
    return Result(Exit.DONE, data, templates_text(known), next_step)


# --- template show


def _show(invocation: Invocation) -> Result:
    from planact.cli.engine import Engine
    from planact.cli.output.show import template_data
    from planact.workflows.templates import find_template

    known = find_template(Engine(invocation, warms_up=False).ws, invocation.options.name)
    text = known.template.tree.text
    return Result(Exit.DONE, {**template_data(known), "text": text}, text.rstrip("\n"))


# --- template use


def _add_use_arguments(parser: argparse.ArgumentParser) -> None:
    _add_name(parser)
    parser.add_argument(
        "--set", dest="values", metavar="NAME=VALUE", action="append", default=[], help="value of a parameter"
    )


def _use(invocation: Invocation) -> Result:
    """Make a plan from a template; ask for each parameter without a value."""
    options = invocation.options
    values = named_values(options.values, "--set")
    from planact.cli.engine import Engine
    from planact.cli.results import plan_result, run_action
    from planact.model.rights.permission import Mode
    from planact.workflows.sessions.manage import new_session
    from planact.workflows.templates import find_template, use_template

    engine = Engine(invocation, warms_up=False)
    session_id = new_session(engine.ws, Mode.PLAN).id
    template = find_template(engine.ws, options.name).template
    if options.defaults:
        values = {each.name: each.default for each in template.parameters if each.default} | values

    async def use() -> Result:
        return plan_result(session_id, await use_template(engine.ws, session_id, template, values))

    return run_action(engine, session_id, use)


# --- template create


def _add_create_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--from-plan", dest="plan", metavar="ID", default="", help="the plan; none = the latest")
    parser.add_argument("-n", "--name", required=True, help="name of the template: small letters, digits and hyphens")
    parser.add_argument("-d", "--description", default="", help="what it is for")
    parser.add_argument(
        "--category", default="custom", help="such as deployment or migration; the others are in the documentation"
    )
    parser.add_argument(
        "-p",
        "--parameter",
        dest="parameters",
        metavar="NAME=TEXT",
        action="append",
        default=[],
        help="a text of the plan that is to be a parameter",
    )


def _create(invocation: Invocation) -> Result:
    from planact.cli.engine import Engine
    from planact.cli.results import planning_session, run_action
    from planact.plan.templates.template import suggested_values
    from planact.workflows.templates import create_template

    engine, options = Engine(invocation, warms_up=False), invocation.options
    parameters = named_values(options.parameters, "--parameter")
    document = engine.plan(options.plan)
    session_id = planning_session(engine, document)

    async def create() -> Result:
        created = await create_template(
            engine.ws, session_id, document, options.name, options.description, parameters, options.category
        )
        offered = {} if parameters else suggested_values(document.tree)
        data = {"name": options.name, "path": created.path, "offered_parameters": dict(offered)}
        pairs = " ".join(shlex.quote(f"{name}={text}") for name, text in offered.items())
        more = f"\nThese could be parameters (-p): {pairs}" if offered else ""
        return Result(Exit.DONE, data, created.path, f"Use it: planact template use {options.name}{more}")

    return run_action(engine, session_id, create)


# --- template delete


def _add_delete_arguments(parser: argparse.ArgumentParser) -> None:
    _add_name(parser)
    add_confirmation(parser, "delete it without a question")


def _delete(invocation: Invocation) -> Result:
    from planact.cli.engine import Engine
    from planact.cli.results import run_action
    from planact.model.rights.permission import Mode
    from planact.workflows.sessions.manage import new_session
    from planact.workflows.templates import delete_template, find_template

    engine, name = Engine(invocation, warms_up=False), invocation.options.name
    session_id = new_session(engine.ws, Mode.PLAN).id
    known = find_template(engine.ws, name)

    async def delete() -> Result:
        path = await delete_template(engine.ws, session_id, known, is_confirmed=invocation.options.yes)
        return Result(Exit.DONE, {"name": name, "path": path}, f"Deleted {path}")

    return run_action(engine, session_id, delete)


COMMANDS = (
    CliCommand("template list", "list the templates", no_arguments, _list),
    CliCommand("template show", "show a template", _add_name, _show),
    CliCommand("template use", "make a plan from a template", _add_use_arguments, _use),
    CliCommand("template create", "make a template from a plan", _add_create_arguments, _create),
    CliCommand("template delete", "delete a template of the workspace", _add_delete_arguments, _delete),
)
