"""A real workspace with its database, and a turn whose calls go through its gate, for parts that time what calls do."""

from pathlib import Path

from planact.app.compose import App
from planact.policy.context import PolicyContext
from planact.tools.tool_result import Done, Failed, Refused
from planact.tools.trace import Trace
from planact.tools.turn import CallLimits, Turn
from planact.workflows.workspace import Workspace
from tests.bench.row import Room
from tests.fakes.bench import PLAN, Listener, mode_of_role
from tests.fakes.store import MemoryStore
from tests.fakes.world import ENVIRONMENT, FakeEditor


def a_workspace(room: Room, name: str = "workspace") -> Workspace:
    """In a new folder of the room."""
    return opened(room.make(name))


def opened(folder: Path) -> Workspace:
    """As a new process opens it."""
    app = App(
        ENVIRONMENT,
        folder.parent,
        lambda _root, files, _apply: FakeEditor(files, MemoryStore()),  # type: ignore[arg-type]
        {},
    )
    return app.workspace(folder)


def a_turn(standing: PolicyContext = PLAN) -> Turn:
    limits = CallLimits(1_000_000, 20, 5_000)
    return Turn("s", "e", lambda: standing, Listener(), Trace(), limits, "bench", mode_of_role)


def done(outcome: Done | Refused | Failed) -> str:
    """What the model is told, where the call went well."""
    assert isinstance(outcome, Done), outcome
    return outcome.text
