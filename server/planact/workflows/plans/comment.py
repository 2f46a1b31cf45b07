"""The user's comments in a plan document, written for editors that have a box for them."""

from collections.abc import Sequence

from planact.base.errors import Conflict, InvalidInput
from planact.base.span import apply_edits
from planact.model.runs.change import ReplaceText
from planact.plan.syntax.comments import add_comment, comment_ranges
from planact.workflows.plans.library import PlanDocument, check_plan_idle, keep_own, origin_of
from planact.workflows.workspace import Workspace


async def comment_plan(ws: Workspace, document: PlanDocument, line: int, text: str) -> int:
    """Write a comment below a line, from 0, of a document that the editor may have open, and leave it unsaved there;
    return the comment's first line.

    Raises:
        InvalidInput: INVALID_ARGUMENTS, where no comment can be put.
        Conflict: BUSY, while the plan is executed.
        EditFailure: EDIT_CONFLICT, when the text has changed meanwhile.
    """
    check_plan_idle(ws, document.path)
    added = add_comment(document.tree, line, text) if text.strip() else None
    if added is None:
        hint = "Put it at the goal, at a step, or at a line of a section."
        what = "nothing" if not text.strip() else f"line {line + 1}"
        raise InvalidInput("INVALID_ARGUMENTS", f"there is no place for a comment on {what}", hint)
    edit, first = added
    is_own = origin_of(ws, document) == "own"
    await ws.ports.editor.apply((ReplaceText(document.place, document.file, (edit,)),), "Comment")
    if is_own:
        keep_own(ws, document.path, apply_edits(document.file.text, (edit,)))
    return first


def places_for_comments(ws: Workspace, document: PlanDocument) -> Sequence[tuple[int, int]]:
    """Return ranges of lines, as `comment_ranges` does; none while the plan may not be revised."""
    try:
        check_plan_idle(ws, document.path)
    except Conflict:
        return ()
    return comment_ranges(document.tree)
