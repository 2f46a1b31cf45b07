"""Ask what to do where files that a plan rests on have changed: make it anew, go on, look at them, or leave it."""

import hashlib
from collections.abc import Callable, Sequence
from typing import Literal

from planact.model.permission import Mode
from planact.model.question import Option, Question
from planact.plan.changes import ChangedFile, names_of
from planact.plan.code_span import fenced
from planact.workflows.hooks import ask_user
from planact.workflows.library import PlanDocument
from planact.workflows.revise_plan import revise_plan
from planact.workflows.show_changes import show_changes
from planact.workflows.switch_mode import enter_mode
from planact.workflows.workspace import Workspace

Choice = Literal["go_on", "replan", "cancel"]

_CHOICES = (
    Option(label="Re-plan", value="replan", description="revise the plan before going on"),
    Option(label="Go on", value="go_on"),
    Option(label="Show changes", value="show_changes"),
    Option(label="Cancel", value="cancel", variant="primary"),
)


async def heed_changes(
    ws: Workspace,
    session_id: str,
    document: PlanDocument,
    find: Callable[[], Sequence[ChangedFile]],
    accepted: dict[str, str],
) -> tuple[Choice, Sequence[ChangedFile]]:
    """Ask until nothing has changed but what the user goes on with, or they want something else.

    Args:
        ws: the workspace.
        session_id: who executes the plan.
        document: the plan.
        find: what has changed by now.
        accepted: SHA-256 by path of what the user has gone on with, which gets what they go on with now.

    Returns the choice, and what it was about.

    Raises:
        EndTurn: `waiting`, when nobody can be asked now.
    """
    while changed := [file for file in find() if accepted.get(file.path) != file.now]:
        choice = await _ask(ws, session_id, document, changed)
        if choice != "go_on":
            return choice, changed
        accepted |= {file.path: file.now for file in changed}
    return "go_on", ()


async def replan(ws: Workspace, session_id: str, path: str, wish: str) -> None:
    """Back to Plan, and a revision by `wish`. The user asked for it."""
    if ws.ports.sessions.get(session_id).mode is not Mode.PLAN:
        enter_mode(ws, session_id, Mode.PLAN, "re-plan")
    await revise_plan(ws, session_id, path, wish)


async def _ask(ws: Workspace, session_id: str, document: PlanDocument, changed: Sequence[ChangedFile]) -> Choice:
    state = " ".join(f"{file.path} {file.now}" for file in changed)
    subject = f"stale {document.path} {hashlib.sha256(f'{document.hash} {state}'.encode()).hexdigest()}"
    asked = Question(
        name="stale",
        question=f"Files that the plan rests on have changed since: {names_of(changed)}. Go on?",
        severity="major",
        options=_CHOICES,
        default="cancel",
    )
    ended = await ask_user(ws, session_id, (asked,), "confirm", subject)
    if ended.status == "answered" and ended.answers["stale"] == "show_changes":
        rest = tuple(option for option in _CHOICES if option.value != "show_changes")
        shown = fenced(show_changes(ws, changed).rstrip(), "diff")
        asked = asked.model_copy(update={"options": rest, "context": shown})
        ended = await ask_user(ws, session_id, (asked,), "confirm", f"{subject} shown")
    match ended.answers.get("stale") if ended.status == "answered" else None:
        case "go_on":
            return "go_on"
        case "replan":
            return "replan"
        case _:
            return "cancel"
