"""Whether what a plan rests on is still as it was when the plan was made."""

import hashlib
from collections.abc import Sequence

from planact.base.errors import InvalidInput
from planact.model.plan import Plan
from planact.workflows.journaled import changed_files
from planact.workflows.workspace import Workspace


def stale_files(ws: Workspace, plan: Plan) -> Sequence[str]:
    """Files of the plan's context that have changed since, or are gone. What its own runs made of them doesn't
    count.
    """
    own = {
        change.path: change.after
        for execution in reversed(ws.ports.records.executions())
        if plan.context and plan.id and execution.plan_id == plan.id
        for change in changed_files(ws, execution.id)
    }
    return [
        file.path
        for file in plan.context
        if digest(ws, file.path) not in (file.sha256, own.get(file.path, file.sha256))
    ]


def digest(ws: Workspace, path: str) -> str:
    """SHA-256 (hex) of a file's bytes on disk; empty where there is none that can be read."""
    place = ws.ports.files.resolve(path)
    if place.relative is None or not place.exists:
        return ""
    try:
        return hashlib.sha256(ws.ports.files.read(place, ws.settings.limits.file_bytes)).hexdigest()
    except InvalidInput:
        return ""
