"""The turn that a call belongs to: who calls, under which policy context, what its tools may use, and what one call was
granted.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, Literal, Protocol

from planact.base.paths import Place
from planact.model.plan import Plan
from planact.model.question import Decision, ProposedEdit, Question
from planact.model.rights.jail import Confinement
from planact.model.rights.permission import Effect, Mode
from planact.policy.context import PolicyContext
from planact.tools.commands.background import Background
from planact.tools.trace import Trace

Refresh = Callable[[Callable[[], Any]], Awaitable[Any]]
"""Runs a function in a thread, reloads there what the policy context needs from disk, and returns its result."""

ModeOfRole = Callable[[str], Mode | None]
"""Returns the mode that a role is for; None = there is no such role."""


class EndTurn(Exception):
    """The turn ends with this call: it waits for an answer, the user stopped or cancelled it, accepted the plan, or
    wants it revised. `result` is what the model gets to read of the call; empty = the reason.
    """

    def __init__(
        self,
        kind: Literal["waiting", "stopped", "cancelled", "replan", "accepted", "review"],
        reason: str,
        result: str = "",
    ) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason
        self.result = result or reason


class Conversation(Protocol):
    """Acts of a tool in the conversation in which it is called. Workflows implement it."""

    async def ask(self, questions: Sequence[Question]) -> str:
        """Ask the user and return what the model gets to read.

        Raises:
            EndTurn: they chose an option whose effect ends the turn.
        """

    async def write_plan(self, plan: Plan) -> str:
        """Write the session's plan document."""

    async def exit_plan(self, path: str) -> str:
        """Ask the user to approve the plan and start it.

        Raises:
            EndTurn: they accepted, or want to review it first.
        """

    async def delegate(self, role: str, task: str) -> str:
        """Have another role work on `task`, and return what the model gets to read of it.

        Raises:
            NotFound: ROLE_NOT_FOUND. EndTurn: what ended its work ends this turn too.
        """

    def report(self, report: str, skip: int) -> str:
        """Return another role's report from character `skip` on. Raises InvalidInput INVALID_ARGUMENTS."""

    async def approve(self, question: Question, subject: str, edits: Sequence[ProposedEdit] = ()) -> Decision:
        """Ask the user to approve one call, which `subject` identifies; `edits` are what it would do to files."""


class Outcomes(Protocol):
    """What commands on trial changed in a run. Workflows implement it."""

    async def judge(self) -> None:
        """Judge all that waits, asking the user where it has to be; what the model is to know of it goes to the trace.

        Raises:
            EndTurn: the user can't be asked now, or wants the work to end there.
        """

    async def put_back(self, sequence: int) -> None:
        """Put back what was changed on trial after that entry of the journal, but for files that were changed since."""


@dataclass(frozen=True, slots=True)
class CallLimits:
    """Bounds of one call: bytes of a file, seconds and characters of a command or an MCP call."""

    file_bytes: int
    command_seconds: float
    command_output: int


@dataclass(frozen=True, slots=True)
class Turn:
    """Values that all calls of one turn share.

    Attributes:
        policy_context: read at each verdict, right after a `refresh`, since the user may change mode and rights.
        model: name of the model that calls; empty where planact itself calls for a plan.
        variables: added to the environment of commands.
        background: commands that end with the run; None = no run is going on.
        reading: the folders outside the workspace that commands of the session may read; an answer adds to them.
        outcomes: what commands on trial changed; None = none may run.
        hurry: set when the user wants no longer wait before a request to the model is sent again.
    """

    session_id: str
    execution_id: str
    policy_context: Callable[[], PolicyContext]
    conversation: Conversation
    trace: Trace
    limits: CallLimits
    model: str
    mode_of_role: ModeOfRole
    variables: Mapping[str, str] = field(default_factory=dict)
    reading: set[PurePath] = field(default_factory=set)
    background: Background | None = None
    outcomes: Outcomes | None = None
    refresh: Refresh = asyncio.to_thread
    hurry: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(frozen=True, slots=True)
class Grant:
    """Rights that a verdict gave to one call.

    Attributes:
        mode: the mode in which they were given.
        effects: the granted effects, each with the place that it leads to where it has a path.
        confinement: the jail of its command.
        reason: what the classifier says of its command.
        rejected: paths of files that the user wants unchanged.
        outside: absolute paths outside the workspace that its command may read.
        scratch: the scratch folder of its session; empty = none.
        only_reads: whether its command is known to change nothing.
    """

    mode: Mode
    effects: Sequence[tuple[Effect, Place | None]]
    confinement: Confinement
    reason: str
    rejected: frozenset[str]
    outside: Sequence[str]
    scratch: str
    only_reads: bool
