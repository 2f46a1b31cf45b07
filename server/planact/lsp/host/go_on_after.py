"""Go on with the work that waited for the user's answer, in the background, or offer *Continue*."""

import asyncio
import logging
from typing import Final

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from planact.base.errors import PlanactError
from planact.lsp.host.workspace_host import host_of
from planact.lsp.server import PlanactServer
from planact.model.question import QuestionSet
from planact.tools.turn import EndTurn
from planact.workflows.chat.go_on import (
    HeldWork,
    apply_answer,
    go_on,
    is_held_elsewhere,
    is_taken,
    obstacle_to,
    work_held_by,
)
from planact.workflows.workspace import Stopped, Workspace

log = logging.getLogger(__name__)

CONTINUE: Final = "Continue"
_LOOK_SECONDS = 0.5
"""Interval at which it is looked whether another process has let go of a session."""


async def go_on_after(ls: PlanactServer, ws: Workspace, ended: QuestionSet) -> None:
    """Start the work that the question held up, where none waits for the answer, or end it where the answer does.
    Clients without forms, and all where something has changed since, show *Continue* first.

    Raises:
        Conflict: HOOK_FAILED, where the answer accepts a plan.
    """
    if is_held_elsewhere(ws, ended):
        host_of(ls).start(_go_on_when_free(ls, ws, ended))
        return
    await apply_answer(ws, ended)
    if held := work_held_by(ws, ended):
        host_of(ls).start(_go_on(ls, ws, held))


async def _go_on_when_free(ls: PlanactServer, ws: Workspace, ended: QuestionSet) -> None:
    """Wait for the process that has the session: it takes the answer, or is about to end, as that of an editor that was
    just closed.
    """
    while is_held_elsewhere(ws, ended):  # noqa: ASYNC110 (another process tells nothing)
        await asyncio.sleep(_LOOK_SECONDS)
    if is_taken(ws, ended):
        return
    try:
        await apply_answer(ws, ended)
    except PlanactError as error:
        log.warning("an answer could not be applied: %s", error)
    if held := work_held_by(ws, ended):
        await _go_on(ls, ws, held)


async def _go_on(ls: PlanactServer, ws: Workspace, held: HeldWork) -> None:
    try:
        obstacle = await obstacle_to(ws, held)
        if (obstacle or not ls.client.planact.questions) and not await _is_wanted(ls, held, obstacle):
            return
        async with host_of(ls).display.progress(ws, held.session_id, "Planact: going on"):
            await go_on(ws, held)
    except (Stopped, EndTurn):
        return
    except PlanactError as error:
        text = f"The work that waited for your answer could not go on: {error.message}. {error.hint}".strip()
        ls.window_show_message(types.ShowMessageParams(types.MessageType.Warning, text))


async def _is_wanted(ls: PlanactServer, held: HeldWork, obstacle: str) -> bool:
    what = f"The run of “{held.run.goal}”" if held.run else held.plan[0] if held.plan else "The work"
    text = f"{what} waited for your answer{f', but {obstacle}' if obstacle else ''}. Go on with it?"
    params = types.ShowMessageRequestParams(types.MessageType.Info, text, [types.MessageActionItem(CONTINUE)])
    try:
        chosen = await ls.protocol.request(types.WINDOW_SHOW_MESSAGE_REQUEST, params)
    except JsonRpcException:
        log.info("the client can't offer to go on")
        return False
    return chosen is not None and chosen.title == CONTINUE
