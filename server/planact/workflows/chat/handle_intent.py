"""Handle a message that asks to execute the plan just made: after one question, or at once, by the setting.

It counts only where the plan is the agent's latest result. Any later turn makes it a message like any other.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from planact.agent.context import COMPACTION
from planact.agent.judge_intent import judge_intent
from planact.agent.loop import TurnResult
from planact.base.errors import InvalidInput
from planact.model.chat.message import Intent, Message
from planact.model.question import QuestionSet
from planact.model.rights.permission import Mode
from planact.workflows.plans.accept import REVIEW, choice_about_plan
from planact.workflows.plans.approve import changes_since
from planact.workflows.plans.ask_to_execute import ask_to_execute, is_yes
from planact.workflows.plans.library import PlanDocument, read_document
from planact.workflows.plans.lint import Linter
from planact.workflows.questions.service import WROTE_INSTEAD
from planact.workflows.runs.execute import Confirmation, execute_plan
from planact.workflows.runs.plan_and_act import turn_result
from planact.workflows.sessions.context import own_transcript
from planact.workflows.workspace import Workspace

KEPT_PLANNING = "The user was asked whether to execute the plan, and chose to keep planning."


@dataclass(frozen=True, slots=True)
class LatestPlan:
    """The complete plan that a session has just come to: its document now, and its text as the agent wrote it."""

    document: PlanDocument
    written: str


async def latest_plan(ws: Workspace, session_id: str) -> LatestPlan | None:
    """Return the plan that the session's next message may ask to execute; None when the latest result is no plan, or
    intent is switched off.
    """
    if ws.settings.intent.switch == "off":
        return None
    messages = own_transcript(ws, session_id)
    made = next((number for number in reversed(range(len(messages))) if messages[number].message_type == "plan"), None)
    if ws.ports.sessions.get(session_id).mode is not Mode.PLAN or made is None:
        return None
    since = messages[made + 1 :]
    heard = next((number for number, message in enumerate(since) if message.is_said_by_user), len(since))
    if not _has_ended(ws, since[:heard]) or not _only_asks(since[heard:]):
        return None
    said = messages[made].metadata
    document = await asyncio.to_thread(_sound_plan, ws, str(said.get("path", "")))
    return None if document is None else LatestPlan(document, str(said.get("document", "")))


def _sound_plan(ws: Workspace, path: str) -> PlanDocument | None:
    try:
        document = read_document(ws, path)
    except InvalidInput:
        return None
    has_error = any(problem.severity == "error" for problem in Linter().lint(ws, document.tree))
    return None if document.plan is None or has_error else document


async def handle_intent(ws: Workspace, session_id: str, message: Message, plan: LatestPlan) -> TurnResult | None:
    """Execute `plan` if the message that follows it asks for that; None when the message is for the planner.

    Raises:
        Stopped: the user stopped it, while a model judged the message.
        EndTurn: `waiting`, when the user can't be asked now.
        PlanactError: what `execute_plan` raises.
    """
    found = _detect(message.content)
    intent, judge = found.intent, ""
    if intent == "UNCLEAR" and found.rule != "long" and ws.settings.intent.model:
        judge = ws.settings.intent.model
        intent = await ws.work(session_id, judge_intent(ws.ports, session_id, judge, message.content))
    if intent != "EXECUTE_NOW" or _said_last(ws, session_id) != message.id:
        return None
    document = plan.document
    seen = {"path": document.path, "hash": document.hash, "plan_id": document.complete().id}
    ws.record("execution_intent_detected", session_id, {**seen, "rule": found.rule, "judge": judge or "rules"})
    is_changed = bool(changes_since(plan.written, document))
    if ws.settings.intent.switch != "auto" or judge or is_changed:
        ended = await ask_to_execute(ws, session_id, document, written=plan.written, no="Keep Planning")
        if not is_yes(ended):
            return _not_executed(ws, session_id, ended)
    execution = await execute_plan(
        ws, session_id, document.path, Confirmation.ASK, seen_hash=document.hash, wish=message.content
    )
    return turn_result(execution)


def _not_executed(ws: Workspace, session_id: str, ended: QuestionSet) -> TurnResult | None:
    """Return a message to the planner if the user chose to keep planning; otherwise the way to go on."""
    if ended.status == "answered" and ws.ports.sessions.get(session_id).mode is Mode.PLAN:
        ws.add_message(session_id, "system", KEPT_PLANNING, for_model=True)
        return None
    reason = (
        "The plan was not executed, since you didn't confirm it. Execute it when it is right, or say what to change."
    )
    return TurnResult("stopped", "", reason)


def _has_ended(ws: Workspace, rest: Sequence[Message]) -> bool:
    """The turn that made the plan went on to its own end, with no other question to the user.

    Args:
        ws: the workspace.
        rest: the turn's messages after the plan.
    """
    asked = _asked_in(ws, rest)
    if any(map(_is_fact_for_model, rest)) or not all(map(_leaves_it_open, asked)):
        return False
    said = [message for message in rest if message.role in ("assistant", "tool")]
    return bool(asked) or bool(said and said[-1].role == "assistant" and not said[-1].tool_calls)


def _is_fact_for_model(message: Message) -> bool:
    """Planact told the model a new fact; a compaction's summary isn't one."""
    return bool(message.metadata.get("for_model")) and COMPACTION not in message.metadata


def _leaves_it_open(asked: QuestionSet) -> bool:
    """The user was asked to accept the plan, and has not said no."""
    if asked.purpose != "exit_plan_mode":
        return False
    match asked.status:
        case "open":
            return True
        case "answered":
            return choice_about_plan(asked) == REVIEW
        case _:
            return asked.reason == WROTE_INSTEAD


def _only_asks(later: Sequence[Message]) -> bool:
    """All later messages only asked to execute the plan, and no run began."""
    if any(message.role in ("assistant", "tool") or _is_fact_for_model(message) for message in later):
        return False
    return all(_detect(message.content).intent == "EXECUTE_NOW" for message in later if message.is_said_by_user)


def _detect(text: str) -> Intent:
    from planact.policy.intent.rules import (
        detect,  # its phrases take a while to build, and no start should wait for them
    )

    return detect(text)


def _asked_in(ws: Workspace, messages: Sequence[Message]) -> Sequence[QuestionSet]:
    ids = [message.metadata["question_id"] for message in messages if message.message_type == "question"]
    return [ws.ports.questions.get(question_id) for question_id in ids]


def _said_last(ws: Workspace, session_id: str) -> str:
    """The id of what the user wrote last."""
    messages = ws.ports.sessions.messages(session_id)
    return next((message.id for message in reversed(messages) if message.is_said_by_user), "")
