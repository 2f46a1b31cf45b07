"""Diagnostics of language servers: the editor's, else planact's own, else how to run the project's linters."""

import asyncio
import re
from collections.abc import Iterator, Sequence

from planact.base.text import first_few, named, one_line
from planact.model.file import EditorProblem, FileCheck
from planact.model.rights.permission import Effect, PathEffect, Permission
from planact.plan.project_commands import BESIDE, SOURCES, project_commands
from planact.tools.diagnostics.problem_lines import problem_line
from planact.tools.permits.permit import Permit
from planact.tools.tool import Args, Tool

MAX_DIAGNOSTICS = 100
"""Problems that are told, the worst first."""

_LONGEST_TROUBLE, _MOST_PATHS = 500, 20
_LINTERS = re.compile(r"\b(?:lint|check|ruff|mypy|tsc|eslint|clippy|vet|types?|typecheck)\b")
_SEVERITIES = ("error", "warning", "information", "hint")


class GetDiagnosticsArgs(Args):
    """A file, or all files in a folder."""

    path: str = "."


def _effects(args: GetDiagnosticsArgs) -> tuple[Effect, ...]:
    # Manifests beside `.` name the linters; whether one may run, is decided of the command.
    return (PathEffect("search", args.path), PathEffect("search", "."))


async def _run(args: GetDiagnosticsArgs, permit: Permit) -> str:
    found = await permit.problems(args.path)
    if found is not None:
        none = f"the editor shows no diagnostics below {args.path}, of files that its language servers have looked at"
        return _lines(found) or f"{none}; name a file to have it looked at"
    checks, left_out = await permit.check_files(args.path)
    if not checks:
        return f"no language server looks at it; {await asyncio.to_thread(_linters, permit)}"
    told = [_lines([each for check in checks for each in check.problems or ()]), *_checked(checks, left_out)]
    if all(check.problems is None for check in checks):
        told.append(await asyncio.to_thread(_linters, permit))
    return "\n".join(filter(None, told))


def _lines(found: Sequence[EditorProblem]) -> str:
    worst = sorted(found, key=lambda problem: (_SEVERITIES.index(problem.severity), problem.path, problem.line))
    more = [f"… and {len(found) - MAX_DIAGNOSTICS} more; name a narrower path"] if len(found) > MAX_DIAGNOSTICS else []
    return "\n".join([*map(problem_line, worst[:MAX_DIAGNOSTICS]), *more])


def _checked(checks: Sequence[FileCheck], left_out: int) -> Iterator[str]:
    """Yield lines on files that were checked and files that weren't: those don't count as free of problems."""
    for server in sorted({check.server for check in checks}):
        own = [check for check in checks if check.server == server]
        clean = [named(check.path) for check in own if check.problems == ()]
        if clean:
            yield f"{server} finds nothing in {first_few(clean, _MOST_PATHS)}"
        for trouble in sorted({check.trouble for check in own if check.problems is None}):
            paths = [named(check.path) for check in own if check.problems is None and check.trouble == trouble]
            names = first_few(paths, _MOST_PATHS)
            yield f"{server} didn't check {names}: {one_line(trouble, _LONGEST_TROUBLE)}"
    if left_out:
        yield f"{left_out} further files weren't checked; name a narrower path"


def _linters(permit: Permit) -> str:
    texts = {name: text for name in (*SOURCES, *BESIDE) if (text := permit.manifest(name)) is not None}
    named: Sequence[str] = [line for line in project_commands(texts, texts.keys()) if _LINTERS.search(line)]
    return f"run with execute_command: {', '.join(named)}" if named else "and the project names no linter"


GET_DIAGNOSTICS = Tool(
    name="get_diagnostics",
    summary="Errors and warnings that language servers find in a file or folder.",
    args=GetDiagnosticsArgs,
    required_permissions=frozenset({Permission.READ_FILES}),
    category="read",
    risk="low",
    effects=_effects,
    run=_run,
)
