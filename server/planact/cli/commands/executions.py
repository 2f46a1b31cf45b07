"""Runs of plans: `planact act`, `planandact`, `resume`, `executions` and `rollback`."""

import argparse
import re
import sys
from dataclasses import replace

from planact.base.errors import InvalidInput, NotFound
from planact.base.text import counted, named
from planact.cli.arguments import add_confirmation, add_hash, add_text, announce, request
from planact.cli.command import CliCommand, Exit, Invocation, Result, failure

# --- act

_RANGE = re.compile(r" *([1-9][0-9]{0,6})(?:-([1-9][0-9]{0,6}))? *")
_MAX_STEPS = 10_000


def _add_act_arguments(parser: argparse.ArgumentParser) -> None:
    help_ = "id of the plan or its end, or the path of its document (default: your latest with steps left)"
    which = parser.add_mutually_exclusive_group()
    which.add_argument("plan", metavar="ID", nargs="?", default="", help=help_)
    which.add_argument("--plan-id", metavar="ID", default="", help="the same")
    add_confirmation(parser, "approve the plan as it is now, if it is yours")
    add_hash(parser)
    help_ = "run only this step, or those of a selection such as 2-4 or 1,3-5"
    parser.add_argument("--steps", "--step", type=_step_numbers, metavar="N", default=(), help=help_)


def _step_numbers(text: str) -> tuple[int, ...]:
    """Return the sorted numbers of `2`, `2-4` or `1,3-5`."""
    ranges = [_RANGE.fullmatch(part) for part in text.split(",")]
    bounds = [(int(found[1]), int(found[2] or found[1])) for found in ranges if found]
    if len(bounds) < len(ranges) or any(not first <= last < first + _MAX_STEPS for first, last in bounds):
        raise argparse.ArgumentTypeError(f"{text!r} names no steps: write a number, 2-4, or 1,3-5")
    return tuple(sorted({number for first, last in bounds for number in range(first, last + 1)}))


def _act(invocation: Invocation) -> Result:
    """Execute a plan after the user's yes.

    A plan that the user approved as it is now and names here needs no second yes; the latest plan, unnamed, does.
    `--hash` is a yes to the text that has the hash.
    """
    announce(invocation, "act")
    from planact.cli.engine import Engine
    from planact.cli.results import execute_and_wait
    from planact.workflows.runs.execute import Confirmation

    engine, options = Engine(invocation), invocation.options
    plan_id = options.plan or options.plan_id
    if options.hash and not plan_id:
        raise InvalidInput("INVALID_ARGUMENTS", "a hash needs the plan it is of", "Write: planact act ID --hash HASH")
    document = engine.plan(plan_id)
    plan = document.complete()
    engine.screen.line(f"{plan.id}  {plan.goal}  {named(document.path)}")
    if options.yes or options.hash:
        confirmation = Confirmation.BY_FLAG
    else:
        confirmation = Confirmation.UNLESS_APPROVED if plan_id else Confirmation.ASK
    return execute_and_wait(engine, document, confirmation, steps=options.steps, seen_hash=options.hash or "")


# --- planandact


def _add_planandact_arguments(parser: argparse.ArgumentParser) -> None:
    add_text(parser, "what to do")
    add_confirmation(parser, "start a safe plan without the moment to stop it")
    help_ = "have the plan reviewed, and revised once by that, before it starts"
    parser.add_argument("--self-scrutinize", action="store_true", help=help_)


def _planandact(invocation: Invocation) -> Result:
    """Make a plan and execute it: at once if it is safe, else after the user's yes."""
    text = request(invocation)
    announce(invocation, "plan")
    from planact.cli.engine import Engine
    from planact.cli.results import new_planning_session, plan_and_act_result, planning_result, run_action
    from planact.workflows.runs.plan_and_act import GRACE_SECONDS, act_if_safe, may_act, plan_for_acting

    engine = Engine(invocation)
    session_id, options = new_planning_session(engine), invocation.options

    async def plan_and_act() -> Result:
        taken = await plan_for_acting(engine.ws, session_id, text, is_scrutinized=options.self_scrutinize)
        if taken.written is None or not may_act(taken):
            return planning_result(session_id, taken)
        is_accepted, grace = taken.result.kind == "accepted", 0.0 if options.yes else GRACE_SECONDS
        path = taken.written.path
        done = await act_if_safe(engine.ws, session_id, path, is_accepted=is_accepted, grace_seconds=grace)
        return plan_and_act_result(session_id, done)

    return run_action(engine, session_id, plan_and_act)


# --- resume


def _add_resume_arguments(parser: argparse.ArgumentParser) -> None:
    help_ = "id of a plan or an execution or its end, or the path of a plan (default: the newest run to go on with)"
    parser.add_argument("run", metavar="PLAN|EXECUTION", nargs="?", default="", help=help_)


def _resume(invocation: Invocation) -> Result:
    """Go on where a run stopped, in the session that has its questions and answers."""
    announce(invocation, "act")
    from planact.cli.engine import Engine
    from planact.cli.results import await_run, run_action
    from planact.model.rights.permission import Mode
    from planact.workflows.runs.resume import find_run, resume_execution, session_to_resume
    from planact.workflows.sessions.choose_model import check_model
    from planact.workflows.sessions.manage import new_session

    engine = Engine(invocation)
    run = find_run(engine.ws, invocation.options.run)
    engine.screen.line(f"{run.plan_id}  {run.goal}  {named(run.plan_file)}")
    session_id = session_to_resume(engine.ws, run)
    if not session_id:
        check_model(engine.ws, Mode.ACT)
        session_id = new_session(engine.ws).id

    async def resume() -> Result:
        return await await_run(engine, run.plan_file, resume_execution(engine.ws, session_id, run))

    return run_action(engine, session_id, resume)


# --- executions


def _add_list_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="also those before the last 100")
    parser.add_argument("word", metavar="list", nargs="?", choices=("list",), help="the same, spelled out")


def _list(invocation: Invocation) -> Result:
    from planact.cli.engine import Engine
    from planact.cli.output.show import executions_text
    from planact.workflows.history.report import list_executions

    limit = sys.maxsize if invocation.options.all else 100
    runs, left_out = list_executions(Engine(invocation, warms_up=False).ws, limit)
    data = {"executions": [run.model_dump(mode="json") for run in runs], "left_out": left_out}
    if not runs:
        return Result(Exit.DONE, data, next_step="There are no executions in this folder. Begin one: planact act")
    older = f"{counted(left_out, 'older run')} not shown: planact executions --all" if left_out else ""
    return Result(Exit.DONE, data, executions_text(runs), older)


# --- executions show


def _add_show_arguments(parser: argparse.ArgumentParser) -> None:
    help_ = "id of the run or its end (default: the newest)"
    parser.add_argument("execution", metavar="ID", nargs="?", default="", help=help_)
    parser.add_argument("--markdown", action="store_true", help="print all of the record, as Markdown")


def _show(invocation: Invocation) -> Result:
    from planact.cli.engine import Engine
    from planact.cli.output.show import execution_data, execution_text
    from planact.workflows.history.report import find_execution, report

    run = find_execution(Engine(invocation, warms_up=False).ws, invocation.options.execution)
    text = report(run).rstrip("\n") if invocation.options.markdown else execution_text(run)
    return Result(Exit.DONE, execution_data(run), text)


# --- rollback


def _add_rollback_arguments(parser: argparse.ArgumentParser) -> None:
    help_ = "id of the run or its end, or the path of a plan for all its runs (default: the newest that changed a file)"
    parser.add_argument("execution", metavar="EXECUTION", nargs="?", default="", help=help_)
    parser.add_argument("--step", type=int, metavar="N", help="take back only this step")
    add_confirmation(parser, "roll back without a question")


def _rollback(invocation: Invocation) -> Result:
    from planact.cli.engine import Engine
    from planact.cli.results import run_action
    from planact.policy.protected import PLAN_SUFFIX
    from planact.workflows.undo.roll_back import FilesMovedOn, RollbackTarget, became, roll_back, rollback_text

    engine, which = Engine(invocation, warms_up=False), invocation.options.execution
    is_plan = which.endswith(PLAN_SUFFIX)
    begun = engine.ws.ports.journal.runs(which if is_plan else "")
    run = next((run for run in begun if is_plan or run.execution_id.endswith(which)), None)
    if run is None:
        raise NotFound("EXECUTION_NOT_FOUND", f"there is no execution {which}".rstrip(), "See: planact executions")
    wanted = RollbackTarget("" if is_plan else which, which if is_plan else "", invocation.options.step)

    async def roll_back_run() -> Result:
        done = await roll_back(engine.ws, run.session_id, wanted, is_confirmed=invocation.options.yes)
        left = [each.id for each in done.executions if each.to_roll_back]
        next_step = f"Take back the rest with: planact rollback {left[0]}" if left else ""
        data = {  # the same keys as the language server's result
            "session_id": run.session_id,
            "execution_ids": [each.id for each in done.executions],
            "steps": list(done.steps),
            "files": [{"path": file.path, "what": became(file)} for file in done.files],
            "stayed": list(done.stayed),
        }
        return Result(Exit.DONE, data, rollback_text(done), next_step)

    try:
        return run_action(engine, run.session_id, roll_back_run)
    except FilesMovedOn as moved_on:
        failed = failure(moved_on)
        return replace(failed, data={"error": {**failed.data["error"], "diff": moved_on.diff}}, text=moved_on.diff)


COMMANDS = (
    CliCommand("act", "carry out a plan", _add_act_arguments, _act),
    CliCommand(
        "planandact", "make a plan and carry it out if it is safe, else ask", _add_planandact_arguments, _planandact
    ),
    CliCommand("resume", "go on where a run paused, failed or was killed", _add_resume_arguments, _resume),
    CliCommand("executions", "list the runs of the folder, the newest first", _add_list_arguments, _list),
    CliCommand("executions show", "show what became of a run", _add_show_arguments, _show),
    CliCommand("rollback", "take back what a run did to files", _add_rollback_arguments, _rollback),
)
