"""What the gate costs: calls through it, written down in SQLite, beside the bare act; and the verdict alone."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path, PurePosixPath

from planact.base.paths import Place
from planact.model.rights.permission import PathEffect
from planact.policy.context import PlacedEffect, Request
from planact.policy.decide import decide
from planact.tools.registry import BY_NAME
from tests.bench.calls import a_turn, a_workspace
from tests.bench.row import Room, Row, awaited_in_turns, in_turns
from tests.fakes.bench import PLAN
from tests.fakes.world import call

READ = PlacedEffect(PathEffect("read", "a.py"), Place("a.py", Path("/w/a.py"), PurePosixPath("a.py"), exists=True))


def bench(room: Room) -> Iterator[Row]:
    workspace, turn = a_workspace(room), a_turn()
    path = workspace.ports.files.root / "a.py"
    path.write_text("x = 1\n" * 100)
    place, runner = workspace.ports.files.resolve("."), workspace.ports.runner

    def through(tool: str, **arguments: object) -> Callable[[], Awaitable[object]]:
        return lambda: workspace.gate.call(call(tool, **arguments), turn)

    async def bare_read() -> object:
        return path.read_text()

    acts = {
        "bare read": bare_read,
        "read": through("read_file", path="a.py"),
        "refuse a write": through("create_file", path="new.py", content="x"),
        "refuse a command": through("execute_command", command="touch x"),
        "bare run": lambda: runner.run("true", place, "local-read", 20, 5_000, print),
        "run": through("execute_command", command="true"),
    }
    took = asyncio.run(awaited_in_turns(room.pick(100, 2), acts))
    yield Row("gate: read a small file", "ms", took["read"], took["bare read"], "open and read")
    yield Row("gate: refuse a write", "ms", took["refuse a write"])
    yield Row("gate: refuse a command", "ms", took["refuse a command"])
    yield Row("gate: run `true`", "ms", took["run"], took["bare run"], "the jail without the gate")
    request = Request("read_file", BY_NAME["read_file"].required_permissions, False, (READ,))
    verdicts = in_turns(room.pick(2_000, 2), {"decide": lambda: decide(request, PLAN), "stat": path.stat})
    yield Row("gate: the verdict alone", "ms", verdicts["decide"], verdicts["stat"], "one stat")
