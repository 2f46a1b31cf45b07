"""Plans of a folder checked as files, for whoever has no editor open: a build, or somebody before a commit."""

import os
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from planact.base.errors import InvalidInput, NotFound
from planact.base.filetext import decode
from planact.base.span import Span, line_spans
from planact.plan.parser import parse
from planact.plan.problem import Problem
from planact.policy.protected import PLAN_SUFFIX
from planact.workflows.check_freshness import changed_in
from planact.workflows.lint_plan import Linter
from planact.workflows.workspace import Workspace

MAX_FILES = 100_000
"""So many plans of the folders that are named are looked at."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem with its place: lines and columns count from 1, columns in characters; the end is exclusive."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    problem: Problem


def plans_in(ws: Workspace, names: Iterable[str]) -> tuple[str, ...]:
    """The plans that files and folders, named relative to the workspace folder or in full, stand for; each once.

    Raises:
        NotFound: FILE_NOT_FOUND, also where a folder holds no plan: nothing checked must not pass for nothing wrong.
        InvalidInput: PLAN_INVALID for a file of another kind, PATH_OUTSIDE_WORKSPACE.
    """
    every: Sequence[str] | None = None
    found: dict[str, None] = {}
    for name in names:
        path = _relative(ws, name)
        if (ws.ports.files.root / path).is_dir():
            every = ws.ports.files.find(PLAN_SUFFIX, MAX_FILES) if every is None else every
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


def lint_files(ws: Workspace, paths: Iterable[str]) -> Iterator[Finding]:
    """All problems of plans as they are on disk, file by file in the order of the text."""
    linter = Linter()
    for path in paths:
        text = _text(ws, path)
        if isinstance(text, Problem):
            yield Finding(path, 1, 1, 1, 1, text)
            continue
        lines = line_spans(text)
        starts = [line.start for line in lines]
        tree = parse(text)
        for problem in linter.lint(ws, tree, changed_in(ws, tree)):
            yield Finding(path, *_place(starts, problem.span.start), *_place(starts, problem.span.end), problem)


def _relative(ws: Workspace, name: str) -> str:
    """Below the workspace folder, by name: a link in it stays a link."""
    root = ws.ports.files.root
    path = os.path.normpath(root / name)
    real = ws.ports.files.resolve(name)
    if real.relative is None:
        message = f"{name} is outside the folder {root}"
        raise InvalidInput("PATH_OUTSIDE_WORKSPACE", message, "Name another folder with --cwd.")
    return Path(path).relative_to(root).as_posix() if Path(path).is_relative_to(root) else real.shown


def _text(ws: Workspace, path: str) -> str | Problem:
    try:
        file = decode(ws.ports.files.read(ws.ports.files.resolve(path), ws.settings.limits.file_bytes))
    except InvalidInput as error:
        return Problem(Span(0, 0), error.code, "error", error.message, error.hint)
    if file is None:
        return Problem(Span(0, 0), "FILE_BINARY", "error", "this is not a text file", "Save it as UTF-8.")
    return file.text


def _place(starts: Sequence[int], at: int) -> tuple[int, int]:
    line = bisect_right(starts, at)
    return line, at - starts[line - 1] + 1
