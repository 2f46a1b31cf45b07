"""What the commands and the chat at the terminal do alike: one trip each, from the user's words to a result."""

import asyncio
import shlex
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from typing import Any, assert_never

from planact.agent.loop import EndKind
from planact.base.errors import InvalidInput
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
from planact.model.answer import shown_value, value_of
from planact.model.execution import Execution
from planact.model.image import Image
from planact.model.permission import Mode
from planact.model.question import MOMENTARY, QuestionSet
from planact.model.session import Session
from planact.tools.permit import EndTurn
from planact.workflows.approve_plan import approve_plan
from planact.workflows.chat_words import read_word
from planact.workflows.choose_model import check_model
from planact.workflows.delete_plan import delete_plan
from planact.workflows.execute_plan import Confirmation, execute_plan
from planact.workflows.heed_word import heed_word
from planact.workflows.library import PlanDocument, list_plans, read_document
from planact.workflows.make_plan import make_plan
from planact.workflows.plan_and_act import GRACE_SECONDS, PlannedAndActed, act_if_safe, is_to_act, plan_for_acting
from planact.workflows.resume_execution import newest_to_continue, resume_execution, session_to_resume
from planact.workflows.revise_plan import ask_feedback, revise_plan
from planact.workflows.revisions import restore_revision
from planact.workflows.send_message import send_message
from planact.workflows.sessions import new_session
from planact.workflows.take_turn import TurnTaken
from planact.workflows.templates import create_template, delete_template, find_template, use_template
from planact.workflows.workspace import Stopped

_EXITS: dict[EndKind, Exit] = {
    "finished": Exit.DONE,
    "accepted": Exit.DONE,
    "review": Exit.DONE,
    "waiting": Exit.WAITING,
    "refused": Exit.REFUSED,
    "stopped": Exit.REFUSED,
    "limit": Exit.FAILED,
}


def plan_for(engine: Engine, session_id: str, request: str) -> Result:
    """Make a plan."""

    async def trip() -> Result:
        taken = await make_plan(engine.ws, session_id, request)
        if taken.written is not None and taken.result.kind == "accepted":
            path = taken.written.path
            return _executed(await execute_plan(engine.ws, session_id, path, Confirmation.UNLESS_APPROVED))
        return _made(session_id, taken)

    return ended(engine, session_id, trip)


def act_on(
    engine: Engine,
    document: PlanDocument,
    confirmation: Confirmation,
    *,
    step: int | None = None,
    session_id: str = "",
) -> Result:
    """Execute a plan, or one step of it. Without a session id, in the last session that had it in hand, where the
    answers are that were given meanwhile.
    """
    if not session_id:
        sessions = engine.ws.ports.sessions.list()
        known = next((session for session in sessions if session.plan_file == document.path), None)
        if known is None:
            check_model(engine.ws, Mode.ACT)
        session_id = (known or new_session(engine.ws)).id

    async def trip() -> Result:
        return _executed(await execute_plan(engine.ws, session_id, document.path, confirmation, step=step))

    return ended(engine, session_id, trip)


def go_on(engine: Engine, run: Execution) -> Result:
    """Go on where a run stopped, in the session that has its questions and answers."""
    session_id = session_to_resume(engine.ws, run)
    if not session_id:
        check_model(engine.ws, Mode.ACT)
        session_id = new_session(engine.ws).id

    async def trip() -> Result:
        return _executed(await resume_execution(engine.ws, session_id, run))

    return ended(engine, session_id, trip)


def plan_and_act_on(
    engine: Engine, session_id: str, request: str, *, waits: bool, is_scrutinized: bool = False
) -> Result:
    """Make a plan, and carry it out: by itself if it is safe, else after the user's yes."""

    async def trip() -> Result:
        taken = await plan_for_acting(engine.ws, session_id, request, is_scrutinized=is_scrutinized)
        if taken.written is None or not is_to_act(taken):
            return _made(session_id, taken)
        is_accepted, grace = taken.result.kind == "accepted", GRACE_SECONDS if waits else 0.0
        path = taken.written.path
        done = await act_if_safe(engine.ws, session_id, path, is_accepted=is_accepted, grace_seconds=grace)
        return _acted(session_id, done)

    return ended(engine, session_id, trip)


def hear(engine: Engine, session: Session, text: str, images: Sequence[Image] = ()) -> Result:
    """Do what a word of the chat says, or say something to the agent. The session is another one after `/new`."""
    said = read_word(text)
    if said is None:
        return say(engine, session, text, images)
    if images:
        raise InvalidInput("INVALID_ARGUMENTS", f"{said.name} takes no image", "Send it with a message.")

    async def trip() -> Result:
        heeded = await heed_word(engine.ws, session.id, said)
        match heeded.came:
            case str(told):
                return Result(Exit.DONE, {"session_id": heeded.session_id, "text": told}, told)
            case TurnTaken() as taken:
                return _made(session.id, taken)
            case PlanDocument() as document:
                return _planned(session.id, document)
            case PlannedAndActed() as done:
                return _acted(session.id, done)
            case Execution() as execution:
                return _executed(execution)
        assert_never(heeded.came)

    result = ended(engine, session.id, trip)
    return replace(result, next_step=result.next_step.replace(" --set ", " "))  # the words have no options


def say(engine: Engine, session: Session, text: str, images: Sequence[Image] = ()) -> Result:
    """Say something and wait for what comes of it: an answer, a plan, or a run that the user accepted in between."""
    records = engine.ws.ports.records
    before = {execution.id for execution in records.executions()}
    plan_before = _in_hand(engine, session.id)

    async def trip() -> Result:
        result = await send_message(engine.ws, session.id, text, images)
        if result is None:
            data: Mapping[str, Any] = {"session_id": session.id, "status": "queued"}
            return Result(
                Exit.DONE, data, "Queued: work is running in this session, and reads it at its next safe point."
            )
        new = [run for run in records.executions() if run.id not in before and run.session_id == session.id]
        planned = next((run for run in new if run.plan_id), None)
        if planned is not None:
            return _executed(planned)
        status = {"session_id": session.id, "status": result.kind, "text": result.text, "reason": result.reason}
        data = {**status, "execution": execution_data(new[0]) if new else None}
        told = Result(_EXITS[result.kind], data, result.text, result.reason, is_seen=True)
        document = _in_hand(engine, session.id)
        if document is None or (plan_before is not None and document.file.text == plan_before.file.text):
            return told
        shown = _planned(session.id, document)
        return replace(shown, code=told.code, data={**data, **shown.data}, next_step=told.next_step or shown.next_step)

    return ended(engine, session.id, trip)


def delete(engine: Engine, document: PlanDocument, *, is_confirmed: bool) -> Result:
    """Delete a plan."""
    session = next(iter(engine.ws.ports.sessions.list()), None) or new_session(engine.ws)

    async def trip() -> Result:
        await delete_plan(engine.ws, session.id, document, is_confirmed=is_confirmed)
        plan_id = document.plan.id if document.plan else ""
        return Result(Exit.DONE, {"plan_id": plan_id, "path": document.path}, f"Deleted {document.path}")

    return ended(engine, session.id, trip)


def approve(engine: Engine, document: PlanDocument) -> Result:
    """Approve a plan as it is now, and start nothing."""
    session_id = _planning_session(engine, document)

    async def trip() -> Result:
        approved = await approve_plan(engine.ws, session_id, document)
        plan_id = approved.complete().id
        data = {**plan_data(approved, session_id), "plan_hash": approved.hash}
        return Result(Exit.DONE, data, f"Approved {approved.path}", f"To execute it: planact act {plan_id}")

    return ended(engine, session_id, trip)


def revise(engine: Engine, document: PlanDocument, feedback: str) -> Result:
    """Have a plan revised; without feedback and comments, what should change is asked."""
    session_id = _planning_session(engine, document)

    async def trip() -> Result:
        said = feedback
        if not said.strip() and not document.tree.comments:
            said = await ask_feedback(engine.ws, session_id, document)
        return _made(session_id, await revise_plan(engine.ws, session_id, document.path, said))

    return ended(engine, session_id, trip)


def restore(engine: Engine, document: PlanDocument, number: int) -> Result:
    """Go back to an earlier text of a plan."""
    session_id = _planning_session(engine, document)

    async def trip() -> Result:
        restored = await restore_revision(engine.ws, session_id, document, number)
        data = {"path": restored.path, "number": number}
        return Result(Exit.DONE, data, f"{restored.path} is as in revision {number} again")

    return ended(engine, session_id, trip)


def use(engine: Engine, name: str, values: Mapping[str, str], *, takes_defaults: bool = False) -> Result:
    """Make a plan from a template; what has no value is asked."""
    session_id = new_session(engine.ws, Mode.PLAN).id
    template = find_template(engine.ws, name).template
    if takes_defaults:
        values = {each.name: each.default for each in template.parameters if each.default} | dict(values)

    async def trip() -> Result:
        return _planned(session_id, await use_template(engine.ws, session_id, template, values))

    return ended(engine, session_id, trip)


def make_template_of(
    engine: Engine, document: PlanDocument, name: str, description: str, parameters: Mapping[str, str]
) -> Result:
    """Make a template from a plan."""
    session_id = _planning_session(engine, document)

    async def trip() -> Result:
        made = await create_template(engine.ws, session_id, document, name, description, parameters)
        return Result(Exit.DONE, {"name": name, "path": made.path}, made.path, f"Use it: planact template use {name}")

    return ended(engine, session_id, trip)


def delete_template_named(engine: Engine, name: str, *, is_confirmed: bool) -> Result:
    """Delete a template of the workspace."""
    session_id = new_session(engine.ws, Mode.PLAN).id
    known = find_template(engine.ws, name)

    async def trip() -> Result:
        path = await delete_template(engine.ws, session_id, known, is_confirmed=is_confirmed)
        return Result(Exit.DONE, {"name": name, "path": path}, f"Deleted {path}")

    return ended(engine, session_id, trip)


def _planning_session(engine: Engine, document: PlanDocument) -> str:
    """The last session in Plan that had the plan in hand, or a new one."""
    for session in engine.ws.ports.sessions.list():
        if session.plan_file == document.path and session.mode is Mode.PLAN:
            return session.id
    return new_session(engine.ws, Mode.PLAN).id


def answer(engine: Engine, asked: QuestionSet, values: Mapping[str, str]) -> Result:
    """Answer a question with what the user wrote for each name."""
    by_name = {question.name: question for question in asked.questions}
    answers = {name: value_of(by_name[name], text) if name in by_name else text for name, text in values.items()}
    return _resolved(engine, engine.ws.desk.answer(asked.id, answers))


def decline(engine: Engine, asked: QuestionSet) -> Result:
    """Decline a question."""
    return _resolved(engine, engine.ws.desk.decline(asked.id))


def ask_again(engine: Engine, asked: QuestionSet) -> Result:
    """Ask a question at the terminal, or by the answers file."""

    async def trip() -> Result:
        return _resolved(engine, await engine.ws.desk.show_again(asked))

    return ended(engine, asked.session_id, trip)


def _resolved(engine: Engine, ended: QuestionSet) -> Result:
    data = {"question_id": ended.id, "status": ended.status, "answers": ended.answers}
    answers = ", ".join(f"{name}: {shown_value(value)}" for name, value in ended.answers.items())
    text = f"{ended.status.capitalize()}{f': {answers}' if answers else ''}"
    return Result(Exit.DONE, data, text, _how_to_go_on(engine, ended.session_id, ended))


def ended(engine: Engine, session_id: str, trip: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
    """The result; what was interrupted or waits for an answer says how to go on."""
    try:
        result = engine.do(trip())
    except EndTurn as end:
        result = Result(Exit.WAITING, {"session_id": session_id}, next_step=end.reason)
    except (Stopped, asyncio.CancelledError):
        result = Result(Exit.INTERRUPTED, {"session_id": session_id})
    engine.screen.end_line()
    asked = engine.open_question(session_id)
    if asked is not None and asked.is_momentary:  # nobody will ever wait for its answer again
        engine.ws.desk.cancel(asked.id, "nobody was there to answer it")
    if engine.is_interrupted:
        next_step = f"Interrupted. {_how_to_go_on(engine, session_id, None)}"
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
    return f"Answer with: {how_to_answer(asked)}\n{_how_to_go_on(engine, session_id, asked)}"


def _how_to_go_on(engine: Engine, session_id: str, asked: QuestionSet | None) -> str:
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


def _in_hand(engine: Engine, session_id: str) -> PlanDocument | None:
    """The plan of the session as it is now, if it is one."""
    path = engine.ws.ports.sessions.get(session_id).plan_file
    try:
        document = read_document(engine.ws, path) if path else None
    except InvalidInput:
        return None
    return document if document is not None and document.plan is not None else None


def _made(session_id: str, taken: TurnTaken) -> Result:
    """What came of a turn that was to make a plan; one that makes none is a failure, whatever it says."""
    result = taken.result
    if taken.written is not None:
        shown = _planned(session_id, taken.written)
        return replace(shown, code=_EXITS[result.kind], next_step=result.reason or shown.next_step)
    code = Exit.FAILED if result.kind == "finished" else _EXITS[result.kind]
    data = {"session_id": session_id, "status": result.kind, "text": result.text, "reason": result.reason}
    next_step = taken.offer or result.reason or "No plan came of the request. To ask something: planact chat"
    return Result(code, data, result.text, next_step, is_seen=True)


def _planned(session_id: str, document: PlanDocument) -> Result:
    next_step = f"Look at it and edit it in {document.path}, then: planact act {document.complete().id}"
    return Result(Exit.DONE, plan_data(document, session_id), plan_text(document), next_step)


def _acted(session_id: str, done: PlannedAndActed) -> Result:
    if done.execution is None:
        planned = _planned(session_id, done.document)
        return replace(planned, code=Exit.FAILED, next_step=f"It was not executed. {planned.next_step}")
    executed = _executed(done.execution)
    return replace(executed, text=f"{plan_text(done.document)}\n\n{executed.text}")


def _executed(execution: Execution) -> Result:
    ended_by = execution.steps[-1].ended_by if execution.steps else ""
    is_refused = ended_by in ("refusal", "user")
    code = Exit.DONE if execution.status == "success" else Exit.REFUSED if is_refused else Exit.FAILED
    return Result(code, execution_data(execution), execution_text(execution), how_to_go_on(execution))
