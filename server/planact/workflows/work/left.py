"""The work that a folder's sessions left: what waits for an answer, has stopped, or is over."""

from collections.abc import Iterator, Sequence
from contextlib import suppress

from planact.base.errors import NotFound, PlanactError
from planact.model.chat.message import FAILURE, Session
from planact.model.plan import StepStatus
from planact.model.question import QuestionSet
from planact.model.runs.execution import Execution
from planact.model.work import Work, WorkState
from planact.plan.approval import approved_text, approved_text_of
from planact.tools.edit.splice import changed_lines
from planact.workflows.history.check_freshness import stale_files
from planact.workflows.history.journal_queries import load_record, rebuild_execution
from planact.workflows.plans.library import PlanDocument, is_approved, read_document
from planact.workflows.run_end import EDITOR_CLOSED, FOLDER_CLOSED
from planact.workflows.runs.plan_marks import SETTLED
from planact.workflows.runs.recover_runs import KILLED, LOST
from planact.workflows.work.card import review_card, run_card
from planact.workflows.work.failed import failure_of
from planact.workflows.work.words import in_words, waiting_for
from planact.workflows.workspace import Workspace

_BROKEN_OFF = (EDITOR_CLOSED, FOLDER_CLOSED, KILLED, LOST)
_NAGS: frozenset[WorkState] = frozenset({"interrupted", "paused", "no_answer"})
"""States of the folder's last run that are told in other sessions, too."""

_OVER: frozenset[WorkState] = frozenset({"done", "partly", "nothing_done", "rolled_back"})


def works_left(ws: Workspace, session_id: str, *, is_run_at_work: bool) -> Sequence[Work]:
    """Return the unfinished works that this process doesn't carry on, the most urgent first. `session_id` is the
    session in hand; where it is empty, ended works of the last used one are left out. While a run is at work, only
    questions are returned, since it may change all else. From any thread.

    Raises:
        StorageFailure: planact's own state can't be read.
    """
    session = _session(ws, session_id) if session_id else next(iter(ws.ports.sessions.list()), None)
    found = [*_waiting(ws)]
    if is_run_at_work:
        return [each for each in found if each.session_id not in ws.running]
    runs = _last_runs(ws, session)
    own = next((run for run in runs if session is not None and run.session_id == session.id), None)
    other = next((run for run in runs if run is not own and _state(ws, run) in _NAGS), None)
    left = _of_run(ws, own) if own is not None else None
    if left is None and session is not None:
        left = _of_turn(ws, session) or _of_plan(ws, session)
    if left is not None and (session_id or left.state not in _OVER):
        found.append(in_words(left))
    if other is not None and (nags := _of_run(ws, other)) is not None:
        found.append(in_words(nags))
    return [each for each in found if each.session_id not in ws.running]


def _session(ws: Workspace, session_id: str) -> Session | None:
    with suppress(NotFound):
        return ws.ports.sessions.get(session_id)
    return None


def _waiting(ws: Workspace) -> Iterator[Work]:
    told: set[str] = set()
    for question in ws.questions.open():
        if question.session_id in ws.running or question.session_id in told:
            continue
        told.add(question.session_id)
        yield in_words(waiting_work(ws, question))


def waiting_work(ws: Workspace, question: QuestionSet) -> Work:
    """Return work that waits for an answer."""
    session = _session(ws, question.session_id)
    run = load_record(ws, question.execution_id) if question.execution_id else None
    work = Work(
        session_id=question.session_id,
        plan_path=session.plan_file if session else "",
        state=waiting_for(question),
        since=question.created_at,
        question_id=question.id,
    )
    work = work.model_copy(update={"mode": session.mode}) if session else work
    if run is not None and run.plan_file:
        document = _document(ws, run.plan_file)
        work = work.model_copy(update=place_in_run(run, document, question.step.number if question.step else 0))
    return work


def place_in_run(run: Execution, document: PlanDocument | None, step: int) -> dict[str, object]:
    """Return the fields of `Work` that say where a run is; without a step it is where the run stopped."""
    steps = document.plan.steps if document and document.plan else ()
    stopped = next((record.step_number for record in reversed(run.steps) if record.status not in SETTLED), 0)
    number = step or stopped or next((each.step_number for each in steps if each.status not in SETTLED), 0)
    action = next((each.action for each in steps if each.step_number == number), "")
    changed = {file.path for record in run.steps for file in record.files if file.is_covered}
    return {
        "execution_id": run.id,
        "session_id": run.session_id,
        "plan_path": run.plan_file,
        "goal": run.goal,
        "step": number,
        "action": action,
        "of": len(steps),
        "finished": sum(each.status in SETTLED for each in steps),
        "started_at": run.started_at,
        "files": len(changed) if run.to_roll_back else 0,
    }


def _last_runs(ws: Workspace, session: Session | None) -> Sequence[Execution]:
    """Return the last run of the plan in hand, and the folder's last one where that is another."""
    begun = [*ws.ports.journal.runs(limit=1)]
    if session is not None and session.plan_file and not (begun and begun[0].session_id == session.id):
        begun = [*ws.ports.journal.runs(session.plan_file, limit=1), *begun]
    return [rebuild_execution(ws, each) for each in begun]


def _of_run(ws: Workspace, run: Execution) -> Work | None:
    """Return the rest of a run as a work; None where the conversation went on since, or its plan is gone."""
    session = _session(ws, run.session_id)
    document = _document(ws, run.plan_file) if run.plan_file else None
    if session is None or (run.plan_file and document is None) or _went_on(ws, run):
        return None
    state = _state(ws, run)
    failure = failure_of(ws, run.session_id) if state == "no_answer" else None
    work = Work(mode=session.mode, state=state, since=run.finished_at or run.started_at, reason=run.reason)
    work = work.model_copy(update=place_in_run(run, document, 0))
    if failure is not None:
        said = failure.metadata[FAILURE]
        update = {"title": said["title"], "text": said["text"], "code": said["code"], "reason": said["text"]}
        return work.model_copy(update=update)
    title, text = run_card(work, run, is_broken_off=run.reason in _BROKEN_OFF or run.status == "running")
    return work.model_copy(update={"title": title, "text": text})


def _state(ws: Workspace, run: Execution) -> WorkState:
    if run.rollbacks and not run.to_roll_back:
        return "rolled_back"
    match run.status:
        case "running":
            return "interrupted"
        case "paused" | "aborted" if run.reason in _BROKEN_OFF:
            return "interrupted"
        case "paused":
            failure = failure_of(ws, run.session_id)
            is_models = failure is not None and str(failure.metadata[FAILURE]["code"]).startswith("MODEL_")
            return "no_answer" if is_models else "paused"
        case "success":
            return "done"
        case "partial_success":
            return "partly"
        case "nothing_done":
            return "nothing_done"
        case "aborted" | "failed":
            is_part = any(record.status is StepStatus.DONE for record in run.steps)
            return "partly" if is_part and run.status == "aborted" else "failed"


def _went_on(ws: Workspace, run: Execution) -> bool:
    """The user has written in the run's session since it ended."""
    messages = ws.ports.sessions.messages(run.session_id)
    last = next((at for at, each in reversed([*enumerate(messages)]) if each.metadata.get("execution_id") == run.id), 0)
    return run.status != "running" and any(each.is_said_by_user for each in messages[last:])


def _of_turn(ws: Workspace, session: Session) -> Work | None:
    failure = failure_of(ws, session.id)
    if failure is None:
        return None
    said = failure.metadata[FAILURE]
    code = str(said["code"])
    return Work(
        session_id=session.id,
        mode=session.mode,
        plan_path=session.plan_file,
        state="no_answer" if code.startswith("MODEL_") else "failed",
        since=failure.created_at,
        reason=str(said["text"]),
        code=code,
        title=str(said["title"]),
        text=str(said["text"]),
    )


def _of_plan(ws: Workspace, session: Session) -> Work | None:
    """Return the plan in hand that waits for the user."""
    document = _document(ws, session.plan_file) if session.plan_file else None
    if document is None or document.plan is None:
        return None
    plan, comments = document.plan, len(document.tree.comments)
    if all(step.status in SETTLED for step in plan.steps):
        return None
    state: WorkState = "to_review"
    lines = 0
    changed = [] if comments else [file.path for file in stale_files(ws, plan)]
    if changed:
        state = "outdated"
    elif not comments and not is_approved(ws, document) and (approval := ws.ports.approvals.find(document.path)):
        state = "changed"
        lines = _lines_changed(approved_text(approval.text), approved_text_of(document.tree))
    work = Work(
        session_id=session.id,
        mode=session.mode,
        plan_path=document.path,
        goal=plan.goal,
        of=len(plan.steps),
        finished=sum(step.status in SETTLED for step in plan.steps),
        state=state,
        since=session.updated_at,
        reason=", ".join(changed),
        comments=comments,
    )
    is_now = is_approved(ws, document)
    title, text = review_card(work, plan, changed, is_approved=is_now, changed_lines=lines)
    return work.model_copy(update={"title": title, "text": text})


def _lines_changed(old: str, new: str) -> int:
    changes = changed_lines(old.splitlines(), new.splitlines())
    return sum(max(each.old_end - each.old_start, each.new_end - each.new_start) for each in changes)


def _document(ws: Workspace, path: str) -> PlanDocument | None:
    with suppress(PlanactError):
        document = read_document(ws, path)
        return document if document.plan is not None else None
    return None
