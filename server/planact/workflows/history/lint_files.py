"""Check the plan files of a folder without an editor, for a build or before a commit."""

import os
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from planact.base.errors import InvalidInput, NotFound
from planact.base.filetext import decode_text
from planact.base.span import Span, line_spans
from planact.plan.syntax.parser import parse
from planact.plan.syntax.tree import PlanProblem
from planact.policy.protected import PLAN_SUFFIX
from planact.workflows.history.check_freshness import also_changed_in, changed_in
from planact.workflows.history.half_calls import half_call_problems
from planact.workflows.plans.lint import Linter
from planact.workflows.plans.plan_paths import plan_paths
from planact.workflows.workspace import Workspace

MAX_LINTED_FILES = 100_000
"""So many plans of the folders that are named are looked at."""


@dataclass(frozen=True, slots=True)
class PlanFinding:
    """A problem with its place: lines and columns count from 1, columns in characters; the end is exclusive."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    problem: PlanProblem


def plans_in(ws: Workspace, names: Iterable[str]) -> tuple[str, ...]:
    """Return the plans below the given files and folders, which are relative to the workspace folder or absolute; each
    once.

    Raises:
        NotFound: FILE_NOT_FOUND, also where a folder holds no plan: a check of no file must not pass for a success.
        InvalidInput: PLAN_INVALID for a file of another kind, PATH_OUTSIDE_WORKSPACE.
    """
    every: Sequence[str] | None = None
    found: dict[str, None] = {}
    for name in names:
        path = _relative(ws, name)
        if (ws.ports.files.root / path).is_dir():
            every = plan_paths(ws, MAX_LINTED_FILES) if every is None else every
            below = [each for each in every if path == "." or each.startswith(f"{path}/")]
            if not below:
                raise NotFound("FILE_NOT_FOUND", f"there is no *{PLAN_SUFFIX} file in {name}", "Name another folder.")
            found |= dict.fromkeys(below)
        elif not (ws.ports.files.root / path).exists():
            raise NotFound("FILE_NOT_FOUND", f"there is no file or folder {name}", "Look at its name.")
        elif not path.endswith(PLAN_SUFFIX):
            raise InvalidInput("PLAN_INVALID", f"{name} is not a {PLAN_SUFFIX} file", "Name plans, or their folder.")
        else:
            found[path] = None
    return tuple(found)


def lint_files(ws: Workspace, paths: Iterable[str]) -> Iterator[PlanFinding]:
    """All problems of plans as they are on disk, file by file in the order of the text."""
    linter = Linter()
    for path in paths:
        text = _text(ws, path)
        if isinstance(text, PlanProblem):
            yield PlanFinding(path, 1, 1, 1, 1, text)
            continue
        lines = line_spans(text)
        starts = [line.start for line in lines]
        tree = parse(text)
        changed, also_changed = changed_in(ws, tree), also_changed_in(ws, tree)
        found = (*linter.lint(ws, tree, changed, also_changed=also_changed), *half_call_problems(ws, tree))
        for problem in sorted(found, key=lambda each: each.span):
            yield PlanFinding(path, *_place(starts, problem.span.start), *_place(starts, problem.span.end), problem)


def _relative(ws: Workspace, name: str) -> str:
    """Below the workspace folder, by name: a link in it stays a link."""
    root = ws.ports.files.root
    path = os.path.normpath(root / name)
    real = ws.ports.files.resolve(name)
    if real.relative is None:
        message = f"{name} is outside the folder {root}"
        raise InvalidInput("PATH_OUTSIDE_WORKSPACE", message, "Name another folder with --cwd.")
    return Path(path).relative_to(root).as_posix() if Path(path).is_relative_to(root) else real.shown


def _text(ws: Workspace, path: str) -> str | PlanProblem:
    try:
        file = decode_text(ws.ports.files.read(ws.ports.files.resolve(path), ws.settings.limits.file_bytes))
    except InvalidInput as error:
        return PlanProblem(Span(0, 0), error.code, "error", error.message, error.hint)
    if file is None:
        return PlanProblem(Span(0, 0), "FILE_BINARY", "error", "this is not a text file", "Save it as UTF-8.")
    return file.text


def _place(starts: Sequence[int], at: int) -> tuple[int, int]:
    line = bisect_right(starts, at)
    return line, at - starts[line - 1] + 1
