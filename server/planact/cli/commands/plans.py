"""`planact plan …`: make, show, change, check and keep plans."""

import argparse
import shlex
from collections import Counter
from pathlib import Path

from planact.base.errors import InvalidInput
from planact.base.text import counted
from planact.cli.arguments import add_confirmation, add_hash, add_plan, add_text, announce, request
from planact.cli.command import CliCommand, Exit, Invocation, Result, no_arguments

# --- plan


def _add_plan_arguments(parser: argparse.ArgumentParser) -> None:
    add_text(parser, "what to plan; after -- also a text that begins like a subcommand")


def _plan(invocation: Invocation) -> Result:
    text = request(invocation)
    announce(invocation, "plan")
    from planact.cli.engine import Engine
    from planact.cli.results import make_plan_and_wait, new_planning_session

    engine = Engine(invocation)
    return make_plan_and_wait(engine, new_planning_session(engine), text)


# --- plan list


def _list(invocation: Invocation) -> Result:
    from planact.cli.engine import Engine
    from planact.cli.output.show import plans_text
    from planact.workflows.plans.library import list_plans
    from planact.workflows.plans.unreadable import unreadable_plans

    ws = Engine(invocation, warms_up=False).ws
    plans, unreadable = list_plans(ws), unreadable_plans(ws)
    data = {
        "plans": [plan.model_dump(mode="json") for plan in plans],
        "unreadable": [
            {"path": path, "code": failure.code, "message": failure.message} for path, failure in unreadable.items()
        ],
    }
    told = "\n".join(f"! {failure.message} [{failure.code}]" for failure in unreadable.values())
    if not plans and not told:
        next_step = 'There are no plans in this folder. Make one: planact plan "what to do"'
        return Result(Exit.DONE, data, next_step=next_step)
    return Result(Exit.DONE, data, plans_text(plans), told)


# --- plan show


def _add_show_arguments(parser: argparse.ArgumentParser) -> None:
    add_plan(parser)
    parser.add_argument("--diagram", action="store_true", help="its steps, files and commands as Mermaid")


def _show(invocation: Invocation) -> Result:
    from planact.cli.engine import Engine
    from planact.cli.output.show import ORIGINS
    from planact.plan.syntax.lower import plan_json
    from planact.workflows.plans.archive import render_diagram
    from planact.workflows.plans.infrastructure import infrastructure_commands
    from planact.workflows.plans.library import origin_of

    engine = Engine(invocation, warms_up=False)
    document = engine.plan(invocation.options.plan)
    plan, origin = document.complete(), origin_of(engine.ws, document)
    remarks = []
    if plan.has_infrastructure_changes:  # the document need not say so
        command = next(infrastructure_commands(plan), "")
        remarks.append(f"The plan changes things outside the workspace{f': `{command}`' if command else ''}.")
    if origin != "own":
        name = shlex.quote(invocation.options.plan)
        remarks.append(f"{ORIGINS[origin]}. To execute this text: planact act {name} --hash {document.hash}")
    data = {**plan_json(plan), "plan_hash": document.hash, "origin": origin}
    if invocation.options.diagram:
        drawn = render_diagram(engine.ws, document)
        return Result(Exit.DONE, {**data, "diagram": drawn}, drawn, "\n".join(remarks))
    return Result(Exit.DONE, data, document.file.text.rstrip("\n"), "\n".join(remarks))


# --- plan approve


def _add_approve_arguments(parser: argparse.ArgumentParser) -> None:
    add_plan(parser)
    add_hash(parser)


def _approve(invocation: Invocation) -> Result:
    """Approve a plan as it is now, or only the text with `--hash`, without executing it."""
    from planact.cli.engine import Engine
    from planact.cli.output.show import plan_data
    from planact.cli.results import planning_session, run_action
    from planact.workflows.plans.approve import approve_plan

    engine = Engine(invocation, warms_up=False)
    document = engine.plan(invocation.options.plan)
    session_id = planning_session(engine, document)

    async def approve() -> Result:
        approved = await approve_plan(engine.ws, session_id, document, invocation.options.hash or "")
        next_step = f"To execute it: planact act {approved.complete().id}"
        return Result(Exit.DONE, plan_data(approved, session_id), f"Approved {approved.path}", next_step)

    return run_action(engine, session_id, approve)


# --- plan revise


def _add_revise_arguments(parser: argparse.ArgumentParser) -> None:
    add_plan(parser)
    parser.add_argument("feedback", nargs="*", help="what should change, besides the comments (lines with >) in it")
    parser.add_argument(
        "--from-comments", metavar="FILE", help="JSON list of a pull request's comments, for the planner to consider"
    )
    parser.add_argument(
        "--author", metavar="NAME", action="append", default=[], help="whose comments count; repeatable"
    )


def _revise(invocation: Invocation) -> Result:
    """Have a plan revised; without feedback and comments, ask what should change."""
    from planact.cli.engine import Engine
    from planact.cli.results import planning_result, planning_session, run_action
    from planact.plan.remarks import read_remarks
    from planact.workflows.runs.revise_plan import ask_feedback, revise_plan

    comments = _comments(invocation)
    remarks = read_remarks(comments, invocation.options.author) if invocation.options.from_comments else ()
    engine = Engine(invocation)
    document = engine.plan(invocation.options.plan)
    session_id = planning_session(engine, document)

    async def revise() -> Result:
        feedback = " ".join(invocation.options.feedback)
        if not feedback.strip() and not document.tree.comments and not remarks:
            feedback = await ask_feedback(engine.ws, session_id, document)
        return planning_result(session_id, await revise_plan(engine.ws, session_id, document.path, feedback, remarks))

    return run_action(engine, session_id, revise)


def _comments(invocation: Invocation) -> str:
    """Return the text of the file of comments; empty without one."""
    name, authors = invocation.options.from_comments, invocation.options.author
    if bool(name) is not bool(authors):
        hint = "Name the file and whose comments count: --from-comments FILE --author NAME"
        raise InvalidInput("INVALID_ARGUMENTS", "--from-comments and --author go together", hint)
    try:
        return Path(name).read_text("utf-8") if name else ""
    except (OSError, ValueError) as error:
        raise InvalidInput("INVALID_ARGUMENTS", f"{name} can't be read", "Name a JSON file with comments.") from error


# --- plan diff


def _add_diff_arguments(parser: argparse.ArgumentParser) -> None:
    add_plan(parser)
    parser.add_argument("--from", dest="number", metavar="N", type=int, default=0, help="a revision; default: the last")
    parser.add_argument("--to", dest="other", metavar="N", type=int, default=0, help="another; default: as it is now")


def _diff(invocation: Invocation) -> Result:
    from planact.cli.engine import Engine
    from planact.workflows.plans.revisions import compare_revisions

    engine = Engine(invocation, warms_up=False)
    document = engine.plan(invocation.options.plan)
    comparison = compare_revisions(engine.ws, document, invocation.options.number, invocation.options.other)
    revisions = engine.ws.ports.revisions.list(document.path)
    rows = [{"number": each.number, "author": each.author, "time": each.time} for each in revisions]
    count = counted(len(revisions), "revision")
    next_step = f"{count} of {document.path}. To go back to one: planact plan restore {invocation.options.plan} N"
    data = {"path": document.path, "diff": comparison.diff, "revisions": rows}
    text = comparison.diff.rstrip("\n") or "No difference."
    return Result(Exit.DONE, data, text, next_step if revisions else "")


# --- plan restore


def _add_restore_arguments(parser: argparse.ArgumentParser) -> None:
    add_plan(parser)
    parser.add_argument("number", metavar="N", type=int, help="number of the revision, as plan diff tells")
    add_confirmation(parser, "for scripts; nothing is asked, as nothing is lost")


def _restore(invocation: Invocation) -> Result:
    from planact.cli.engine import Engine
    from planact.cli.results import planning_session, run_action
    from planact.workflows.plans.revisions import restore_revision

    engine, number = Engine(invocation, warms_up=False), invocation.options.number
    document = engine.plan(invocation.options.plan)
    session_id = planning_session(engine, document)

    async def restore() -> Result:
        restored = await restore_revision(engine.ws, session_id, document, number)
        data = {"path": restored.path, "number": number}
        return Result(Exit.DONE, data, f"{restored.path} is as in revision {number} again")

    return run_action(engine, session_id, restore)


# --- plan export


def _add_export_arguments(parser: argparse.ArgumentParser) -> None:
    add_plan(parser)
    parser.add_argument(
        "--format", choices=("markdown", "json", "diagram"), default="markdown", help="default: markdown"
    )
    parser.add_argument(
        "--pull-request", action="store_true", help="the plan and what became of it, as a comment for a pull request"
    )


def _export(invocation: Invocation) -> Result:
    from planact.cli.engine import Engine
    from planact.plan.syntax.lower import plan_json
    from planact.workflows.history.pull_request import pull_request_comment
    from planact.workflows.plans.archive import export_plan

    engine = Engine(invocation, warms_up=False)
    document = engine.plan(invocation.options.plan)
    if invocation.options.pull_request:
        comment = pull_request_comment(engine.ws, document)
        return Result(Exit.DONE, {**plan_json(document.complete()), "comment": comment}, comment)
    text = export_plan(engine.ws, document, invocation.options.format)
    return Result(Exit.DONE, plan_json(document.complete()), text)


# --- plan lint


def _add_lint_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", metavar="FILE", nargs="+", help="a *.plan file, or a folder with all plans below it")


def _lint(invocation: Invocation) -> Result:
    from planact.cli.engine import Engine
    from planact.workflows.history.lint_files import lint_files, plans_in

    engine = Engine(invocation, warms_up=False)
    try:
        paths = plans_in(engine.ws, invocation.options.paths)
    except InvalidInput as error:  # on the command line any bad path is a bad argument
        raise InvalidInput("INVALID_ARGUMENTS", error.message, error.hint) from error
    found = list(lint_files(engine.ws, paths))
    counts: Counter[str] = Counter(each.problem.severity for each in found)
    lines = [
        f"{each.path}:{each.line}:{each.column}: {each.problem.severity}: {each.problem.message} [{each.problem.code}]"
        for each in found
    ]
    problems = [
        {
            "path": each.path,
            "line": each.line,
            "column": each.column,
            "end_line": each.end_line,
            "end_column": each.end_column,
            "severity": each.problem.severity,
            "code": each.problem.code,
            "message": each.problem.message,
            "hint": each.problem.hint,
        }
        for each in found
    ]
    severities = ("error", "warning", "hint")
    data = {"plans": len(paths), **{f"{each}s": counts[each] for each in severities}, "problems": problems}
    summary = ", ".join((counted(len(paths), "plan"), *(counted(counts[each], each) for each in severities)))
    return Result(Exit.STALE if counts["error"] else Exit.DONE, data, "\n".join(lines), summary)


# --- plan pin


def _add_pin_arguments(parser: argparse.ArgumentParser) -> None:
    add_plan(parser)
    parser.add_argument("--off", action="store_true", help="pin it no longer")


def _pin(invocation: Invocation) -> Result:
    from planact.cli.engine import Engine

    engine = Engine(invocation, warms_up=False)
    path, is_pinned = engine.plan(invocation.options.plan).path, not invocation.options.off
    engine.ws.ports.revisions.pin(path, is_pinned=is_pinned)
    text = f"{path} is pinned" if is_pinned else f"{path} is not pinned any more"
    return Result(Exit.DONE, {"path": path, "is_pinned": is_pinned}, text)


# --- plan delete


def _add_delete_arguments(parser: argparse.ArgumentParser) -> None:
    add_plan(parser)
    add_confirmation(parser, "delete it without a question")


def _delete(invocation: Invocation) -> Result:
    from planact.cli.engine import Engine
    from planact.cli.results import run_action
    from planact.workflows.plans.archive import delete_plan
    from planact.workflows.sessions.manage import new_session

    engine = Engine(invocation, warms_up=False)
    document = engine.plan(invocation.options.plan)
    session = next(iter(engine.ws.ports.sessions.list()), None) or new_session(engine.ws)

    async def delete() -> Result:
        await delete_plan(engine.ws, session.id, document, is_confirmed=invocation.options.yes)
        plan_id = document.plan.id if document.plan else ""
        return Result(Exit.DONE, {"plan_id": plan_id, "path": document.path}, f"Deleted {document.path}")

    return run_action(engine, session.id, delete)


COMMANDS = (
    CliCommand("plan", "make a plan from a request", _add_plan_arguments, _plan),
    CliCommand("plan list", "list the plans of the folder, the newest first", no_arguments, _list),
    CliCommand("plan show", "show a plan", _add_show_arguments, _show),
    CliCommand("plan approve", "approve a plan without executing it", _add_approve_arguments, _approve),
    CliCommand("plan revise", "have a plan revised", _add_revise_arguments, _revise),
    CliCommand("plan diff", "show what changed in a plan", _add_diff_arguments, _diff),
    CliCommand("plan restore", "go back to an earlier text of a plan", _add_restore_arguments, _restore),
    CliCommand("plan export", "print a plan as Markdown, JSON or a diagram", _add_export_arguments, _export),
    CliCommand("plan lint", "check plans, and end with 5 where one has an error", _add_lint_arguments, _lint),
    CliCommand("plan pin", "keep a plan whatever its age", _add_pin_arguments, _pin),
    CliCommand("plan delete", "delete a plan", _add_delete_arguments, _delete),
)
