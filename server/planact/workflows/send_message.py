"""What the user says in a session: a turn in Plan, the execution of the plan just made, or work in Act that is recorded
like a plan of one step.
"""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from planact.agent.loop import TurnResult
from planact.base.errors import InvalidInput
from planact.model.image import MAX_IMAGES, Image
from planact.model.permission import Mode
from planact.workflows.ask_question import WROTE_INSTEAD
from planact.workflows.choose_model import model_name
from planact.workflows.heed_intent import heed_intent, plan_at_hand
from planact.workflows.library import PlanDocument, is_approved, read_document
from planact.workflows.loose_work import do_loose_work
from planact.workflows.make_plan import go_on_if_accepted
from planact.workflows.mentions import Handed, with_mentions
from planact.workflows.queued import heed_unread, unread
from planact.workflows.roles import look_at_roles
from planact.workflows.sessions import name_session
from planact.workflows.take_turn import Scope, take_turn
from planact.workflows.workspace import Stopped, Workspace

OFFER = "To have it changed, ask for a plan and execute it, or switch to Act."


async def send_message(
    ws: Workspace, session_id: str, text: str, images: Sequence[Image] = (), handed: Handed | None = None
) -> TurnResult | None:
    """Say something; None when work is running, which reads it at its next safe point. `handed` is what the front end
    knows of what the message may mention.

    An open question of the session is cancelled by it: the user chose to write instead, and the model is told so.

    Raises:
        EndTurn: `waiting`, when nobody can confirm now that a plan is to be executed.
        InvalidInput: INVALID_ARGUMENTS for an empty text or images that can't be sent; what `with_mentions` raises.
        Conflict: BUSY, when another run changes the folder; and what `execute_plan` raises.
        ModelFailure: the model can't be reached.
    """
    if not text.strip():
        raise InvalidInput("INVALID_ARGUMENTS", "the message is empty", "Write something.")
    async with ws.entry:
        model = await look_at_roles([ws], lambda: model_name(ws, session_id))
    _check_images(ws, model, images)
    ws.ports.models.open(model)  # or the session would be left with only the message
    typed, text = text, await with_mentions(ws, session_id, text, handed)
    async with ws.entry:  # before the message is one of the transcript
        plan = await plan_at_hand(ws, session_id)
    name_session(ws, session_id, typed)
    more: dict[str, Any] = {"queued": True} if ws.is_working(session_id) else {}
    if typed != text:
        more["typed"] = typed
    said = ws.say(session_id, "user", text, images=tuple(images), **more)
    ws.desk.cancel_all(session_id, WROTE_INSTEAD)
    if ws.is_working(session_id):
        return None
    try:
        ended = await heed_intent(ws, session_id, said, plan) if plan is not None else None
        async with ws.entry:
            document = await _plan_in_hand(ws, session_id)
        if ended is not None or ws.is_working(session_id):  # then by a later message, whose turn reads this one too
            return ended
        session = ws.ports.sessions.get(session_id)
        if session.mode is Mode.ACT:
            result = await do_loose_work(ws, session_id, text, document)
            if result.kind == "finished":
                await heed_unread(ws, session_id)
            return result
        target = document if document and not is_approved(ws, document) else None
        taken = await ws.work(session_id, take_turn(ws, session_id, Scope(target=target)))
        while taken.result.kind in ("finished", "refused") and unread(ws, session_id):
            again = Scope(target=taken.written or target)
            taken = await ws.work(session_id, take_turn(ws, session_id, again))
    except Stopped:
        return TurnResult("stopped", "", "you stopped it")
    if taken.result.kind == "refused":
        return TurnResult("refused", taken.result.text, f"{taken.result.reason} {OFFER}")
    return await go_on_if_accepted(ws, session_id, taken)


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


async def _plan_in_hand(ws: Workspace, session_id: str) -> PlanDocument | None:
    path = ws.ports.sessions.get(session_id).plan_file
    if not path:
        return None
    try:
        document = await asyncio.to_thread(read_document, ws, path)
    except InvalidInput:
        return None
    return document if document.plan is not None else None
