"""What a run asks before it begins and before each step: whether the files are still those that the plan was made for.

What the run itself does to them doesn't count, and what the user has gone on with is not asked again.
"""

from collections.abc import Callable, Mapping, Sequence

from planact.base.errors import Conflict
from planact.model.plan import Plan, Step
from planact.plan.changes import ChangedFile, names_of
from planact.workflows.check_freshness import changed_files, digests
from planact.workflows.heed_changes import Choice, heed_changes
from planact.workflows.journaled import files_left
from planact.workflows.library import PlanDocument
from planact.workflows.workspace import Workspace


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
        self._plan: Plan = document.complete()
        self._may_ask = may_ask
        self._accepted: dict[str, str] = {}
        self._at_start: Mapping[str, str] = {}
        self.changed: Sequence[ChangedFile] = ()

    async def check_plan(self) -> Choice:
        """Before the run. Raises Conflict PLAN_STALE where nobody may be asked, EndTurn where nobody can."""
        return await self._heed(lambda: changed_files(self._ws, self._plan))

    def begin(self) -> None:
        """The run begins: from now on, nobody else changes unseen what the steps name either."""
        rests_on = {file.path for file in self._plan.context}
        named = (path for step in self._plan.steps for path in step.files if path not in rests_on)
        self._at_start = digests(self._ws, named)

    async def check_step(self, execution_id: str, step: Step) -> Choice:
        """Before a step: the files that it names, and those that the plan rests on and no step names. Raises as
        `check_plan` does.
        """
        return await self._heed(lambda: self._around(execution_id, step))

    def _around(self, execution_id: str, step: Step) -> Sequence[ChangedFile]:
        named = {path for each in self._plan.steps for path in each.files}
        found = [
            file for file in changed_files(self._ws, self._plan) if file.path in step.files or file.path not in named
        ]
        left = files_left(self._ws, execution_id)
        for path, now in digests(self._ws, (path for path in step.files if path in self._at_start)).items():
            was = self._at_start[path]
            if now not in (was, left.get(path, was)):
                found.append(ChangedFile(path, left.get(path, was), now))
        return found

    async def _heed(self, find: Callable[[], Sequence[ChangedFile]]) -> Choice:
        changed = find()
        if any(self._accepted.get(file.path) != file.now for file in changed):
            data = {"plan_id": self._plan.id, "files": [file.path for file in changed]}
            self._ws.record("plan_stale", self._session_id, data)
            if not self._may_ask:
                hint = "Revise the plan, or execute it and go on all the same."
                raise Conflict("PLAN_STALE", f"changed since planning: {names_of(changed)}", hint)
        choice, self.changed = await heed_changes(self._ws, self._session_id, self._document, find, self._accepted)
        return choice
