"""`planact rollback [EXECUTION]`: take back what a run did to files, after a yes."""

import argparse
from dataclasses import replace

from planact.cli.call import Call, Command, Exit, Result, failure


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    help_ = "id of the run or its end, or the path of a plan for all its runs (default: the newest that changed a file)"
    parser.add_argument("execution", metavar="EXECUTION", nargs="?", default="", help=help_)
    parser.add_argument("--step", type=int, metavar="N", help="take back only this step")
    parser.add_argument("-y", "--yes", action="store_true", help="roll back without a question")


def _run(call: Call) -> Result:
    from planact.base.errors import NotFound
    from planact.cli.engine import Engine
    from planact.cli.outcomes import ended
    from planact.policy.protected import PLAN_SUFFIX
    from planact.workflows.roll_back import FilesMovedOn, Wanted, became, roll_back, rollback_text

    engine, which = Engine(call, warms_up=False), call.options.execution
    is_plan = which.endswith(PLAN_SUFFIX)
    begun = engine.ws.ports.journal.runs(which if is_plan else "")
    run = next((run for run in begun if is_plan or run.execution_id.endswith(which)), None)
    if run is None:
        raise NotFound("EXECUTION_NOT_FOUND", f"there is no execution {which}".rstrip(), "See: planact executions")
    wanted = Wanted("" if is_plan else which, which if is_plan else "", call.options.step)

    async def trip() -> Result:
        done = await roll_back(engine.ws, run.session_id, wanted, is_confirmed=call.options.yes)
        left = [each.id for each in done.executions if each.to_roll_back]
        next_step = f"Take back the rest with: planact rollback {left[0]}" if left else ""
        data = {  # as the language server says it
            "session_id": run.session_id,
            "execution_ids": [each.id for each in done.executions],
            "steps": list(done.steps),
            "files": [{"path": file.path, "what": became(file)} for file in done.files],
            "stayed": list(done.stayed),
        }
        return Result(Exit.DONE, data, rollback_text(done), next_step)

    try:
        return ended(engine, run.session_id, trip)
    except FilesMovedOn as moved_on:
        failed = failure(moved_on)
        return replace(failed, data={"error": {**failed.data["error"], "diff": moved_on.diff}}, text=moved_on.diff)


COMMAND = Command("rollback", "take back what a run did to files", _add_arguments, _run)
