"""What the commands and the chat at the terminal do alike: one trip each, from the user's words to a result."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, assert_never

from planact.base.errors import InvalidInput
from planact.cli.call import Exit, Result
from planact.cli.engine import Engine
from planact.cli.outcomes import EXITS, acted, ended, executed, how_to_continue, interrupted, made, outcome, planned
from planact.cli.show import execution_data, plan_data
from planact.model.answer import in_words, value_of
from planact.model.execution import Execution
from planact.model.image import Image
from planact.model.permission import Mode
from planact.model.question import QuestionSet
from planact.model.session import Session
from planact.workflows.approve_plan import approve_plan
from planact.workflows.chat_words import SaidWord, read_word
from planact.workflows.choose_model import check_model
from planact.workflows.delete_plan import delete_plan
from planact.workflows.execute_plan import Confirmation, execute_plan
from planact.workflows.heed_word import heed_word
from planact.workflows.journaled import record_of
from planact.workflows.library import PlanDocument, read_document
from planact.workflows.make_plan import make_plan
from planact.workflows.plan_and_act import GRACE_SECONDS, PlannedAndActed, act_if_safe, is_to_act, plan_for_acting
from planact.workflows.resume_execution import resume_execution, session_to_resume
from planact.workflows.revise_plan import ask_feedback, revise_plan
from planact.workflows.revisions import restore_revision
from planact.workflows.send_message import send_message
from planact.workflows.sessions import new_session
from planact.workflows.take_turn import TurnTaken
from planact.workflows.templates import create_template, delete_template, find_template, use_template


def plan_for(engine: Engine, session_id: str, request: str) -> Result:
    """Make a plan."""

    async def trip() -> Result:
        taken = await make_plan(engine.ws, session_id, request)
        if taken.written is not None and taken.result.kind == "accepted":
            path = taken.written.path
            return executed(await execute_plan(engine.ws, session_id, path, Confirmation.UNLESS_APPROVED))
        return made(session_id, taken)

    return ended(engine, session_id, trip)


def act_on(
    engine: Engine,
    document: PlanDocument,
    confirmation: Confirmation,
    *,
    steps: Collection[int] = (),
    session_id: str = "",
) -> Result:
    """Execute a plan, or some steps of it. Without a session id, in the last session that had it in hand, where the
    answers are that were given meanwhile.
    """
    if not session_id:
        sessions = engine.ws.ports.sessions.list()
        known = next((session for session in sessions if session.plan_file == document.path), None)
        if known is None:
            check_model(engine.ws, Mode.ACT)
        session_id = (known or new_session(engine.ws)).id

    async def trip() -> Result:
        return executed(await execute_plan(engine.ws, session_id, document.path, confirmation, only_steps=steps))

    return ended(engine, session_id, trip)


def go_on(engine: Engine, run: Execution) -> Result:
    """Go on where a run stopped, in the session that has its questions and answers."""
    session_id = session_to_resume(engine.ws, run)
    if not session_id:
        check_model(engine.ws, Mode.ACT)
        session_id = new_session(engine.ws).id

    async def trip() -> Result:
        return executed(await resume_execution(engine.ws, session_id, run))

    return ended(engine, session_id, trip)


def plan_and_act_on(engine: Engine, session_id: str, request: str, *, waits: bool, is_scrutinized: bool) -> Result:
    """Make a plan, and carry it out: by itself if it is safe, else after the user's yes."""

    async def trip() -> Result:
        taken = await plan_for_acting(engine.ws, session_id, request, is_scrutinized=is_scrutinized)
        if taken.written is None or not is_to_act(taken):
            return made(session_id, taken)
        is_accepted, grace = taken.result.kind == "accepted", GRACE_SECONDS if waits else 0.0
        path = taken.written.path
        done = await act_if_safe(engine.ws, session_id, path, is_accepted=is_accepted, grace_seconds=grace)
        return acted(session_id, done)

    return ended(engine, session_id, trip)


def hear(engine: Engine, session: Session, text: str, images: Sequence[Image]) -> Result:
    """Do what a word of the chat says, or say something to the agent. The session is another one after `/new`."""
    read_word(text)  # what is wrong with it is told before anything begins
    try:
        return engine.do(heard(engine, session.id, text, images))
    except asyncio.CancelledError:
        return interrupted(engine, session.id)


async def heard(engine: Engine, session_id: str, text: str, images: Sequence[Image] = ()) -> Result:
    """The same, in a conversation that goes on meanwhile."""
    said = read_word(text)
    if said is None:
        return await outcome(engine, session_id, lambda: _say(engine, session_id, text, images))
    if images:
        raise InvalidInput("INVALID_ARGUMENTS", f"{said.name} takes no image", "Send it with a message.")
    result = await outcome(engine, session_id, lambda: _heed(engine, session_id, said))
    return replace(result, next_step=result.next_step.replace(" --set ", " "))  # the words have no options


async def _heed(engine: Engine, session_id: str, said: SaidWord) -> Result:
    heeded = await heed_word(engine.ws, session_id, said)
    match heeded.came:
        case str(told):
            return Result(Exit.DONE, {"session_id": heeded.session_id, "text": told}, told)
        case TurnTaken() as taken:
            return made(session_id, taken)
        case PlanDocument() as document:
            return planned(session_id, document)
        case PlannedAndActed() as done:
            return acted(session_id, done)
        case Execution() as execution:
            return executed(execution)
    assert_never(heeded.came)


async def _say(engine: Engine, session_id: str, text: str, images: Sequence[Image]) -> Result:
    """Say something and wait for what comes of it: an answer, a plan, or a run that the user accepted in between."""
    records = engine.ws.ports.records
    before = frozenset(records.execution_ids())
    plan_before = _in_hand(engine, session_id)
    result = await send_message(engine.ws, session_id, text, images)
    if result is None:
        data: Mapping[str, Any] = {"session_id": session_id, "status": "queued"}
        return Result(Exit.DONE, data, "Queued: work is running in this session, and reads it at its next safe point.")
    fresh = (record_of(engine.ws, run_id) for run_id in records.execution_ids() if run_id not in before)
    new = [run for run in fresh if run and run.session_id == session_id]
    run_of_plan = next((run for run in new if run.plan_id), None)
    if run_of_plan is not None:
        return executed(run_of_plan)
    status = {"session_id": session_id, "status": result.kind, "text": result.text, "reason": result.reason}
    data = {**status, "execution": execution_data(new[0]) if new else None}
    told = Result(EXITS[result.kind], data, result.text, result.reason, is_seen=True)
    document = _in_hand(engine, session_id)
    if document is None or (plan_before is not None and document.file.text == plan_before.file.text):
        return told
    shown = planned(session_id, document)
    return replace(shown, code=told.code, data={**data, **shown.data}, next_step=told.next_step or shown.next_step)


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
        return made(session_id, await revise_plan(engine.ws, session_id, document.path, said))

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
        return planned(session_id, await use_template(engine.ws, session_id, template, values))

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


def answer(
    engine: Engine, asked: QuestionSet, values: Mapping[str, str], rejected: Sequence[str] = (), comment: str = ""
) -> Result:
    """Answer a question with what the user wrote for each name; of files that would change some may be rejected."""
    by_name = {question.name: question for question in asked.questions}
    answers = {name: value_of(by_name[name], text) if name in by_name else text for name, text in values.items()}
    return _resolved(engine, engine.ws.desk.answer(asked.id, answers, rejected=rejected, comment=comment))


def decline(engine: Engine, asked: QuestionSet) -> Result:
    """Decline a question."""
    return _resolved(engine, engine.ws.desk.decline(asked.id))


def ask_again(engine: Engine, asked: QuestionSet) -> Result:
    """Ask a question at the terminal, or by the answers file."""

    async def trip() -> Result:
        return _resolved(engine, await engine.ws.desk.show_again(asked))

    return ended(engine, asked.session_id, trip)


def _resolved(engine: Engine, ended: QuestionSet) -> Result:
    remarks = {"rejected": list(ended.rejected), "comment": ended.comment}
    data = {"question_id": ended.id, "status": ended.status, "answers": ended.answers, **remarks}
    said = "; ".join(filter(None, (in_words(ended), *(f"rejected: {path}" for path in ended.rejected))))
    text = f"{ended.status.capitalize()}{f': {said}' if said else ''}"
    return Result(Exit.DONE, data, text, how_to_continue(engine, ended.session_id, ended))


def _in_hand(engine: Engine, session_id: str) -> PlanDocument | None:
    """The plan of the session as it is now, if it is one."""
    path = engine.ws.ports.sessions.get(session_id).plan_file
    try:
        document = read_document(engine.ws, path) if path else None
    except InvalidInput:
        return None
    return document if document is not None and document.plan is not None else None
