"""`planact plan lint FILES…`: what is wrong with plans, one line each, for people and for builds."""

import argparse
from collections import Counter

from planact.base.errors import InvalidInput
from planact.base.text import counted
from planact.cli.call import Call, Command, Exit, Result


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", metavar="FILE", nargs="+", help="a *.plan file, or a folder with all plans below it")


def _run(call: Call) -> Result:
    from planact.cli.engine import Engine
    from planact.workflows.lint_files import lint_files, plans_in

    engine = Engine(call, warms_up=False)
    try:
        paths = plans_in(engine.ws, call.options.paths)
    except InvalidInput as error:  # whatever it is, the command line names it
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


COMMAND = Command("plan lint", "check plans, and end with 5 where one has an error", _add_arguments, _run)
