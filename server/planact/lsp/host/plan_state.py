"""The state of a plan, with work on it in other processes, for the actions in its document."""

from collections.abc import Mapping
from dataclasses import dataclass

from planact.lsp.documents.open_documents import Document
from planact.model.plan import StepStatus
from planact.model.rights.permission import Mode
from planact.model.runs.execution import StepRecord
from planact.plan.changes import ChangedFile
from planact.plan.plan_actions import PlanState
from planact.plan.syntax.lower import context_files
from planact.plan.syntax.tree import PlanTree
from planact.workflows.history.explain_plan import last_records, steps_that_changed
from planact.workflows.plans.library import is_executed, is_rolled_back
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
