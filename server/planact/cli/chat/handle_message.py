"""Handle one message of a conversation: run the slash command that it names, or send it to the agent."""

import asyncio
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, assert_never

from planact.base.errors import InvalidInput
from planact.cli.command import Exit, Result
from planact.cli.engine import Engine
from planact.cli.output.show import execution_data
from planact.cli.results import (
    TURN_EXITS,
    await_action,
    interrupted_result,
    plan_and_act_result,
    plan_result,
    planning_result,
    run_result,
)
from planact.model.chat.image import Image
from planact.model.chat.session import Session
from planact.model.rights.permission import Mode
from planact.model.runs.execution import Execution
from planact.workflows.chat.handle_slash_command import handle_slash_command
from planact.workflows.chat.send_message import send_message
from planact.workflows.chat.slash_commands import SlashCommandCall, parse_slash_command
from planact.workflows.history.journal_queries import load_record
from planact.workflows.plans.library import PlanDocument, read_document
from planact.workflows.runs.make_plan import PlanAndExecution
from planact.workflows.turns.take_turn import TurnTaken

_OF_SESSION = ("/role", "/model", "/mode")
"""Slash commands whose effect lasts in their session alone."""

_LONGEST_SHOWN = 200
"""Characters of a message that a command repeats."""


def handle_message_and_wait(engine: Engine, session: Session, text: str, images: Sequence[Image]) -> Result:
    """Run a slash command or send a message to the agent, and wait for the result. `/new` changes the session."""
    said = parse_slash_command(text)  # raises for a faulty command before the engine starts
    try:
        result = engine.do(handle_message(engine, session.id, text, images))
        if said and said.argument and said.name in _OF_SESSION and result.code is Exit.DONE:
            return replace(result, next_step=f'Go on in this session: planact chat --session {session.id} "…"')
        is_undone = said is None and result.data.get("status") in ("refused", "nothing_done")
        if is_undone and engine.ws.ports.sessions.get(session.id).mode is Mode.PLAN:
            return replace(result, next_step=f"{result.next_step}\n{_ways_to_change(session.id, text)}")
        return result
    except asyncio.CancelledError:
        return interrupted_result(engine, session.id)


async def handle_message(engine: Engine, session_id: str, text: str, images: Sequence[Image] = ()) -> Result:
    """Run a slash command or send a message to the agent, beside other tasks of the conversation."""
    said = parse_slash_command(text)
    if said is None:
        return await await_action(engine, session_id, lambda: _send(engine, session_id, text, images))
    if images:
        raise InvalidInput("INVALID_ARGUMENTS", f"{said.name} takes no image", "Send it with a message.")
    result = await await_action(engine, session_id, lambda: _run_word(engine, session_id, said))
    return replace(result, next_step=result.next_step.replace(" --set ", " "))  # slash commands have no options


async def _run_word(engine: Engine, session_id: str, said: SlashCommandCall) -> Result:
    heeded = await handle_slash_command(engine.ws, session_id, said)
    match heeded.came:
        case str(told):
            return Result(Exit.DONE, {"session_id": heeded.session_id, "text": told}, told)
        case TurnTaken() as taken:
            return planning_result(session_id, taken)
        case PlanDocument() as document:
            return plan_result(session_id, document)
        case PlanAndExecution() as done:
            return plan_and_act_result(session_id, done)
        case Execution() as execution:
            return run_result(execution)
    assert_never(heeded.came)


async def _send(engine: Engine, session_id: str, text: str, images: Sequence[Image]) -> Result:
    """Send a message and return its result: an answer, a plan, or a run that the user accepted meanwhile."""
    records = engine.ws.ports.records
    before = frozenset(records.execution_ids())
    plan_before = _in_hand(engine, session_id)
    result = await send_message(engine.ws, session_id, text, images)
    if result is None:
        data: Mapping[str, Any] = {"session_id": session_id, "status": "queued"}
        return Result(Exit.DONE, data, "Queued: work is running in this session, and reads it at its next safe point.")
    fresh = (load_record(engine.ws, run_id) for run_id in records.execution_ids() if run_id not in before)
    new = [run for run in fresh if run and run.session_id == session_id]
    run_of_plan = next((run for run in new if run.plan_id), None)
    if run_of_plan is not None:
        return run_result(run_of_plan)
    status = {"session_id": session_id, "status": result.kind, "text": result.text, "reason": result.reason}
    data = {**status, "execution": execution_data(new[0]) if new else None}
    told = Result(TURN_EXITS[result.kind], data, result.text, result.reason, is_seen=True)
    document = _in_hand(engine, session_id)
    if document is None or (plan_before is not None and document.file.text == plan_before.file.text):
        return told
    shown = plan_result(session_id, document)
    return replace(shown, code=told.code, data={**data, **shown.data}, next_step=told.next_step or shown.next_step)


def _ways_to_change(session_id: str, text: str) -> str:
    """Return the commands that do what a message in Plan asked for in vain."""
    said = shlex.quote(text) if len(text) <= _LONGEST_SHOWN and "\n" not in text else '"…"'
    act = f"planact chat --session {session_id} --mode act -- {said}"
    return f"Make a plan: planact plan -- {said}\nSwitch to Act: {act}"


def _in_hand(engine: Engine, session_id: str) -> PlanDocument | None:
    """Return the plan of the session as it is now; None without one, or if its document can't be read as a plan."""
    path = engine.ws.ports.sessions.get(session_id).plan_file
    try:
        document = read_document(engine.ws, path) if path else None
    except InvalidInput:
        return None
    return document if document is not None and document.plan is not None else None
