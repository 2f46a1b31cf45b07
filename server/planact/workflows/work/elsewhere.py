"""The run of another process in this folder, followed by what it writes down."""

from planact.model.notice import RunningCall
from planact.model.plan import StepStatus
from planact.model.rights.permission import Mode
from planact.model.work import Work
from planact.plan.syntax.lower import lower
from planact.plan.syntax.parser import parse
from planact.tools.doing import doing
from planact.workflows.runs.plan_marks import SETTLED
from planact.workflows.work.words import in_words, waiting_for
from planact.workflows.workspace import Workspace

_FOLLOWED = ("run_resumed", "step_started", "step_finished", "repair_started", "call_started", "call_finished")


def work_elsewhere(ws: Workspace) -> Work | None:
    """Return the run that another process holds the folder's lock for; None where there is none. From any thread.

    Raises:
        StorageFailure: planact's own state can't be read.
    """
    if ws.ports.lock.is_own() or not ws.ports.lock.holder():
        return None
    begun = next(iter(reversed(ws.ports.journal.open_runs())), None)
    if begun is None:  # it puts something in order, or is about to begin
        return None
    plan = lower(parse(str(begun.data.get("plan", ""))))
    session_id, since, started = begun.session_id, begun.time, begun.time
    number, action, repair = 0, "", 0
    settled = {step.step_number for step in plan.steps if step.status in SETTLED} if plan else set()
    calls: dict[str, RunningCall] = {}
    for entry in ws.ports.journal.read(begun.execution_id, _FOLLOWED):
        data = entry.data
        match entry.kind:
            case "run_resumed":
                session_id, since, started, calls = entry.session_id, entry.time, entry.time, {}
            case "step_started":
                number, action = int(data["step"]["step_number"]), str(data["step"]["action"])
                since, repair = entry.time, 0
            case "step_finished":
                settled |= {int(data["step_number"])} if StepStatus(data["status"]) in SETTLED else set()
                repair = 0
            case "repair_started":
                since, repair = entry.time, int(data["repair"]["number"])
            case "call_started":
                tool, text = str(data["tool"]), doing(str(data["tool"]), str(data.get("shown", "")))
                call_id = str(data["call_id"])
                calls[call_id] = RunningCall(call_id=call_id, tool=tool, text=text, since=entry.time)
            case "call_finished":
                calls.pop(str(data["call_id"]), None)
    question = next((each for each in ws.ports.questions.open() if each.session_id == session_id), None)
    return in_words(
        Work(
            session_id=session_id,
            execution_id=begun.execution_id,
            plan_path=str(begun.data.get("path", "")),
            goal=plan.goal if plan else "",
            mode=Mode.ACT,
            step=number,
            action=action,
            of=len(plan.steps) if plan else 0,
            finished=len(settled),
            state=waiting_for(question) if question else "repairing" if repair else "running",
            activity="" if question else "calling" if calls else "thinking",
            since=question.created_at if question else since,
            started_at=started,
            repair=repair,
            repairs=ws.settings.limits.repairs if repair else 0,
            question_id=question.id if question else "",
            calls=tuple(calls.values()),
            elsewhere=True,
        )
    )
