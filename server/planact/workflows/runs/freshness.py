"""Check before a run and before each step that the files are still those that the plan was made for.

The run's own changes don't count, and changes that the user accepted are not asked about again.
"""

import hashlib
from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from planact.base.errors import Conflict
from planact.model.plan import Plan, Step
from planact.model.question import Option, Question
from planact.model.rights.permission import Mode
from planact.plan.lint_context import ChangedFile, names_of
from planact.plan.syntax.code_span import fenced
from planact.workflows.history.check_freshness import digests, left_by_runs, stale_files
from planact.workflows.hooks import ask_user
from planact.workflows.plans.implied_files import approved_plan
from planact.workflows.plans.library import PlanDocument
from planact.workflows.plans.show_changes import show_changes
from planact.workflows.runs.revise_plan import revise_plan
from planact.workflows.runs.run_files import RunFiles
from planact.workflows.sessions.switch_mode import enter_mode
from planact.workflows.turns.take_turn import TurnTaken
from planact.workflows.workspace import Workspace

ChangesChoice = Literal["go_on", "replan", "cancel"]

_CHOICES = (
    Option(label="Re-plan", value="replan", description="revise the plan before going on"),
    Option(label="Go on", value="go_on"),
    Option(label="Show changes", value="show_changes"),
    Option(label="Cancel", value="cancel", variant="primary"),
)


async def ask_about_changes(
    ws: Workspace,
    session_id: str,
    document: PlanDocument,
    find: Callable[[], Sequence[ChangedFile]],
    accepted: dict[str, str],
) -> tuple[ChangesChoice, Sequence[ChangedFile]]:
    """Ask until all changes are accepted, or the user chooses not to go on.

    Args:
        ws: the workspace.
        session_id: the session that executes the plan.
        document: the plan.
        find: returns the files changed by now.
        accepted: SHA-256 by path of the changes that the user accepted; extended by those that they accept now.

    Returns the choice, and the changed files it was about.

    Raises:
        EndTurn: `waiting`, when the user can't be asked now.
    """
    while changed := [file for file in find() if accepted.get(file.path) != file.now]:
        choice = await _ask(ws, session_id, document, changed)
        if choice != "go_on":
            return choice, changed
        accepted |= {file.path: file.now for file in changed}
    return "go_on", ()


async def replan(ws: Workspace, session_id: str, path: str, wish: str) -> TurnTaken:
    """Back to Plan, and a revision by `wish`. The user asked for it."""
    if ws.ports.sessions.get(session_id).mode is not Mode.PLAN:
        enter_mode(ws, session_id, Mode.PLAN, "re-plan")
    return await revise_plan(ws, session_id, path, wish)


async def _ask(ws: Workspace, session_id: str, document: PlanDocument, changed: Sequence[ChangedFile]) -> ChangesChoice:
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


class RunFreshness:
    """Of one plan that is to be executed.

    Args:
        ws: the workspace.
        session_id: who executes it.
        document: the plan as the user saw it.
        may_ask: whether there is a user to be asked; else changed files end the run.

    Attributes:
        changed: what the last question was about, that the user didn't go on with.
    """

    def __init__(self, ws: Workspace, session_id: str, document: PlanDocument, *, may_ask: bool) -> None:
        self._ws = ws
        self._session_id = session_id
        self._document = document
        self._plan: Plan = document.complete()  # as approved once the run begins
        self._may_ask = may_ask
        self._accepted: dict[str, str] = {}
        self._at_start: Mapping[str, str] = {}
        self._left_before: dict[str, str] = {}
        self._steps: Mapping[int, Step] = {}
        self._named: frozenset[str] = frozenset()
        self.changed: Sequence[ChangedFile] = ()

    async def check_plan(self) -> ChangesChoice:
        """Check the plan before the run. Raises Conflict PLAN_STALE where the user may not be asked, EndTurn where they
        can't be reached.
        """
        return await self._handle_changes(lambda: stale_files(self._ws, self._plan))

    def begin(self, document: PlanDocument) -> None:
        """Begin the run of the plan as it is approved now: changes of files that the steps name are noticed."""
        self._document, self._plan = document, approved_plan(self._ws, document)
        rests_on = {file.path for file in self._plan.context}
        self._steps = {step.step_number: step for step in reversed(self._plan.steps)}
        self._named = frozenset(path for step in self._plan.steps for path in step.files)
        self._at_start = digests(
            self._ws, (path for step in self._plan.steps for path in step.files if path not in rests_on)
        )
        self._left_before = {**left_by_runs(self._ws, self._plan.id)} if rests_on else {}

    async def check_step(self, files: RunFiles, step: Step) -> ChangesChoice:
        """Before a step: the files that it names, and those that the plan rests on and no step names. Raises as
        `check_plan` does.
        """
        return await self._handle_changes(lambda: self._around(files, self._steps[step.step_number]))

    def _around(self, files: RunFiles, step: Step) -> Sequence[ChangedFile]:
        stale = stale_files(self._ws, self._plan, ChainMap(files.left(), self._left_before))
        found = [file for file in stale if file.path in step.files or file.path not in self._named]
        for path, now in digests(self._ws, (path for path in step.files if path in self._at_start)).items():
            was = self._at_start[path]
            own = files.left_of(path)
            own = was if own is None else own
            if now not in (was, own):
                found.append(ChangedFile(path, own, now))
        return found

    async def _handle_changes(self, find: Callable[[], Sequence[ChangedFile]]) -> ChangesChoice:
        changed = find()
        if any(self._accepted.get(file.path) != file.now for file in changed):
            data = {"plan_id": self._plan.id, "files": [file.path for file in changed]}
            self._ws.record("plan_stale", self._session_id, data)
            if not self._may_ask:
                hint = "Revise the plan, or execute it and go on all the same."
                raise Conflict("PLAN_STALE", f"changed since planning: {names_of(changed)}", hint)
        choice, self.changed = await ask_about_changes(self._ws, self._session_id, self._document, find, self._accepted)
        return choice
