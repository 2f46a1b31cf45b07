"""Earlier texts of a plan: stored whenever planact is about to replace its text or the user approves it."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from planact.base.errors import Conflict, NotFound
from planact.model.chat.message import REDACTED
from planact.model.plan_records import Author, Revision
from planact.plan.revision import replace_text
from planact.workflows.plans.library import PlanDocument, check_plan_idle, edit_document
from planact.workflows.workspace import Workspace

NOW = 0
"""The number that stands for the document as it is."""


@dataclass(frozen=True, slots=True)
class RevisionDiff:
    """Two texts of a plan and a unified diff from one to the other, which is empty where they are the same.

    `number` and `other` are their revisions, `NOW` for the document as it is.
    """

    before: str
    after: str
    diff: str
    number: int
    other: int


def keep_revision(ws: Workspace, document: PlanDocument, author: Author) -> None:
    """Keep the document as it is now."""
    plan_id = document.plan.id if document.plan else ""
    ws.ports.revisions.add(document.path, plan_id, document.file.text, author, ws.now())


def propose_revision(ws: Workspace, document: PlanDocument, text: str) -> int:
    """Keep a text that the planner wrote and that is not in the document; its number."""
    plan_id = document.plan.id if document.plan else ""
    ws.ports.revisions.add(document.path, plan_id, text, "planner", ws.now())
    return ws.ports.revisions.list(document.path)[-1].number


def compare_revisions(ws: Workspace, document: PlanDocument, number: int = NOW, other: int = NOW) -> RevisionDiff:
    """From revision `number` to revision `other`. Without both to the document from its last other text.

    Raises:
        NotFound: REVISION_NOT_FOUND.
    """
    after = _text(ws, document, other)
    is_chosen = bool(number or other)
    number = number if is_chosen else _last_other(ws, document, after)
    before = _text(ws, document, number)
    old, new = (text.splitlines(keepends=True) for text in (before, after))
    names = [f"revision {each}" if each else document.path for each in (number, other)]
    diff = difflib.unified_diff(old, new, names[0] if is_chosen else "before", names[1])
    text = "".join(line if line.endswith("\n") else f"{line}\n" for line in diff)
    return RevisionDiff(before, after, text, number, other)


def revision_text(ws: Workspace, path: str, number: int) -> str:
    """Return the text of revision `number` of the plan at `path`.

    Raises:
        NotFound: REVISION_NOT_FOUND.
    """
    return _find(ws, path, number).text


async def restore_revision(ws: Workspace, session_id: str, document: PlanDocument, number: int) -> PlanDocument:
    """Put an earlier text in place of the document's; what it says now is kept. An approval of another text falls.

    Raises:
        NotFound: REVISION_NOT_FOUND.
        Conflict: BUSY, while it is executed; PLAN_INVALID, where a secret was left out of the revision.
    """
    text = _text(ws, document, number)
    check_plan_idle(ws, document.path)
    if REDACTED in text and REDACTED not in document.file.text:
        hint = "Copy what you need from the difference."
        raise Conflict("PLAN_INVALID", f"revision {number} holds {REDACTED} where a secret was left out", hint)
    keep_revision(ws, document, "user")
    edits = replace_text(document.file.text, text)
    restored = await edit_document(ws, session_id, document, edits, f"Restore revision {number}", is_own=True)
    keep_revision(ws, restored, "user")
    return restored


def _text(ws: Workspace, document: PlanDocument, number: int) -> str:
    if number == NOW:
        return document.file.text
    return revision_text(ws, document.path, number)


def _find(ws: Workspace, path: str, number: int) -> Revision:
    kept = ws.ports.revisions.list(path)
    found = next((revision for revision in kept if revision.number == number), None)
    if found is None:
        hint = f"It has {_listed([each.number for each in kept])}." if kept else "None was kept yet."
        raise NotFound("REVISION_NOT_FOUND", f"{path} has no revision {number}", hint)
    return found


def _listed(numbers: Sequence[int]) -> str:
    """Numbers that grow, in words: `the revisions 1 to 3 and 7`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = [str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs]
    listed = " and ".join([", ".join(parts[:-1]), parts[-1]] if parts[1:] else parts)
    return f"the revision{'s' * (len(numbers) > 1)} {listed}"


def _last_other(ws: Workspace, document: PlanDocument, text: str) -> int:
    kept = reversed(ws.ports.revisions.list(document.path))
    return next((each.number for each in kept if each.text != text), NOW)
