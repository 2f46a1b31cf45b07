"""The state of a plan, with work on it in other processes; problems of open plans, computed once for each version; and
approved plans, parsed once for each text, since every key in a source file asks which steps touch it.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from planact.base.errors import PlanactError
from planact.base.filetext import decode_text
from planact.lsp.documents.open_documents import Document
from planact.lsp.host.workspaces import WorkspaceLookup
from planact.lsp.protocol.results import PlanMade
from planact.model.chat.message import Session
from planact.model.plan import StepStatus
from planact.model.rights.permission import Mode
from planact.model.runs.execution import StepRecord
from planact.plan.approval import hash_of
from planact.plan.lint_context import ChangedFile
from planact.plan.plan_actions import PlanState
from planact.plan.syntax.lower import context_files
from planact.plan.syntax.parser import parse
from planact.plan.syntax.tree import PlanProblem, PlanTree
from planact.workflows.history.explain_plan import last_records, steps_that_changed
from planact.workflows.history.half_calls import half_call_problems
from planact.workflows.plans.library import PlanDocument, is_executed, is_rolled_back, read_document
from planact.workflows.plans.lint import Linter, missing_files
from planact.workflows.runs.resume import can_be_continued
from planact.workflows.workspace import Workspace


@dataclass(frozen=True, slots=True)
class StepHistory:
    """Last record of each step by number, the steps that changed files, and those whose changes can be put back."""

    last_records: Mapping[int, StepRecord]
    changed_files: frozenset[int]
    to_roll_back: frozenset[int]


def step_history_of(ws: Workspace, path: str, tree: PlanTree) -> StepHistory:
    """Return the records of the workspace. May be called from any thread.

    Raises:
        PlanactError: planact's own state can't be read.
    """
    numbers = {step.step_number for step in tree.steps}
    return StepHistory(last_records(ws, path, tree), *steps_that_changed(ws, path, numbers))


def state_of(
    ws: Workspace,
    path: str,
    document: Document,
    tree: PlanTree,
    past: StepHistory,
    changed: tuple[ChangedFile, ...] | None,
) -> PlanState:
    """Return the state of the plan at `path`, whose document reads like `tree`.

    Raises:
        PlanactError: planact's own state can't be read.
    """
    sessions = [ws.ports.sessions.get(session_id) for session_id in ws.running]
    about = [session for session in sessions if session.plan_file == path]
    ids = {session.id for session in about}
    awaited = ws.questions.awaited()
    question = next((each for each in awaited if each.session_id in ids or each.confirms(path)), None)
    is_acting = any(session.mode is Mode.ACT for session in about)
    is_held = not is_acting and is_executed(ws, path)
    step = next((step for step in tree.steps if step.status is StepStatus.RUNNING), None)
    approval = ws.ports.approvals.find(path)
    return PlanState(
        is_approved=approval is not None and approval.hash == document.plan_hash,
        is_paused=can_be_continued(ws, path, document.plan_hash),
        is_elsewhere=is_held and not ws.ports.lock.is_own(),
        is_rolling_back=is_held and is_rolled_back(ws, path),
        running_step=(step.step_number if step else 0) if is_acting or is_held else None,
        is_busy_generating=any(session.mode is Mode.PLAN for session in about),
        open_question_id=question.id if question else None,
        open_questions=frozenset(each.id for each in ws.questions.open()) if tree.questions else frozenset(),
        rests_on=len(context_files(tree)),
        changed=changed,
        to_roll_back=past.to_roll_back,
        changed_files=past.changed_files,
        failed=frozenset(number for number, record in past.last_records.items() if record.status is StepStatus.FAILED),
    )


class PlanProblems:
    """Problems of the last version of each document. `find` finds its workspace; `changed` and `also_changed` the files
    that have changed since planning, as far as is known: those that it rests on, and others that planning read.
    """

    def __init__(
        self,
        find: Callable[[str], Awaitable[tuple[Workspace, str]]],
        changed: Callable[[Document], Sequence[ChangedFile] | None],
        also_changed: Callable[[Document], Sequence[ChangedFile]],
    ) -> None:
        self._find = find
        self._changed = changed
        self._also_changed = also_changed
        self._linter = Linter()
        self._cached: dict[str, tuple[Document, asyncio.Task[tuple[PlanProblem, ...]]]] = {}

    async def of(self, document: Document) -> tuple[PlanProblem, ...]:
        """Return all problems, in the order of the text. Cancelling one caller leaves the others waiting."""
        known = self._cached.get(document.uri)
        if known is None or known[0] is not document:
            known = self._cached[document.uri] = (document, asyncio.ensure_future(self._compute(document)))
        return await asyncio.shield(known[1])

    def forget(self, uri: str) -> None:
        """Compute the problems anew at the next call: files around changed, or the document is closed."""
        self._cached.pop(uri, None)

    async def _compute(self, document: Document) -> tuple[PlanProblem, ...]:
        try:
            ws, _ = await self._find(document.uri)
        except PlanactError:
            return self._linter.lint(None, document.plan)
        missing = await asyncio.to_thread(missing_files, ws, document.plan)
        try:
            half_made = await asyncio.to_thread(half_call_problems, ws, document.plan)
        except PlanactError:  # planact's own state can't be read, which every command says
            half_made = ()
        changed, also_changed = self._changed(document) or (), self._also_changed(document)
        found = self._linter.lint(ws, document.plan, changed, missing, also_changed)
        return tuple(sorted((*found, *half_made), key=lambda problem: problem.span)) if half_made else found


class ApprovedPlans:
    """Caches the last text of each plan."""

    def __init__(self) -> None:
        self._parsed: dict[tuple[Path, str], tuple[str, PlanTree, str]] = {}

    def of(self, ws: Workspace) -> list[tuple[str, PlanTree]]:
        """Return path and tree of each plan that is approved as it is now. May be called from any thread."""
        return list(self._of(ws))

    def _of(self, ws: Workspace) -> Iterator[tuple[str, PlanTree]]:
        for path in sorted(ws.ports.approvals.paths()):
            approval = ws.ports.approvals.find(path)
            try:
                text = _text(ws, path)
            except PlanactError:
                continue
            if text is None or approval is None:
                continue
            known = self._parsed.get((ws.ports.files.root, path))
            if known is None or known[0] != text:
                tree = parse(text, known[1] if known else None)
                known = self._parsed[ws.ports.files.root, path] = (text, tree, hash_of(tree))
            if known[2] == approval.hash:
                yield path, known[1]


def _text(ws: Workspace, path: str) -> str | None:
    """Return the text in the editor, or on disk; None where there is none."""
    place = ws.ports.files.resolve(path)
    if place.relative is None or not place.exists:
        return None
    file = ws.ports.editor.buffer(place) or decode_text(ws.read(place))
    return file.text if file else None


def plan_made(workspaces: WorkspaceLookup, ws: Workspace, session_id: str, document: PlanDocument | None) -> PlanMade:
    """Return the result for a plan's document; None = no plan was made."""
    if document is None:
        return PlanMade(session_id=session_id, plan_id="", path="", uri="")
    return PlanMade(
        session_id=session_id,
        plan_id=document.plan.id if document.plan else "",
        path=document.path,
        uri=workspaces.uri(ws, document.path),
    )


def plan_since(ws: Workspace, before: Session, path: str = "") -> PlanDocument | None:
    """Return the plan that stopped work had already written, if any: a new one, or the one in the document at `path`.

    `before` is the session as it was when the work began.
    """
    now = ws.ports.sessions.get(before.id).plan_file
    if now in ("", before.plan_file) and now != path:
        return None
    with contextlib.suppress(PlanactError):
        document = read_document(ws, now)
        return document if document.plan else None
    return None
