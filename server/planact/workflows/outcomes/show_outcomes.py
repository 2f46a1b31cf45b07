"""Show what commands on trial changed: first what no difference of texts tells, then these."""

import os
from collections.abc import Iterator, Sequence

from planact.base.text import named
from planact.model.runs.touch import NOTHING, FileState
from planact.plan.lint_context import ChangedFile
from planact.policy.outcomes import RIGHTS_OF_NEW, Outcome
from planact.workflows.plans.show_changes import show_changes
from planact.workflows.workspace import Workspace

_TEXTS = ("file", "nothing")


def show_outcomes(ws: Workspace, outcomes: Sequence[Outcome]) -> str:
    """Return a line for each link, folder and change of rights, and a difference for each file; cut where it gets too
    long.
    """
    changed = [
        ChangedFile(each.path, each.before.sha256 if each.before.kind == "file" else "", each.now.sha256)
        for each in outcomes
        if each.before is not None and each.before.kind in (*_TEXTS, "link") and each.now.kind in _TEXTS
    ]
    is_text = [each for each in changed if each.was != each.now]
    return "".join((*_lines(ws, outcomes), show_changes(ws, is_text, "before")))


def _lines(ws: Workspace, outcomes: Sequence[Outcome]) -> Iterator[str]:
    for each in outcomes:
        before, now = each.before, each.now
        if before is None or before.kind == "other":
            told = "" if now == NOTHING else f"{_form(ws, now)} now; "  # a name that is no text can't be looked up
            yield f"{named(each.path)}: {told}what it was before isn't known\n"
        elif before.kind == now.kind == "file":
            if before.mode != now.mode:
                yield f"{named(each.path)}: mode {_octal(now.mode)} now, {_octal(before.mode)} before\n"
        elif before.kind not in _TEXTS or now.kind not in _TEXTS or _has_odd_rights(now):
            yield f"{named(each.path)}: {_form(ws, now)} now, {_form(ws, before)} before\n"


def _form(ws: Workspace, state: FileState) -> str:
    match state.kind:
        case "nothing":
            return "nothing"
        case "link":
            target = ws.ports.journal.kept(state.sha256)
            return "a link" if target is None else f"a link to {named(os.fsdecode(target))}"
        case "file" | "directory":
            noun = "file" if state.kind == "file" else "folder"
            return f"a {noun} of mode {_octal(state.mode)}"
        case "other":
            return "no file, such as a pipe, or one that is too large"


def _has_odd_rights(state: FileState) -> bool:
    return state != NOTHING and bool((state.mode or 0) & ~RIGHTS_OF_NEW["file"])


def _octal(mode: int | None) -> str:
    return "unknown" if mode is None else f"{mode:03o}"
