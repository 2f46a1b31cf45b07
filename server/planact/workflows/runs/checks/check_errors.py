"""What language servers say of the files that a step changed. New errors are a failed check, the step's last one."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from planact.base.filetext import decode_text
from planact.base.text import counted, named
from planact.model.file import EditCheck, EditedText
from planact.model.runs.execution import CheckResult, FileChange, FileErrors
from planact.policy.protected import PLAN_SUFFIX
from planact.tools.diagnostics.problem_lines import new_error_lines
from planact.workflows.runs.checks.missing_package import misses_package
from planact.workflows.workspace import Workspace

_WAIT_SECONDS = 8.0
_MOST_CHECKED = 50
"""Files of one step that are looked at, those first that no command changed."""


async def check_errors(ws: Workspace, session_id: str, changes: Sequence[FileChange]) -> CheckResult | None:
    """Return the check of changed files; None where no language server knows anything of them. What is unknown fails
    no step.
    """
    started = ws.ports.clock.seconds()
    edits = await asyncio.to_thread(_edits, ws, changes)
    checks = await ws.ports.language_servers.compare(session_id, edits, _WAIT_SECONDS) if edits else ()
    if not any(check.new is not None for check in checks):
        return None
    counting = await asyncio.to_thread(lambda: [_counting(ws, check) for check in checks])
    errors = tuple(map(_errors, checks, counting))
    return CheckResult(
        command="diagnostics",
        exit_code=None,
        output="\n".join((*map(_line, checks, errors), *new_error_lines(counting))),
        passed=not any(file.new for file in errors),
        duration=ws.ports.clock.seconds() - started,
        kind="diagnostics",
        errors=errors,
    )


def _edits(ws: Workspace, changes: Sequence[FileChange]) -> Sequence[EditedText]:
    ordered = sorted(changes, key=lambda change: change.by_command)
    return list(islice((edit for change in ordered if (edit := _edit(ws, change)) is not None), _MOST_CHECKED))


def _edit(ws: Workspace, change: FileChange) -> EditedText | None:
    if not change.is_covered or not change.after or change.before == change.after or change.path.endswith(PLAN_SUFFIX):
        return None
    after = ws.shown_text(change.path)
    kept = ws.ports.journal.kept(change.before) if change.before else None
    before = decode_text(kept) if kept is not None else None
    if after is None or (change.before and before is None):
        return None
    return EditedText(change.path, before.text if before else None, after)


def _counting(ws: Workspace, check: EditCheck) -> EditCheck:
    """Return the check with those new errors alone that count against the step."""
    if not check.is_compared:
        return replace(check, new=())

    def exists(path: str) -> bool:
        return ws.ports.files.resolve(path).exists

    return replace(check, new=tuple(error for error in check.new or () if not misses_package(error, exists)))


def _errors(check: EditCheck, counting: EditCheck) -> FileErrors:
    if check.new is None:
        return FileErrors(path=check.path, before=None, after=None)
    before = check.errors - len(check.new) + check.gone if check.is_compared else None
    return FileErrors(path=check.path, before=before, after=check.errors, new=len(counting.new or ()))


def _line(check: EditCheck, errors: FileErrors) -> str:
    return f"{named(errors.path)}: {', '.join(_words(check, errors))}"


def _words(check: EditCheck, errors: FileErrors) -> Iterator[str]:
    if errors.after is None:
        yield f"not known by {named(check.server)}"
        return
    yield f"{counted(errors.after, 'error')} by {named(check.server)}"
    yield "those before the step aren't known" if errors.before is None else f"{errors.before} before the step"
    if left := len(check.new or ()) - errors.new if check.is_compared else 0:
        yield f"{counted(left, 'package')} not installed"
