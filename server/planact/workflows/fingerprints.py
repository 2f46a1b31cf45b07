"""What a plan rests on: fingerprints of the files that its steps name, as planning read them or found them missing."""

import hashlib
from collections.abc import Mapping

from planact.base.errors import EditFailure, InvalidInput
from planact.base.filetext import encode
from planact.model.plan import Plan
from planact.plan.references import is_plain_path
from planact.workflows.show_changes import LARGEST
from planact.workflows.workspace import Workspace

MAX_FILES = 500
"""So many are kept in the front matter of one plan."""


def fingerprints(ws: Workspace, plan: Plan, read: Mapping[str, str], known: Mapping[str, str]) -> dict[str, str]:
    """SHA-256 (hex) by path, empty for what isn't there. What the files say now is kept, to show later what changed.

    Args:
        ws: the workspace.
        plan: what was planned.
        read: what this turn read, as it was when it was read.
        known: what the plan before this revision rested on. What is gone since and no longer named is left out.
    """
    named = {path for step in plan.steps for path in step.files}
    found = {path: digest for path, digest in known.items() if path in named or ws.ports.files.exists(path)}
    found |= {path: digest for path, digest in read.items() if digest and (path in named or path in known)}
    found |= {path: "" for path in sorted(named - found.keys()) if _is_to_come(ws, path)}
    for path in named & read.keys():
        _keep(ws, path, read[path])
    return dict(list(found.items())[:MAX_FILES])


def _is_to_come(ws: Workspace, path: str) -> bool:
    """Whether a step can only mean to make that file."""
    if not is_plain_path(path) or path.endswith("/") or ws.ports.files.exists(path):
        return False
    place = ws.ports.files.resolve(path)
    return place.relative is not None and not place.exists


def _keep(ws: Workspace, path: str, digest: str) -> None:
    """Keep what was read, if it is still so."""
    place = ws.ports.files.resolve(path)
    try:
        buffer = ws.ports.editor.buffer(place)
        texts = [encode(buffer, buffer.text)] if buffer is not None else []
        texts += [ws.ports.files.read(place, LARGEST)] if place.exists else []
    except (EditFailure, InvalidInput):
        return
    for data in texts:
        if len(data) <= LARGEST and hashlib.sha256(data).hexdigest() == digest:
            ws.ports.journal.keep(data)
