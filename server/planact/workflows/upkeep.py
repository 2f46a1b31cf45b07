"""Check and repair planact's files in a workspace: all but plan documents can be rebuilt from the journal and from the
plans.
"""

import json
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import PurePosixPath

from planact.base.errors import EditFailure, InvalidInput
from planact.base.text import counted
from planact.model.plan import PlanSummary
from planact.plan.syntax.lower import plan_json
from planact.workflows.history.journal_queries import load_record, rebuild_execution
from planact.workflows.plans.library import PlanDocument, own_plans, read_document, refresh_derived
from planact.workflows.runs.recover_runs import close_lost_runs, essentials, recover_runs, unknown_runs
from planact.workflows.workspace import Workspace

_LOOKED_AT = 50
"""Newest runs whose records `find_faults` compares with the journal; `repair` compares all."""

_NAMED = 3
"""So many odd records get a line each; more share one."""


def find_faults(ws: Workspace, *, after_loss: bool) -> Sequence[str]:
    """Return faults of the stored state, a line each, but for files that a run is about to write. `after_loss` of the
    journal, runs that only their records know are named, too.
    """
    unknown = unknown_runs(ws) if after_loss else ()
    return (
        *_faults(ws),
        *(f"“{record.goal}” is recorded as running, but the journal doesn't know it" for record in unknown),
    )


async def repair(ws: Workspace, *, after_loss: bool = False) -> Sequence[str]:
    """Repair derived files; `after_loss` of journal entries, also remove state that the journal doesn't know any more.
    Return the repairs, a line each.

    Raises:
        StorageFailure: a file can't be written.
    """
    done = [*await recover_runs(ws), *(await close_lost_runs(ws) if after_loss else ())]
    for begun in () if ws.ports.lock.holder() else ws.ports.journal.runs():
        execution = rebuild_execution(ws, begun)
        if essentials(load_record(ws, execution.id)) != essentials(execution):
            ws.ports.records.put_execution(execution)
            done.append(f"wrote the record of “{execution.goal}” anew, from the journal")
    if not ws.ports.records.is_index_current():
        ws.ports.records.keep_index()
        done.append("wrote the index of executions anew")
    plans = own_plans(ws)
    done += [f"{path} can't be read; it is kept as {_set_aside(ws, path)}" for path in _unreadable(ws, plans)]
    stale = list(_stale_forms(ws, plans))
    for document in stale:
        refresh_derived(ws, document)
    done += [f"wrote what is derived from {document.path} anew" for document in stale]
    done += [f"removed {path}, which was never finished" for path in ws.ports.files.remove_abandoned()]
    if left := ws.ports.runner.left_behind(end=True):
        done.append(f"ended {counted(left, 'process')} of commands whose planact was killed")
    return done


def _faults(ws: Workspace) -> Iterator[str]:
    is_running = bool(ws.ports.lock.holder())
    open_runs = () if is_running else ws.ports.journal.open_runs()
    for begun in open_runs:
        yield f"the run of “{rebuild_execution(ws, begun).goal}” broke off, and can be taken up again"
    closed = {begun.execution_id for begun in open_runs}
    runs = () if is_running else map(partial(rebuild_execution, ws), ws.ports.journal.runs(limit=_LOOKED_AT))
    odd = [run.id for run in runs if run.id not in closed and essentials(load_record(ws, run.id)) != essentials(run)]
    if len(odd) > _NAMED:  # as after `.planact/` was deleted
        yield f"executions/{odd[0]}.json and {len(odd) - 1} more are not what the journal says, or gone"
    else:
        yield from (f"executions/{run_id}.json is not what the journal says, or gone" for run_id in odd)
    if not ws.ports.records.is_index_current():
        yield "executions/index.json is not current"
    plans = own_plans(ws)
    yield from (f"{path} can't be read" for path in _unreadable(ws, plans))
    yield from (f"what is derived from {document.path} is not current" for document in _stale_forms(ws, plans))
    yield from (f"{path} was never finished" for path in ws.ports.files.abandoned())
    if left := ws.ports.runner.left_behind(end=False):
        yield f"{counted(left, 'process')} of commands left, whose planact was killed"


def _stale_forms(ws: Workspace, plans: Sequence[PlanSummary]) -> Iterator[PlanDocument]:
    """The plans whose JSON form, or row in the index, is another one or missing."""
    rows = (_json(ws, f"{ws.settings.plans_directory}/index.json") or {}).get("plans")
    listed = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    for summary in plans:
        document = read_document(ws, summary.path)
        form = _json(ws, _form_of(document.path))
        row = ws.ports.redact(summary.index_row())
        if document.plan and (form != _as_json(ws.ports.redact(plan_json(document.plan))) or row not in listed):
            yield document


def _unreadable(ws: Workspace, plans: Sequence[PlanSummary]) -> Sequence[str]:
    """Derived files that hold no JSON any more."""
    paths = [_form_of(summary.path) for summary in plans]
    index = f"{ws.settings.plans_directory}/index.json"
    return [path for path in (*paths, index) if _json(ws, path) is None]


def _form_of(path: str) -> str:
    return str(PurePosixPath(path).with_suffix(".json"))


def _json(ws: Workspace, path: str) -> dict[str, object] | None:
    """The object in a file; empty where there is no file, None where it can't be read."""
    place = ws.ports.files.resolve(path)
    if not place.exists:
        return {}
    try:
        data = json.loads(ws.read(place))
    except (ValueError, RecursionError, InvalidInput):
        return None
    return data if isinstance(data, dict) else None


def _as_json(value: object) -> object:
    return json.loads(json.dumps(value))


def _set_aside(ws: Workspace, path: str) -> str:
    """Rename it, and say to what."""
    place = ws.ports.files.resolve(path)
    stamp = f"{ws.ports.clock.now():%Y%m%dT%H%M%S%f}"
    for number in range(1, 1_000):
        target = ws.ports.files.resolve(f"{path}.damaged-{stamp}-{number}")
        if not target.exists:
            ws.ports.files.rename(place, target)
            return target.shown
    raise EditFailure("FILE_EXISTS", f"there is no free name for {path}", "Move the damaged files away.")
