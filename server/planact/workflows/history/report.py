"""Report on a run for people: a few lines for the session, and a page in Markdown.

Text from commands, models and plans stands on one line, in code or in fences, so that it can't pass for the report's
own.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from planact.base.errors import NotFound
from planact.base.text import capped, counted, first_few, one_line
from planact.model.plan import StepStatus
from planact.model.runs.execution import CheckResult, Evidence, Execution, FileChange, Repair, Rollback, StepRecord
from planact.plan.syntax.code_span import fenced, wrap
from planact.workflows.history.journal_queries import load_record, newest_first, runs_of
from planact.workflows.workspace import Workspace

_LONGEST_LINE = 300
_LONGEST_OUTPUT = 4_000
_MOST_UNCHANGED = 5


def find_execution(ws: Workspace, execution_id: str) -> Execution:
    """The run with that id, or the only one whose id ends so; the newest where it is empty.

    Raises:
        NotFound: EXECUTION_NOT_FOUND.
    """
    if not execution_id:
        return _newest(ws)
    ids = ws.ports.records.execution_ids()
    names = [execution_id] if execution_id in ids else [name for name in ids if name.endswith(execution_id)]
    found = [run for name in names if (run := load_record(ws, name))]
    if len(found) != 1:
        told = "several executions end with" if found else "there is no execution"
        raise NotFound("EXECUTION_NOT_FOUND", f"{told} {execution_id}", "List the executions to see them.")
    return found[0]


def list_executions(ws: Workspace, limit: int, *, plan_id: str = "") -> tuple[tuple[Execution, ...], int]:
    """The newest runs, or those of a plan, at most `limit`, the newest first; and how many older ones there are."""
    if plan_id:
        runs = tuple(runs_of(ws, "", plan_id))
        return runs[:limit], max(0, len(runs) - limit)
    found = tuple(islice(newest_first(ws), limit))
    return found, max(0, len(ws.ports.records.execution_ids()) - len(found)) if len(found) == limit else 0


def _newest(ws: Workspace) -> Execution:
    for run in newest_first(ws):
        return run
    raise NotFound("EXECUTION_NOT_FOUND", "there is no execution in this folder", "Execute a plan to begin one.")


def summary(execution: Execution) -> str:
    """In a few lines, as the session says it."""
    lines = [f"{_goal(execution)}: {_words(execution.status)}"]
    if execution.reason:
        lines[0] += f" ({execution.reason})"
    for record in execution.steps:
        parts = [] if _is_killed(record) else [_seconds(record.duration)]
        if record.files:
            parts.append(", ".join(change.path for change in record.files))
        parts += [counted(len(record.repairs), "repair")] if record.repairs else []
        parts += [f"check {_ending(check)}: {check.command}" for check in record.checks]
        parts += [adaptation.adapted_action for adaptation in record.adaptations]
        if record.unchanged and record.status is StepStatus.DONE:  # else its error names them
            parts.append(f"named and not changed: {first_few(record.unchanged, _MOST_UNCHANGED)}")
        told = f" ({'; '.join(parts)})" if parts else ""
        lines.append(f"{_step(record)}: {_result(record)}{told}")
    lines += [_taken_back(rollback) for rollback in execution.rollbacks]
    return "\n".join(lines)


def report(execution: Execution) -> str:
    """All that the record says, as Markdown."""
    return "\n".join([*_head(execution), *(line for record in execution.steps for line in _section(record))]) + "\n"


def step_report(record: StepRecord) -> str:
    """Report on one step in Markdown."""
    return "\n".join([*_section(record)][1:]) + "\n"


def _head(execution: Execution) -> Iterator[str]:
    reason = f": {_line(execution.reason)}" if execution.reason else ""
    yield f"# {_line(_goal(execution))}"
    yield ""
    yield f"**{_words(execution.status).capitalize()}**{reason}"
    yield ""
    if execution.plan_file:
        yield f"- Plan: {wrap(_line(execution.plan_file))}"
    yield f"- Execution: {wrap(execution.id)}"
    ended = f", ended {execution.finished_at}" if execution.finished_at else ""
    yield f"- Began {execution.started_at}{ended}, {_seconds(execution.duration)}"
    yield f"- Model: {execution.usage.in_words()}"
    yield from (f"  - {_line(part)}" for part in execution.usage.parts_in_words())
    if execution.broken_off.requests:
        yield f"  - attempts that broke off: {execution.broken_off.in_words()}"
    yield from (f"- Failed before the first step: {wrap(_line(check.command))}" for check in execution.checks_before)
    yield from (f"- {_taken_back(rollback)}" for rollback in execution.rollbacks)


def _section(record: StepRecord) -> Iterator[str]:
    yield from ("", f"## {_line(_step(record))}: {_result(record)}", "")
    if record.error:
        yield from (_line(record.error), "")
    if record.output:
        yield from (fenced(capped(record.output, _LONGEST_OUTPUT)), "")
    if not _is_killed(record):
        yield f"- Took {_seconds(record.duration)}; {record.usage.in_words()}"
    yield from (f"- Adapted: {_line(each.adapted_action)} ({_line(each.reason)})" for each in record.adaptations)
    yield from (f"- {_change(change)} {wrap(_line(change.path))}" for change in record.files)
    yield from (f"- Named and not changed: {wrap(_line(path))}" for path in record.unchanged)
    yield from (f"- Can't be rolled back: {_line(each)}" for each in record.uncovered)
    yield from _done(record.evidence)
    for repair in record.repairs:
        yield from _repair(repair)
    for check in record.checks:
        yield from _check(check)


def _done(evidence: Sequence[Evidence]) -> Iterator[str]:
    for each in evidence:
        code = f", exit code {each.exit_code}" if each.exit_code is not None else ""
        approved = f", a variant of {wrap(_line(each.variant_of))}" if each.variant_of else ""
        yield f"- Did: {each.tool} {wrap(_line(each.about))}{approved}{code}"


def _repair(repair: Repair) -> Iterator[str]:
    changed = f", changed {', '.join(wrap(_line(path)) for path in repair.files)}" if repair.files else ""
    yield f"- Repair {repair.number}{changed}, after:"
    yield from _check(repair.check)


def _check(check: CheckResult) -> Iterator[str]:
    code = check.ending if check.exit_code is None else f"exit code {check.exit_code}"
    yield f"- Check {_ending(check)}: {wrap(_line(check.command))}, {code}"
    if check.output.strip():
        yield from ("", fenced(capped(check.output.strip("\n"), _LONGEST_OUTPUT)), "")


def _ending(check: CheckResult) -> str:
    if check.failed_first:
        return "failed once, then passed"
    return "passed" if check.passed else "failed as before the run" if check.failed_before else "failed"


def _change(change: FileChange) -> str:
    if not change.is_covered:
        return "Changed by what it ran, and can't be rolled back:"
    if not change.before:
        return "Created"
    return "Changed" if change.after else "Deleted"


def _taken_back(rollback: Rollback) -> str:
    steps = [str(step) for step in rollback.steps if step]
    which = f": step{'s' if len(steps) > 1 else ''} {', '.join(steps)}" if steps else ""
    return f"Rolled back at {rollback.at}{which}"


def _goal(execution: Execution) -> str:
    return execution.goal or "Work without a plan"


def _step(record: StepRecord) -> str:
    again = f", attempt {record.attempt}" if record.attempt > 1 else ""
    number = f"{record.step_number}. " if record.step_number else ""
    return f"{number}{record.action}{again}"


def _words(status: str) -> str:
    return status.replace("_", " ")


def _is_killed(record: StepRecord) -> bool:
    """Nobody knows how long the attempt took, and what it used."""
    return record.ended_by == "kill"


def _result(record: StepRecord) -> str:
    return "broken off" if _is_killed(record) else record.status.value


def _seconds(duration: float) -> str:
    return f"{duration:.0f} s"


def _line(text: str) -> str:
    return one_line(text, _LONGEST_LINE)
