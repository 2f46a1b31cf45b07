"""A session in a world, whose model plays its turns."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from planact.agent.loop import TurnResult
from planact.model.chat.message import Reply, ToolCall
from planact.model.rights.permission import Mode
from planact.model.settings import LimitSettings, Settings
from planact.workflows.sessions.manage import new_session
from planact.workflows.sessions.switch_mode import enter_mode
from planact.workflows.turns.take_turn import Scope, TurnTaken, take_turn
from tests.fakes.world import Turn, World, call

SAID = Reply("done")


@dataclass
class Talk:
    """A session in a world, and what happens in its turns."""

    world: World
    session_id: str

    async def turn(self, text: str = "begin", scope: Scope | None = None) -> TurnTaken:
        self.world.ws.add_message(self.session_id, "user", text)
        return await take_turn(self.world.ws, self.session_id, scope or Scope())

    def run(self, text: str = "begin", scope: Scope | None = None) -> TurnResult:
        return asyncio.run(self.turn(text, scope)).result

    def say(self, text: str) -> None:
        self.world.ws.add_message(self.session_id, "user", text)

    def transcript(self) -> list[tuple[str, str]]:
        messages = self.world.store.sessions.messages(self.session_id)
        return [(message.role, message.content) for message in messages]

    def requests(self) -> list[list[dict[str, Any]]]:
        return [[dict(message) for message in request.messages] for request in self.world.model.requests]

    def switch(self, mode: Mode) -> None:
        enter_mode(self.world.ws, self.session_id, mode, "by hand")


def talk(root: Path, *turns: Turn, mode: Mode = Mode.PLAN, limits: LimitSettings | None = None) -> Talk:
    world = World(root, turns, Settings(model="played", limits=limits or LimitSettings()))
    return Talk(world, new_session(world.ws, mode).id)


def read(path: str, call_id: str = "") -> ToolCall:
    return call("read_file", call_id, path=path)
