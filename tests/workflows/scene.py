"""A session in a world, as the workflows' tests need it, with a plan of two steps that real commands check."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

from planact.model.chat.message import Reply, Session
from planact.model.question import QuestionSet, Shown
from planact.model.rights.permission import Mode
from planact.model.runs.execution import Execution
from planact.model.settings import LimitSettings, Settings
from planact.workflows.plans.approve import approve_plan
from planact.workflows.plans.library import PlanDocument, keep_own, read_document
from planact.workflows.runs.execute import Confirmation, execute_plan
from planact.workflows.sessions.manage import new_session
from tests.fakes.loopback_model import plan_in
from tests.fakes.world import Turn, World, answer, call, calls

T = TypeVar("T")

PATH = ".planact/plans/plan_20261120_aaaa-greet.plan"

PLAN = """---
format_version: "1.0"
id: plan_20261120_aaaa
---
# Greet

## Steps
- [ ] 1. Write the greeting
  - reason: nobody is greeted
  - files: a.txt
  - check: `grep -q hello a.txt`
- [ ] 2. Write the answer
  - reason: nobody answers
  - files: b.txt

## Validation
- `test -f b.txt`
- People like it.
"""

NO_REPAIRS = Settings(model="played", limits=LimitSettings(repairs=0))
"""For tests of what the user is asked about a failed step."""

EXECUTE = answer(execute=True)
SAID = Reply("Done.")
WRITE_A = calls(call("create_file", path="a.txt", content="hello\n"))
WRITE_B = calls(call("create_file", path="b.txt", content="bye\n"))
BOTH_STEPS = (WRITE_A, SAID, WRITE_B, SAID)


class Scene:
    """One folder, one session, the played turns of its model."""

    def __init__(self, root: Path, *turns: Turn, mode: Mode = Mode.PLAN, settings: Settings | None = None) -> None:
        self.world = World(root, turns, settings or Settings(model="played"))
        self.ws = self.world.ws
        self.session_id = new_session(self.ws, mode).id

    def answers(self, *shown: Shown) -> None:
        self.world.editor.answers += shown

    @property
    def session(self) -> Session:
        return self.ws.ports.sessions.get(self.session_id)

    @property
    def asked(self) -> list[QuestionSet]:
        return self.world.editor.asked

    def document(self, path: str = PATH) -> PlanDocument:
        return read_document(self.ws, path)

    def write_plan(self, text: str = PLAN, path: str = PATH) -> None:
        """As planact writes it for the user."""
        self.world.write(path, text)
        keep_own(self.ws, path, text)

    async def approve(self) -> None:
        await approve_plan(self.ws, self.session_id, self.document())

    def executing(
        self, confirmation: Confirmation = Confirmation.UNLESS_APPROVED, step: int | None = None, seen_hash: str = ""
    ) -> Awaitable[Execution]:
        only = (step,) if step else ()
        return execute_plan(self.ws, self.session_id, PATH, confirmation, only_steps=only, seen_hash=seen_hash)

    def execute(
        self, confirmation: Confirmation = Confirmation.BY_FLAG, step: int | None = None, seen_hash: str = ""
    ) -> Execution:
        async def run() -> Execution:
            return await self.executing(confirmation, step, seen_hash)

        return asyncio.run(run())

    def marks(self) -> str:
        """The marks of the steps, as they stand in the document."""
        return "".join(step.mark for step in self.document().tree.steps)

    def status(self) -> str:
        """What the document's front matter says."""
        return self.document().complete().status.value

    def prompts(self) -> list[str]:
        return [str(request.messages[0]["content"]) for request in self.world.model.requests]

    def plans(self) -> list[str]:
        """The approved plan of each request; empty = none."""
        return [plan_in({"messages": request.messages}) for request in self.world.model.requests]

    def said_last(self, request: int = -1) -> str:
        """The last message of one of the requests."""
        return str(self.world.model.requests[request].messages[-1]["content"])


async def until(is_so: Callable[[], object]) -> None:
    """Wait for something that nobody tells of."""
    async with asyncio.timeout(180):
        while not is_so():  # noqa: ASYNC110
            await asyncio.sleep(0.005)
