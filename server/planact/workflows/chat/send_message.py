"""Handle a user's message: a turn in Plan, the execution of the plan just made, or work in Act that is recorded like a
plan of one step.
"""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from planact.agent.loop import EndKind, TurnResult
from planact.base.errors import InvalidInput
from planact.model.chat.image import MAX_IMAGES, Image
from planact.model.chat.message import Message
from planact.model.question import MOMENTARY, Question
from planact.model.rights.permission import Mode
from planact.workflows.chat.ask_to_act import ask_to_act
from planact.workflows.chat.handle_intent import handle_intent, latest_plan
from planact.workflows.history.earlier_answers import add_earlier_answers
from planact.workflows.hooks import ask_user
from planact.workflows.plans.library import PlanDocument, is_approved, read_document
from planact.workflows.questions.service import WROTE_INSTEAD
from planact.workflows.runs.make_plan import plan_instead
from planact.workflows.runs.plan_and_act import execute_if_accepted
from planact.workflows.runs.queued_messages import handle_unread, unread
from planact.workflows.runs.run_without_plan import run_without_plan
from planact.workflows.sessions.choose_model import model_name
from planact.workflows.sessions.manage import name_session
from planact.workflows.sessions.roles import load_roles
from planact.workflows.sessions.surroundings import add_surroundings
from planact.workflows.turns.left_undone import left_undone
from planact.workflows.turns.mentions import Handed, with_mentions
from planact.workflows.turns.take_turn import Scope, TurnTaken, take_turn
from planact.workflows.workspace import Stopped, Workspace

_ENDED_BY_ITSELF: frozenset[EndKind] = frozenset({"finished", "refused", "nothing_done"})

OFFER = "To have it changed, ask for a plan and execute it, or switch to Act."


async def send_message(
    ws: Workspace, session_id: str, text: str, images: Sequence[Image] = (), handed: Handed | None = None
) -> TurnResult | None:
    """Send a message; None when work is running, which reads it at its next safe point. `handed` holds the front end's
    content for mentions.

    The message cancels an open question of the session, and the model is told that the user wrote instead.

    Raises:
        EndTurn: `waiting`, when the user can't confirm the execution of a plan now.
        InvalidInput: INVALID_ARGUMENTS for an empty text or images that can't be sent; what `with_mentions` raises.
        Conflict: BUSY, when another run changes the folder; and what `execute_plan` raises.
        ModelFailure: the model can't be reached.
    """
    if not text.strip():
        raise InvalidInput("INVALID_ARGUMENTS", "the message is empty", "Write something.")
    async with ws.entry:
        model = await load_roles([ws], lambda: model_name(ws, session_id))
    _check_images(ws, model, images)
    ws.ports.models.open(model)  # or the session would be left with only the message
    typed, text = text, await with_mentions(ws, session_id, text, handed)
    async with ws.entry:  # before the message is one of the transcript
        plan = await latest_plan(ws, session_id)
    name_session(ws, session_id, typed)
    said = _add_message(ws, session_id, typed, text, images)
    ws.questions.cancel_all(session_id, WROTE_INSTEAD)
    if ws.is_working(session_id):
        return None
    await add_surroundings(ws, session_id)
    try:
        ended = await handle_intent(ws, session_id, said, plan) if plan is not None else None
        async with ws.entry:
            document = await plan_in_hand(ws, session_id)
        if ended is not None or ws.is_working(session_id):  # then by a later message, whose turn reads this one too
            return ended
        if await ask_to_act(ws, session_id, said) == "replaced":
            return None
        session = ws.ports.sessions.get(session_id)
        if session.mode is Mode.ACT:
            return await work_in_act(ws, session_id, text, document)
        target = document if document and not is_approved(ws, document) else None
        taken = await ws.work(session_id, take_turn(ws, session_id, Scope(target=target)))
        taken = await plan_with_unread(ws, session_id, taken, target)
    except Stopped:
        return TurnResult("stopped", "", "you stopped it")
    undone = _left_undone(ws, session_id, said, taken)
    if undone.kind in ("refused", "nothing_done"):
        return TurnResult(undone.kind, undone.text, f"{undone.reason} {OFFER}")
    return await execute_if_accepted(ws, session_id, taken)


async def work_in_act(ws: Workspace, session_id: str, task: str, document: PlanDocument | None) -> TurnResult:
    """Work in Act without a plan, then on messages that came too late for that, and make a plan where the user chooses
    so on the way. Raises what both do.
    """
    result = await run_without_plan(ws, session_id, task, document)
    if result.kind == "replan":
        planned: TurnTaken | None = await plan_instead(ws, session_id, task, result.reason)
    else:
        planned = await handle_unread(ws, session_id) if result.kind in _ENDED_BY_ITSELF else None
    return await execute_if_accepted(ws, session_id, planned) if planned else result


async def plan_with_unread(ws: Workspace, session_id: str, taken: TurnTaken, target: PlanDocument | None) -> TurnTaken:
    """Take further turns in Plan while messages came too late for the last one; return the last. Raises what
    `take_turn` raises.
    """
    while taken.result.kind in _ENDED_BY_ITSELF and unread(ws, session_id):
        again = Scope(target=taken.written or target)
        taken = await ws.work(session_id, take_turn(ws, session_id, again))
    return taken


def _left_undone(ws: Workspace, session_id: str, first: Message, taken: TurnTaken) -> TurnResult:
    """Return the result of a turn in Plan: with a plan, it did what `first` and the messages after it asked for."""
    if taken.written is not None:
        return taken.result
    later = [
        each.typed for each in ws.ports.sessions.messages(session_id) if each.is_said_by_user and each.id > first.id
    ]
    return left_undone(taken.result, taken.trace, [first.typed, *later]) or taken.result


def _add_message(ws: Workspace, session_id: str, typed: str, text: str, images: Sequence[Image]) -> Message:
    """Add the user's message, after the answers that are new to the model; `text` includes what `typed` mentions."""
    more: dict[str, Any] = {} if typed == text else {"typed": typed}
    if ws.is_working(session_id):
        more["queued"] = True
    else:
        add_earlier_answers(ws, session_id)
    return ws.add_message(session_id, "user", text, images=tuple(images), **more)


def _check_images(ws: Workspace, model: str, images: Sequence[Image]) -> None:
    if not images:
        return
    if ws.ports.models.about(model).takes_images is False:
        hint = f"Choose another model, or set `images` in models.{json.dumps(model)} if it does."
        raise InvalidInput("INVALID_ARGUMENTS", f"the model {model} takes no images", hint)
    if len(images) > MAX_IMAGES:
        raise InvalidInput("INVALID_ARGUMENTS", f"{len(images)} images are too many", f"Send at most {MAX_IMAGES}.")
    for number, image in enumerate(images, 1):
        if image.problem:
            raise InvalidInput("INVALID_ARGUMENTS", f"image {number} {image.problem}", "Send another one.")


async def plan_in_hand(ws: Workspace, session_id: str) -> PlanDocument | None:
    """Return the document of the session's plan, if it can be read as one."""
    path = ws.ports.sessions.get(session_id).plan_file
    if not path:
        return None
    try:
        document = await asyncio.to_thread(read_document, ws, path)
    except InvalidInput:
        return None
    return document if document.plan is not None else None


async def ask_about(ws: Workspace, session_id: str, about: str, words: str, question: str) -> str:
    """Return the user's words with the place they are about, for example `src/app.py:10-20`; empty if they wrote none.

    Raises:
        EndTurn: `waiting`, when the user can't be asked now.
    """
    if not words.strip():
        asked = Question(name="words", question=question, context=about)
        ended = await ask_user(ws, session_id, (asked,), "confirm", f"{MOMENTARY}about {ws.ports.ids.uuid7()}")
        words = str(ended.answers["words"]) if ended.status == "answered" else ""
    return f"{words.strip()}\n\nThis is about `{about}`." if words.strip() else ""
