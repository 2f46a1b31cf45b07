"""What a trip comes to at the terminal: its result in words and as data, its exit code, and how to go on."""

import asyncio
import shlex
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

from planact.agent.loop import EndKind
from planact.cli.call import Exit, Result
from planact.cli.engine import Engine
from planact.cli.show import (
    asked_text,
    execution_data,
    execution_text,
    how_to_answer,
    how_to_go_on,
    plan_data,
    plan_text,
    question_data,
)
from planact.model.execution import Execution
from planact.model.permission import Mode
from planact.model.question import MOMENTARY, QuestionSet
from planact.tools.permit import EndTurn
from planact.workflows.library import PlanDocument, list_plans
from planact.workflows.plan_and_act import PlannedAndActed
from planact.workflows.resume_execution import newest_to_continue
from planact.workflows.take_turn import TurnTaken
from planact.workflows.workspace import Stopped

Trip = Callable[[], Coroutine[Any, Any, Result]]

EXITS: dict[EndKind, Exit] = {
    "finished": Exit.DONE,
    "accepted": Exit.DONE,
    "review": Exit.DONE,
    "waiting": Exit.WAITING,
    "refused": Exit.REFUSED,
    "stopped": Exit.REFUSED,
    "limit": Exit.FAILED,
}

LOOK_AT_IT = "Look at it and edit it in"
"""How the next step begins after a plan was made, where nothing else is to be said."""


def ended(engine: Engine, session_id: str, trip: Trip) -> Result:
    """Take a trip to its end; see `outcome`."""
    try:
        return engine.do(outcome(engine, session_id, trip))
    except asyncio.CancelledError:
        return interrupted(engine, session_id)


def interrupted(engine: Engine, session_id: str) -> Result:
    """The result of a trip that was interrupted before it began."""
    return _concluded(engine, session_id, Result(Exit.INTERRUPTED, {"session_id": session_id}))


async def outcome(engine: Engine, session_id: str, trip: Trip) -> Result:
    """The result; what was interrupted or waits for an answer says how to go on."""
    try:
        result = await trip()
    except EndTurn as end:
        result = Result(Exit.WAITING, {"session_id": session_id}, next_step=end.reason)
    except (Stopped, asyncio.CancelledError):
        result = Result(Exit.INTERRUPTED, {"session_id": session_id})
    return _concluded(engine, session_id, result)


def _concluded(engine: Engine, session_id: str, result: Result) -> Result:
    engine.view.end_line()
    asked = engine.open_question(session_id)
    if asked is not None and asked.is_momentary:  # nobody will ever wait for its answer again
        engine.ws.desk.cancel(asked.id, "nobody was there to answer it")
    if engine.is_interrupted:
        next_step = f"Interrupted. {how_to_continue(engine, session_id, None)}"
        return replace(result, code=Exit.INTERRUPTED, data={**result.data, "interrupted": True}, next_step=next_step)
    if asked is None or result.code is Exit.DONE:
        return result
    how = _how_to_proceed(engine, session_id, asked)
    next_step = f"A question waits for your answer:\n{asked_text(asked)}\n{how}"
    data = {**result.data, "waiting": question_data(asked)}
    return replace(result, code=Exit.WAITING, data=data, next_step=next_step)


def _how_to_proceed(engine: Engine, session_id: str, asked: QuestionSet) -> str:
    if asked.subject.startswith(f"{MOMENTARY}template "):
        return f"Run it again with {' '.join(f'--set {question.name}=…' for question in asked.questions)}"
    if asked.is_momentary:
        return "Run it again where you can answer, or with --answers FILE."
    return f"Answer with: {how_to_answer(asked)}\n{how_to_continue(engine, session_id, asked)}"


def how_to_continue(engine: Engine, session_id: str, asked: QuestionSet | None) -> str:
    """After an interruption, or once `asked` has its answer."""
    if asked is not None and asked.subject.startswith("delete "):
        path = asked.subject.removeprefix("delete ").rpartition(" ")[0]
        return f"Go on with: planact plan delete {shlex.quote(path)}"
    if asked is not None and asked.subject.startswith("roll_back "):
        _, *which, step, _ = asked.subject.split(" ")
        step_ = f" --step {step}" if step != "0" else ""
        return f"Go on with: planact rollback {shlex.quote(' '.join(which))}{step_}"
    session = engine.ws.ports.sessions.get(session_id)
    is_planning = session.mode is Mode.PLAN and asked is not None and asked.purpose == "agent"
    plan = next((plan for plan in list_plans(engine.ws) if plan.path == session.plan_file), None)
    if plan is not None and plan.steps_done < plan.steps_total and not is_planning:
        begun = newest_to_continue(engine.ws, plan.path)
        return how_to_go_on(begun) if begun else f"Go on with: planact act {plan.id}"
    return f'Go on with: planact chat --session {session_id} "go on"'


def made(session_id: str, taken: TurnTaken) -> Result:
    """What came of a turn that was to make a plan; one that makes none is a failure, whatever it says."""
    result = taken.result
    if taken.written is not None:
        shown = planned(session_id, taken.written)
        return replace(shown, code=EXITS[result.kind], next_step=result.reason or shown.next_step)
    code = Exit.FAILED if result.kind == "finished" else EXITS[result.kind]
    data = {"session_id": session_id, "status": result.kind, "text": result.text, "reason": result.reason}
    next_step = taken.offer or result.reason or "No plan came of the request. To ask something: planact chat"
    return Result(code, data, result.text, next_step, is_seen=True)


def planned(session_id: str, document: PlanDocument) -> Result:
    """A plan that was made."""
    next_step = f"{LOOK_AT_IT} {document.path}, then: planact act {document.complete().id}"
    data = plan_data(document, session_id)
    return Result(Exit.DONE, data, plan_text(document), next_step, seen_hash=document.hash)


def acted(session_id: str, done: PlannedAndActed) -> Result:
    """A plan that was made and, if it was accepted, carried out."""
    if done.execution is None:
        shown = planned(session_id, done.document)
        return replace(shown, code=Exit.FAILED, next_step=f"It was not executed. {shown.next_step}")
    ran = executed(done.execution)
    return replace(ran, text=f"{plan_text(done.document)}\n\n{ran.text}")


def executed(execution: Execution) -> Result:
    """A run that is over."""
    ended_by = execution.steps[-1].ended_by if execution.steps else ""
    is_refused = ended_by in ("refusal", "user")
    code = Exit.DONE if execution.status == "success" else Exit.REFUSED if is_refused else Exit.FAILED
    return Result(code, execution_data(execution), execution_text(execution), how_to_go_on(execution))
