"""What a large plan costs: each view of it alone, and the wait from a key to fresh diagnostics in a real server."""

import asyncio
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
from lsprotocol import types
from markdown_it import MarkdownIt

from planact.base.span import Span
from planact.plan.approval import hash_of
from planact.plan.ide.completion import Choices, completions
from planact.plan.ide.formatting import formatting
from planact.plan.ide.semantic_tokens import semantic_tokens
from planact.plan.plan_actions import PlanState, plan_actions
from planact.plan.rules import lint
from planact.plan.syntax.parser import parse
from tests.bench import bare_server
from tests.bench.program import server_client
from tests.bench.row import Room, Row, in_turns
from tests.lsp.editor_client import LIMIT, EditorClient, editor_client
from tests.plan.lint_contexts import AROUND

STEP = """- [ ] {n}. Change function {n} in `src/module_{n}.py`
  - reason: its name hides that it reads a file
  - tools: read_file, update_file
  - files: src/module_{n}.py
  - expect: the new name is there, and the old one is gone
  - check: `python -m pytest -q tests/test_{n}.py`
"""


def bench(room: Room) -> Iterator[Row]:
    for steps in room.pick((10, 1_000, 10_000), (10,)):
        yield from views(steps, room.pick(9, 1))
    for steps in room.pick((10, 1_000), (10,)):
        yield from asyncio.run(keys(room, steps, room.pick(51, 2)))


def plan(steps: int) -> str:
    body = "".join(STEP.format(n=number) for number in range(1, steps + 1))
    return f'---\nformat_version: "1.0"\nid: plan_20261120_k3v9\nstatus: draft\n---\n# G\n\n## Steps\n{body}'


def views(steps: int, runs: int) -> Iterator[Row]:
    """Each in milliseconds of the processor; parsing beside markdown-it, the others beside parsing."""
    text = plan(steps)
    tree = parse(text)
    middle = text.index("- tools: ", len(text) // 2) + len("- tools: ")
    typed = f"{text[:middle]}x{text[middle:]}"
    choices = Choices(AROUND.tools, lambda folder: ())
    acts: dict[str, Callable[[], object]] = {
        "markdown-it": lambda: MarkdownIt().parse(text),
        "parse": lambda: parse(text),
        "parse and lint after a key": lambda: lint(parse(typed, tree), AROUND),
        "hash": lambda: hash_of(tree),
        "lenses": lambda: plan_actions(tree, PlanState()),
        "completion": lambda: completions(tree, middle, choices),
        "semantic tokens": lambda: semantic_tokens(tree, Span(0, len(text))),
        "formatting": lambda: formatting(tree),
    }
    took = in_turns(runs, acts, time.process_time)
    markdown_it, parsing = took.pop("markdown-it"), took.pop("parse")
    yield Row(f"plan of {steps:,} steps: parse", "ms", parsing, markdown_it, "markdown-it")
    for name, samples in took.items():
        yield Row(f"plan of {steps:,} steps: {name}", "ms", samples, parsing, "parse")


async def keys(room: Room, steps: int, count: int) -> list[Row]:
    """Beside a bare server, key by key."""
    folder = room.make(f"plan-{steps}")
    bare_command = (sys.executable, str(Path(bare_server.__file__)))
    async with server_client(folder) as client, editor_client(folder, command=bare_command) as bare:
        for number in range(1, steps + 1):
            client.write(f"src/module_{number}.py", "")
        text = plan(steps)
        uri = client.show("large.plan", text)
        bare.show("large.plan", text)
        await client.do("showStatus")
        line = text[: text.index(f"function {steps // 2} ")].count("\n")
        servers: dict[str, EditorClient] = {"raw": bare, "planact": client}
        took: dict[str, list[float]] = {name: [] for name in servers}
        used: dict[str, list[float]] = {name: [] for name in servers}
        for key in range(count):
            for name, server in servers.items():
                before = worked(server)
                took[name].append(await press(server, uri, types.Position(line, 10 + key)))
                used[name].append(worked(server) - before)
    what, goal = f"plan of {steps:,} steps: key → diagnostics", "< 30" if steps == 1_000 else ""
    return [
        Row(what, "ms", took["planact"], took["raw"], "bare pygls", goal),
        Row(f"{what}, processor", "ms a key", [sum(used["planact"]) / count], [sum(used["raw"]) / count], "bare pygls"),
    ]


def worked(client: EditorClient) -> float:
    """Milliseconds of the processor that the server has had; a loaded machine changes little about them."""
    assert client._server is not None
    times = psutil.Process(client._server.pid).cpu_times()
    return (times.user + times.system) * 1_000


async def press(client: EditorClient, uri: str, place: types.Position) -> float:
    """Milliseconds until the diagnostics are there that come of a key."""
    change = types.TextDocumentContentChangePartial(types.Range(place, place), "x")
    client.versions[uri] += 1
    identifier = types.VersionedTextDocumentIdentifier(uri=uri, version=client.versions[uri])
    client.diagnostics.clear()
    started = time.perf_counter()
    client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [change]))
    async with asyncio.timeout(LIMIT):
        while uri not in client.diagnostics:  # noqa: ASYNC110 - nobody tells of it
            await asyncio.sleep(0.0005)
    return (time.perf_counter() - started) * 1_000
