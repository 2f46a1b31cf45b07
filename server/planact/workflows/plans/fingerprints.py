"""Fingerprints of the files that a plan's steps name, as planning read them or found them missing."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping

from planact.base.errors import EditFailure, InvalidInput
from planact.base.filetext import encode
from planact.model.plan import Plan
from planact.plan.implied_files import with_implied
from planact.plan.syntax.path_name import is_plain_path
from planact.workflows.plans.implied_files import implied_in
from planact.workflows.plans.show_changes import MAX_COMPARED_BYTES
from planact.workflows.workspace import Workspace

MAX_FINGERPRINTS = 500
"""So many are kept in the front matter of one plan."""

_WORD = re.compile(r"[^\s`'\"()\[\]{}<>,;:|]+")


def fingerprints(ws: Workspace, plan: Plan, read: Mapping[str, str], known: Mapping[str, str]) -> dict[str, str]:
    """SHA-256 (hex) by path, empty for what isn't there. What the files say now is kept, to show later what changed.

    Args:
        ws: the workspace.
        plan: what was planned.
        read: what this turn read, as it was when it was read.
        known: what the plan before this revision rested on. What is gone since and no longer named is left out.
    """
    listed = {path for step in with_implied(plan, implied_in(ws, plan)).steps for path in step.files}
    named = listed.union(_mentioned(plan, read))
    found = {path: digest for path, digest in known.items() if path in named or ws.ports.files.exists(path)}
    found |= {path: digest for path, digest in read.items() if digest and (path in named or path in known)}
    found |= {path: "" for path in sorted(listed - found.keys()) if _is_to_come(ws, path)}
    for path in named & read.keys():
        _keep(ws, path, read[path])
    return dict(list(found.items())[:MAX_FINGERPRINTS])


def _mentioned(plan: Plan, paths: Iterable[str]) -> Iterator[str]:
    """Yield the paths that the analysis, an assumption or the text of a step names, in full or without their first
    folders. A name that is a path in full stands for no other.
    """
    steps = (text for step in plan.steps for text in (step.action, step.reason, step.expected_outcome))
    checks = (check for step in plan.steps for check in step.validation_checks)
    text = "\n".join((plan.analysis, *plan.assumptions, *steps, *checks))
    words = {word.rstrip(".?!").removeprefix("./") for word in _WORD.findall(text)}
    paths = tuple(paths)
    ends = {word for word in words.difference(paths) if "." in word or "/" in word}
    for path in paths:
        parts = path.split("/")
        is_short = any("/".join(parts[at:]) in ends for at in range(1, len(parts)))
        if path in words or is_short or f"`{path}`" in text:
            yield path


def _is_to_come(ws: Workspace, path: str) -> bool:
    """A step can only mean to create that file."""
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
        texts += [ws.ports.files.read(place, MAX_COMPARED_BYTES)] if place.exists else []
    except (EditFailure, InvalidInput):
        return
    for data in texts:
        if len(data) <= MAX_COMPARED_BYTES and hashlib.sha256(data).hexdigest() == digest:
            ws.ports.journal.keep(data)
