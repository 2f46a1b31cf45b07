"""What a storm of 10,000 file events costs: told by the client, and seen by the watcher of our own."""

import asyncio
import sys
import threading
from collections.abc import Collection, Iterator
from pathlib import Path

from lsprotocol import types

from planact.adapters.watch.watcher import FolderWatcher
from tests.bench import bare_server
from tests.bench.parts.plan_language import plan, press
from tests.bench.program import server_client
from tests.bench.row import Room, Row, in_turns, stopwatch
from tests.lsp.editor_client import LIMIT, EditorClient, editor_client


def bench(room: Room) -> Iterator[Row]:
    count = room.pick(10_000, 100)
    yield asyncio.run(told(room, count, room.pick(9, 1)))
    yield seen(room, count, room.pick(5, 1))


async def told(room: Room, count: int, runs: int) -> Row:
    """From the notification to the answer to the next key, since a server that is busy with it answers late."""
    folder = room.make("told")
    bare_command = (sys.executable, str(Path(bare_server.__file__)))
    async with server_client(folder) as client, editor_client(folder, command=bare_command) as bare:
        for number in range(1, 11):
            client.write(f"src/module_{number}.py", "")
        text = plan(10)
        uri = client.show("open.plan", text)
        bare.show("open.plan", text)
        await client.do("showStatus")
        event = types.FileEvent
        changes = [event(client.uri(f"src/module_{n}.py"), types.FileChangeType.Changed) for n in range(count)]
        servers: dict[str, EditorClient] = {"raw": bare, "ours": client}
        took: dict[str, list[float]] = {name: [] for name in servers}
        for key in range(runs):
            for name, server in servers.items():
                with stopwatch(took[name]):
                    server.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(changes))
                    await press(server, uri, types.Position(6, 2 + key))
    return Row(f"{count:,} file events from the client → an answer", "ms", took["ours"], took["raw"], "bare pygls")


def seen(room: Room, count: int, runs: int) -> Row:
    """From the first of so many writes in a watched folder to being told of the file that was written last."""
    watched, alone = room.make("watched"), room.make("alone")
    is_told = threading.Event()
    last = watched / "last.txt"

    def tell(touched: Collection[Path]) -> None:
        if last in touched and last.exists():
            is_told.set()

    watcher = FolderWatcher(tell)
    assert watcher.watch([last]) == {}

    def storm(folder: Path) -> None:
        for number in range(count):
            (folder / f"file_{number % 100}.txt").write_text("x")

    def ours() -> None:
        last.unlink(missing_ok=True)
        is_told.clear()
        storm(watched)
        last.write_text("x")
        assert is_told.wait(LIMIT)

    took = in_turns(runs, {"ours": ours, "raw": lambda: storm(alone)})
    watcher.close()
    return Row(f"{count:,} writes beside a watched file → told", "ms", took["ours"], took["raw"], "the writes alone")
