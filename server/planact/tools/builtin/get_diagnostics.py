"""Diagnostics of the editor's language servers, or how to run the project's linters where the editor has none."""

import asyncio
import re
from collections.abc import Sequence

from planact.base.text import named, one_line
from planact.model.file import EditorProblem
from planact.model.rights.permission import Effect, PathEffect, Permission
from planact.plan.project_commands import BESIDE, SOURCES, project_commands
from planact.tools.permit import Permit
from planact.tools.tool import Args, Tool

MAX_DIAGNOSTICS = 100
"""Problems that are told, the worst first."""

_LONGEST, _LONGEST_SOURCE = 500, 100
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
    if found is None:
        return f"the editor doesn't tell them; {await asyncio.to_thread(_linters, permit)}"
    if not found:
        return f"no diagnostics below {args.path}, of files that the editor's language servers have looked at"
    worst = sorted(found, key=lambda problem: (_SEVERITIES.index(problem.severity), problem.path, problem.line))
    more = [f"… and {len(found) - MAX_DIAGNOSTICS} more; name a narrower path"] if len(found) > MAX_DIAGNOSTICS else []
    return "\n".join([*map(_told, worst[:MAX_DIAGNOSTICS]), *more])


def _linters(permit: Permit) -> str:
    texts = {name: text for name in (*SOURCES, *BESIDE) if (text := permit.manifest(name)) is not None}
    named: Sequence[str] = [line for line in project_commands(texts, texts.keys()) if _LINTERS.search(line)]
    return f"run with execute_command: {', '.join(named)}" if named else "and the project names no linter"


def _told(problem: EditorProblem) -> str:
    source = f" ({one_line(problem.source, _LONGEST_SOURCE)})" if problem.source else ""
    place = f"{named(problem.path)}:{problem.line}"
    return f"{place}: {problem.severity}: {one_line(problem.message, _LONGEST)}{source}"


GET_DIAGNOSTICS = Tool(
    name="get_diagnostics",
    summary="Errors and warnings that the editor shows in a file or folder.",
    args=GetDiagnosticsArgs,
    required_permissions=frozenset({Permission.READ_FILES}),
    category="read",
    risk="low",
    effects=_effects,
    run=_run,
)
