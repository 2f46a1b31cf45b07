"""What the gate costs: calls through it, written down in SQLite, beside the bare act; and the verdict alone."""

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from pathlib import Path, PurePosixPath

import pytest

from planact.app import App
from planact.base.paths import Place
from planact.model.effect import PathEffect
from planact.policy.decide import decide
from planact.policy.standing import Request, Touch
from planact.tools.gate import Turn
from planact.tools.permit import Limits
from planact.tools.registry import BY_NAME
from planact.tools.trace import Trace
from planact.workflows.workspace import Workspace
from tests.fakes.bench import PLAN, Listener, mode_of_role
from tests.fakes.store import MemoryStore
from tests.fakes.world import ENVIRONMENT, FakeEditor, call

RUNS = 100
# Many times what was measured on two busy cores, so that only a change of kind fails.
LIMIT_MS = 100.0
READ = Touch(PathEffect("read", "a.py"), Place("a.py", Path("/w/a.py"), PurePosixPath("a.py"), exists=True))


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    root = tmp_path / "work"
    root.mkdir()
    (root / "a.py").write_text("x = 1\n" * 100)
    app = App(ENVIRONMENT, tmp_path / "home", lambda _root, files, _apply: FakeEditor(files, MemoryStore()), {})  # type: ignore[arg-type]
    return app.workspace(root)


def test_what_a_call_costs(workspace: Workspace) -> None:
    turn = Turn("s", "e", lambda: PLAN, Listener(), Trace(), Limits(1_000_000, 20, 5_000), "bench", mode_of_role)
    root = workspace.ports.files.root
    place, runner = workspace.ports.files.resolve("."), workspace.ports.runner

    def through(tool: str, **arguments: object) -> Callable[[], Awaitable[object]]:
        return lambda: workspace.gate.call(call(tool, **arguments), turn)

    async def bare_read() -> object:
        return (root / "a.py").read_text()

    async def measure() -> dict[str, float]:
        return await medians(
            {
                "read a file, bare": bare_read,
                "read a file": through("read_file", path="a.py"),
                "refuse a write": through("create_file", path="new.py", content="x"),
                "refuse a command": through("execute_command", command="touch x"),
                "run `true` in a jail, bare": lambda: runner.run("true", place, "local-read", 20, 5_000, print),
                "run `true`": through("execute_command", command="true"),
            }
        )

    found = asyncio.run(measure())
    print()
    for name, median in found.items():
        print(f"gate, {name}: median {median:.2f} ms")
    ratio = found["run `true`"] / found["run `true` in a jail, bare"]
    print(f"gate: a command through it costs × {ratio:.2f} of the same without it")
    assert max(found.values()) < LIMIT_MS


def test_what_a_verdict_costs() -> None:
    request = Request("read_file", BY_NAME["read_file"].required_permissions, False, (READ,))
    times = []
    for _ in range(2_000):
        started = time.perf_counter()
        decide(request, PLAN)
        times.append((time.perf_counter() - started) * 1_000)
    print(f"\nverdict: median {statistics.median(times) * 1_000:.0f} µs")
    assert statistics.median(times) < 1


async def medians(acts: dict[str, Callable[[], Awaitable[object]]]) -> dict[str, float]:
    """Milliseconds of each, in turns, so that whatever else runs meanwhile weighs on all alike."""
    took: dict[str, list[float]] = {name: [] for name in acts}
    for _ in range(RUNS):
        for name, act in acts.items():
            started = time.perf_counter()
            await act()
            took[name].append((time.perf_counter() - started) * 1_000)
    return {name: statistics.median(times) for name, times in took.items()}
