"""What is amiss in a workspace's own files, and putting it right: all but plan documents can be made from the journal
and from those.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from planact.base.errors import EditFailure, InvalidInput
from planact.base.text import counted
from planact.plan.lower import plan_json
from planact.workflows.journaled import rebuilt, record_of
from planact.workflows.library import PlanDocument, keep_derived, own_plans, read_document
from planact.workflows.put_in_order import close_unknown, gist, put_in_order
from planact.workflows.workspace import Workspace


def find_faults(ws: Workspace) -> Sequence[str]:
    """What is amiss, in a line each. What a run that goes on is about to write isn't."""
    return tuple(_faults(ws))


async def repair(ws: Workspace, *, after_loss: bool = False) -> Sequence[str]:
    """Put right what can be; `after_loss` of entries of the journal, also what it knows nothing of any more. Returns
    what was done, in a line each.

    Raises:
        StorageFailure: it can't be written.
    """
    done = [*await put_in_order(ws), *(await close_unknown(ws) if after_loss else ())]
    for begun in () if ws.ports.lock.holder() else ws.ports.journal.runs():
        execution = rebuilt(ws, begun)
        if gist(record_of(ws, execution.id)) != gist(execution):
            ws.ports.records.put_execution(execution)
            done.append(f"wrote the record of “{execution.goal}” anew, from the journal")
    if not ws.ports.records.is_index_current():
        ws.ports.records.keep_index()
        done.append("wrote the index of executions anew")
    done += [f"{path} can't be read; it is kept as {_set_aside(ws, path)}" for path in _unreadable(ws)]
    stale = list(_stale_forms(ws))
    for document in stale:
        keep_derived(ws, document)
    done += [f"wrote what is derived from {document.path} anew" for document in stale]
    done += [f"removed {path}, which was never finished" for path in ws.ports.files.remove_abandoned()]
    if left := ws.ports.runner.left_behind(end=True):
        done.append(f"ended {counted(left, 'process')} of commands whose planact was killed")
    return done


def _faults(ws: Workspace) -> Iterator[str]:
    is_running = bool(ws.ports.lock.holder())
    open_runs = () if is_running else ws.ports.journal.open_runs()
    for begun in open_runs:
        yield f"the run of “{rebuilt(ws, begun).goal}” was killed, and can be taken up again"
    closed = {begun.execution_id for begun in open_runs}
    for begun in () if is_running else ws.ports.journal.runs():
        execution = rebuilt(ws, begun)
        if execution.id not in closed and gist(record_of(ws, execution.id)) != gist(execution):
            yield f"executions/{execution.id}.json is not what the journal says, or gone"
    if not ws.ports.records.is_index_current():
        yield "executions/index.json is not current"
    yield from (f"{path} can't be read" for path in _unreadable(ws))
    yield from (f"what is derived from {document.path} is not current" for document in _stale_forms(ws))
    yield from (f"{path} was never finished" for path in ws.ports.files.abandoned())
    if left := ws.ports.runner.left_behind(end=False):
        yield f"{counted(left, 'process')} of commands left, whose planact was killed"


def _stale_forms(ws: Workspace) -> Iterator[PlanDocument]:
    """The plans whose JSON form, or row in the index, is another one or missing."""
    rows = (_json(ws, f"{ws.settings.plans_directory}/index.json") or {}).get("plans")
    listed = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    for summary in own_plans(ws):
        document = read_document(ws, summary.path)
        form = _json(ws, _form_of(document.path))
        row = ws.ports.redact(summary.model_dump(mode="json"))
        if document.plan and (form != _as_json(ws.ports.redact(plan_json(document.plan))) or row not in listed):
            yield document


def _unreadable(ws: Workspace) -> Sequence[str]:
    """Derived files that hold no JSON any more."""
    paths = [_form_of(summary.path) for summary in own_plans(ws)]
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
        data = json.loads(ws.ports.files.read(place, ws.settings.limits.file_bytes))
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
