"""One tool call at a time, through the real gate, in a folder with a standing and a user that a test decides."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import get_args

from planact.model.plan import Plan
from planact.model.question import Decision, ProposedEdit, Question
from planact.model.rights.jail import Confinement
from planact.model.rights.permission import Mode
from planact.policy.context import PolicyContext
from planact.policy.roles import BUILT_IN, built_in_role
from planact.tools.tool_result import Done, Failed, Refused
from planact.tools.trace import Trace
from planact.tools.turn import CallLimits, Turn
from tests.fakes.world import World, call

HELD: frozenset[Confinement] = frozenset(get_args(Confinement))
PLAN = PolicyContext(Mode.PLAN, built_in_role("planner"), PurePosixPath(".planact/plans"), held=HELD)
ACT = PolicyContext(
    Mode.ACT,
    built_in_role("actor"),
    PurePosixPath(".planact/plans"),
    planned_files=frozenset({"a.py"}),
    contain="ask",
    held=HELD,
)
"""Unknown commands are asked about in it."""


def mode_of_role(name: str) -> Mode | None:
    return built_in_role(name).mode if name in BUILT_IN else None


@dataclass
class Listener:
    """A conversation whose user gives these answers to approvals."""

    answers: list[str | Decision] = field(default_factory=list)
    asked: list[Question] = field(default_factory=list)
    subjects: list[str] = field(default_factory=list)
    edits: list[Sequence[ProposedEdit]] = field(default_factory=list)
    meanwhile: object = None

    async def ask(self, questions: Sequence[Question]) -> str:
        self.asked += questions
        return "answered"

    async def write_plan(self, plan: Plan) -> str:
        return "written"

    async def exit_plan(self, path: str) -> str:
        return "exited"

    async def delegate(self, role: str, task: str) -> str:
        return f"{role} did {task}"

    def report(self, report: str, skip: int) -> str:
        return f"{report} from {skip}"

    async def approve(self, question: Question, subject: str, edits: Sequence[ProposedEdit] = ()) -> Decision:
        self.asked.append(question)
        self.edits.append(edits)
        self.subjects.append(subject)
        if callable(self.meanwhile):
            self.meanwhile()
        given = self.answers.pop(0)
        return given if isinstance(given, Decision) else Decision(given)


class Bench:
    """A gate in a folder, with a standing that the test can change."""

    def __init__(
        self, root: Path, standing: PolicyContext, *answers: str | Decision, world: World | None = None
    ) -> None:
        self.world = world or World(root)
        self.standing = standing
        self.listener = Listener(list(answers))
        self.trace = Trace()
        limits = CallLimits(1_000_000, 20, 5_000)
        self.turn = Turn("s", "e", lambda: self.standing, self.listener, self.trace, limits, "a model", mode_of_role)

    def run(self, tool: str, **arguments: object) -> Done | Refused | Failed:
        return asyncio.run(self.world.ws.gate.call(call(tool, **arguments), self.turn))
