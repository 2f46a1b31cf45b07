"""A session whose user has just got a plan, and says something."""

import asyncio
from pathlib import Path
from typing import Any

from planact.agent.loop import TurnResult
from planact.model.chat.message import Reply
from planact.model.rights.permission import Mode
from planact.model.settings import IntentSettings, RoleSettings, Settings
from planact.workflows.chat.send_message import send_message
from tests.fakes.world import Turn, answer, call, calls
from tests.workflows.scene import SAID, WRITE_A, Scene

GO = "Looks good, go ahead!"
STEPS = [{"action": "Mend it", "reason": "it is broken", "files": ["a.txt"]}]
WRITE_PLAN = calls(call("write_plan", goal="Mend it", steps=STEPS))
READY = Reply("The plan is ready.")
PLANNED = (WRITE_PLAN, READY)
DONE = (WRITE_A, SAID)
HEARD = Reply("I hear you.")
NO = answer(execute=False)


def scene(root: Path, *turns: Turn, switch: str = "confirm", model: str = "", role: str = "planner") -> Scene:
    intent = IntentSettings.model_validate({"switch": switch, "model": model})
    return Scene(root, *turns, settings=Settings(model="played", intent=intent, roles=RoleSettings(plan=role)))


def planned(root: Path, *turns: Turn, **more: str) -> Scene:
    """A scene whose user has just got a plan."""
    it = scene(root, *PLANNED, *turns, **more)
    assert say(it, "mend it").text == READY.text
    return it


def say(it: Scene, text: str = GO) -> TurnResult:
    result = asyncio.run(asyncio.wait_for(send_message(it.ws, it.session_id, text), 180))
    assert result is not None
    return result


def path(it: Scene) -> str:
    (found,) = (path for path in it.world.tree() if path.endswith(".plan"))
    return found


def edit(it: Scene, old: str, new: str) -> None:
    text = it.world.read(path(it))
    assert old in text
    it.world.write(path(it), text.replace(old, new))


def detected(it: Scene) -> list[dict[str, Any]]:
    return [event.data for event in it.world.store.events.list() if event.kind == "execution_intent_detected"]


def is_untouched(it: Scene) -> bool:
    """Whether nothing was approved, switched or done."""
    switched = {"mode_switched_by_intent", "plan_approved", "execution_finished"} & {*it.world.events()}
    return (
        not switched
        and it.session.mode is Mode.PLAN
        and it.ws.ports.approvals.paths() == frozenset()
        and "a.txt" not in it.world.tree()
        and not it.ws.ports.records.executions()
    )


def is_for_the_planner(it: Scene, text: str = GO) -> bool:
    """Whether the message went to the model like any other, without a question."""
    return it.asked == [] and detected(it) == [] and it.said_last() == text and is_untouched(it)
