"""Actions of the terminal that several commands share, and their results: text, JSON, exit code, and the command to go
on with.
"""

import asyncio
import shlex
from collections.abc import Callable, Collection, Coroutine
from dataclasses import replace
from typing import Any

from planact.agent.loop import EndKind
from planact.base.errors import ModelFailure
from planact.cli.command import Exit, Result, failure
from planact.cli.engine import Engine
from planact.cli.output.show import (
    asked_text,
    execution_data,
    execution_text,
    how_to_answer,
    how_to_go_on,
    plan_data,
    plan_text,
    question_data,
)
from planact.model.answer import answers_in_words
from planact.model.question import MOMENTARY, OptionEffect, QuestionSet
from planact.model.rights.permission import Mode
from planact.model.runs.execution import Execution
from planact.tools.turn import EndTurn
from planact.workflows.plans.accept import KEEP_PLANNING, choice_about_plan
from planact.workflows.plans.library import PlanDocument, list_plans
from planact.workflows.runs.execute import Confirmation, execute_plan
from planact.workflows.runs.make_plan import make_plan, result_of_planning
from planact.workflows.runs.plan_and_act import PlanAndExecution
from planact.workflows.runs.resume import newest_resumable_run
from planact.workflows.sessions.choose_model import check_model
from planact.workflows.sessions.manage import new_session
from planact.workflows.turns.take_turn import TurnTaken
from planact.workflows.workspace import Stopped

Action = Callable[[], Coroutine[Any, Any, Result]]

TURN_EXITS: dict[EndKind, Exit] = {
    "finished": Exit.DONE,
    "accepted": Exit.DONE,
    "review": Exit.DONE,
    "waiting": Exit.WAITING,
    "refused": Exit.REFUSED,
    "stopped": Exit.REFUSED,
    "cancelled": Exit.REFUSED,
    "replan": Exit.REFUSED,
    "limit": Exit.FAILED,
    "nothing_done": Exit.FAILED,
}

REVIEW_STEP = "Look at it and edit it in"
"""Beginning of the next step after a plan was written, unless the turn gave a reason."""


_EFFECTS: dict[OptionEffect, str] = {
    "pause": "The work stays paused until you have it go on. ",
    "stop": "The work has ended. ",
    "replan": "The plan is revised when you go on. ",
}
"""Openings of the next step after an answer with such an effect."""

_COMMANDS_OWN = ("delete ", "roll_back ")
"""Openings of the subjects of questions that commands ask about their own work, and not the agent."""


def run_action(engine: Engine, session_id: str, action: Action) -> Result:
    """Run an action to its end on the engine's event loop and return its result."""
    try:
        return engine.do(await_action(engine, session_id, action))
    except asyncio.CancelledError:
        return interrupted_result(engine, session_id)


def interrupted_result(engine: Engine, session_id: str) -> Result:
    """Return the result of an action that was interrupted before it began."""
    return _conclude(engine, session_id, Result(Exit.INTERRUPTED, {"session_id": session_id}))


async def await_action(engine: Engine, session_id: str, action: Action) -> Result:
    """Await an action and return its result; after an interruption or with an open question it says how to go on."""
    try:
        result = await action()
    except EndTurn as end:
        result = Result(Exit.WAITING, {"session_id": session_id}, next_step=end.reason)
    except (Stopped, asyncio.CancelledError):
        result = Result(Exit.INTERRUPTED, {"session_id": session_id})
    return _conclude(engine, session_id, result)


def _conclude(engine: Engine, session_id: str, result: Result) -> Result:
    engine.view.end_line()
    asked = engine.open_question(session_id)
    if asked is not None and asked.is_momentary:  # no later command resumes it
        engine.ws.questions.cancel(asked.id, "planact ended before it was answered")
    if engine.is_interrupted:
        own = asked if asked is not None and asked.subject.startswith(_COMMANDS_OWN) else None
        next_step = f"Interrupted. {how_to_continue(engine, session_id, own)}"
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
    """Return the command to go on with after an interruption, or once `asked` has its answer."""
    if asked is not None and asked.subject.startswith("delete "):
        path = asked.subject.removeprefix("delete ").rpartition(" ")[0]
        return f"Go on with: planact plan delete {shlex.quote(path)}"
    if asked is not None and asked.subject.startswith("roll_back "):
        _, *which, step, _ = asked.subject.split(" ")
        step_ = f" --step {step}" if step != "0" else ""
        return f"Go on with: planact rollback {shlex.quote(' '.join(which))}{step_}"
    session = engine.ws.ports.sessions.get(session_id)
    is_planning = session.mode is Mode.PLAN and asked is not None and asked.purpose == "agent"
    if asked is not None and choice_about_plan(asked) == KEEP_PLANNING:
        return f'Say what to change: planact chat --session {session_id} "…"'
    plan = next((plan for plan in list_plans(engine.ws) if plan.path == session.plan_file), None)
    if plan is not None and plan.steps_done < plan.steps_total and not is_planning:
        begun = newest_resumable_run(engine.ws, plan.path)
        return how_to_go_on(begun) if begun else f"Go on with: planact act {plan.id}"
    return f'Go on with: planact chat --session {session_id} "go on"'


def planning_result(session_id: str, taken: TurnTaken) -> Result:
    """Return the result of a turn that was to write a plan. A turn without a plan failed, even with an answer."""
    result = result_of_planning(taken)
    if taken.written is not None:
        shown = plan_result(session_id, taken.written)
        return replace(shown, code=TURN_EXITS[result.kind], next_step=result.reason or shown.next_step)
    code = Exit.FAILED if result.kind == "finished" else TURN_EXITS[result.kind]
    data = {"session_id": session_id, "status": result.kind, "text": result.text, "reason": result.reason}
    is_undone = result.kind == "nothing_done"
    next_step = f"{result.reason} To ask a question: planact chat" if is_undone else taken.offer or result.reason
    return Result(code, data, result.text, next_step, is_seen=True)


def plan_result(session_id: str, document: PlanDocument) -> Result:
    """Return the result of a plan that was written."""
    next_step = f"{REVIEW_STEP} {document.path}, then: planact act {document.complete().id}"
    data = plan_data(document, session_id)
    return Result(Exit.DONE, data, plan_text(document), next_step, seen_hash=document.hash)


def plan_and_act_result(session_id: str, done: PlanAndExecution) -> Result:
    """Return the result of a plan that was written and, if the user accepted it, executed."""
    if done.execution is None:
        shown = plan_result(session_id, done.document)
        return replace(shown, code=Exit.FAILED, next_step=f"It was not executed. {shown.next_step}")
    ran = run_result(done.execution)
    return replace(ran, text=f"{plan_text(done.document)}\n\n{ran.text}")


def run_result(execution: Execution) -> Result:
    """Return the result of a run that ended."""
    ended_by = execution.steps[-1].ended_by if execution.steps else ""
    is_refused = ended_by in ("refusal", "user")
    code = Exit.DONE if execution.status == "success" else Exit.REFUSED if is_refused else Exit.FAILED
    return Result(code, execution_data(execution), execution_text(execution), how_to_go_on(execution))


async def await_run(engine: Engine, path: str, run: Coroutine[Any, Any, Execution]) -> Result:
    """Await a run of the plan at `path` and return its result; one that the model broke off says how to go on."""
    try:
        return run_result(await run)
    except ModelFailure as failed:
        begun = newest_resumable_run(engine.ws, path)
        return replace(failure(failed), next_step=how_to_go_on(begun) if begun else "")


def answer_result(engine: Engine, asked: QuestionSet) -> Result:
    """Return the result of a question set that the user answered or declined."""
    remarks = {"rejected": list(asked.rejected), "comment": asked.comment}
    data = {"question_id": asked.id, "status": asked.status, "answers": asked.answers, **remarks}
    answer = "; ".join(filter(None, (answers_in_words(asked), *(f"rejected: {path}" for path in asked.rejected))))
    text = f"{asked.status.capitalize()}{f': {answer}' if answer else ''}"
    next_step = f"{_EFFECTS.get(asked.effect, '')}{how_to_continue(engine, asked.session_id, asked)}"
    return Result(Exit.DONE, data, text, next_step)


def make_plan_and_wait(engine: Engine, session_id: str, request: str) -> Result:
    """Make a plan, and execute it if the user accepts it meanwhile."""

    async def make() -> Result:
        taken = await make_plan(engine.ws, session_id, request)
        if taken.written is not None and taken.result.kind == "accepted":
            path = taken.written.path
            run = execute_plan(engine.ws, session_id, path, Confirmation.UNLESS_APPROVED)
            return await await_run(engine, path, run)
        return planning_result(session_id, taken)

    return run_action(engine, session_id, make)


def execute_and_wait(
    engine: Engine,
    document: PlanDocument,
    confirmation: Confirmation,
    *,
    steps: Collection[int] = (),
    session_id: str = "",
    seen_hash: str = "",
) -> Result:
    """Execute a plan, or some steps of it. Without a session id, use the last session that worked on the plan, which
    has the answers that the user gave meanwhile.
    """
    if not session_id:
        sessions = engine.ws.ports.sessions.list()
        known = next((session for session in sessions if session.plan_file == document.path), None)
        if known is None:
            check_model(engine.ws, Mode.ACT)
        session_id = (known or new_session(engine.ws)).id

    async def execute() -> Result:
        run = execute_plan(engine.ws, session_id, document.path, confirmation, only_steps=steps, seen_hash=seen_hash)
        return await await_run(engine, document.path, run)

    return run_action(engine, session_id, execute)


def new_planning_session(engine: Engine) -> str:
    """Return the id of a new session in Plan. Raises what `check_model` does."""
    check_model(engine.ws, Mode.PLAN)
    return new_session(engine.ws, Mode.PLAN).id


def planning_session(engine: Engine, document: PlanDocument) -> str:
    """Return the id of the last session in Plan that worked on the plan, or of a new one."""
    for session in engine.ws.ports.sessions.list():
        if session.plan_file == document.path and session.mode is Mode.PLAN:
            return session.id
    return new_session(engine.ws, Mode.PLAN).id
