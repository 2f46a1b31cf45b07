"""What a large plan costs: each view alone, and the wait from a key to fresh diagnostics in a real server."""

import asyncio
import gc
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from lsprotocol import types

from planact.base.span import Span
from planact.plan.approval import hash_of
from planact.plan.ide.completion import Choices, completions
from planact.plan.ide.formatting import formatting
from planact.plan.ide.lenses import lenses
from planact.plan.ide.semantic_tokens import semantic_tokens
from planact.plan.offers import PlanState
from planact.plan.parser import parse
from planact.plan.rules import lint
from planact.plan.rules.missing_file import files_to_look_up
from tests.bench import bare_server
from tests.lsp.commands.planact_client import planact_client
from tests.lsp.editor_client import LIMIT, EditorClient, editor_client
from tests.plan.surroundings import AROUND

RUNS = 9
KEYS = 51
SIZES = (10, 1_000, 10_000)
GROWTH = 3  # how much dearer a step may be in the largest plan than in the middle one: memory isn't free

STEP = """- [ ] {n}. Change function {n} in `src/module_{n}.py`
  - reason: its name hides that it reads a file
  - tools: read_file, update_file
  - files: src/module_{n}.py
  - expect: the new name is there, and the old one is gone
  - check: `python -m pytest -q tests/test_{n}.py`
"""


def plan(steps: int) -> str:
    body = "".join(STEP.format(n=number) for number in range(1, steps + 1))
    return f'---\nformat_version: "1.0"\nid: plan_20261120_k3v9\nstatus: draft\n---\n# G\n\n## Steps\n{body}'


def median(job: Callable[[], object]) -> float:
    """Milliseconds of the processor, since the machine may have others to serve."""
    taken = []
    for _ in range(RUNS):
        started = time.process_time()
        job()
        taken.append((time.process_time() - started) * 1_000)
    return statistics.median(taken)


def views(steps: int) -> dict[str, float]:
    text = plan(steps)
    tree = parse(text)
    middle = text.index("- tools: ", len(text) // 2) + len("- tools: ")
    typed = f"{text[:middle]}x{text[middle:]}"
    nothing_there = replace(AROUND, missing_files=frozenset(files_to_look_up(tree)))
    choices = Choices(AROUND.tools, lambda folder: ())
    return {
        "parse": median(lambda: parse(text)),
        "parse after a key": median(lambda: parse(typed, tree)),
        "parse and lint": median(lambda: lint(parse(text), AROUND)),
        "lint, all missing": median(lambda: lint(tree, nothing_there)),
        "lint after a key": median(lambda: lint(tree, AROUND)),
        "hash": median(lambda: hash_of(tree)),
        "lenses": median(lambda: lenses(tree, PlanState())),
        "completion": median(lambda: completions(tree, middle, choices)),
        "semantic tokens": median(lambda: semantic_tokens(tree, Span(0, len(text)))),
        "formatting": median(lambda: formatting(tree)),
    }


@pytest.fixture
def _garbage_as_in_the_server() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(20_000, 20, 20)
    yield
    gc.set_threshold(*before)


@pytest.mark.usefixtures("_garbage_as_in_the_server")
def test_each_view_grows_with_the_plan_and_no_faster() -> None:
    found = [views(steps) for steps in SIZES]
    for name in found[0]:
        times = "   ".join(f"{steps:6} steps {each[name]:8.2f} ms" for steps, each in zip(SIZES, found, strict=True))
        growth = found[2][name] / found[1][name] / (SIZES[2] / SIZES[1])
        print(f"\n{name:20}{times}   a step costs {growth:.1f} times as much", end="")
    too_fast = {name for name in found[0] if found[2][name] > found[1][name] * SIZES[2] / SIZES[1] * GROWTH + 5}
    assert too_fast == set()


@pytest.mark.parametrize("steps", [10, 1_000])
async def test_from_a_key_to_fresh_diagnostics(tmp_path: Path, steps: int) -> None:
    """Beside a bare server, key by key, so that whatever else the machine does costs both the same."""
    bare_command = (sys.executable, str(Path(bare_server.__file__)))
    async with planact_client(tmp_path) as client, editor_client(tmp_path, command=bare_command) as bare:
        for number in range(1, steps + 1):
            client.write(f"src/module_{number}.py", "")
        text = plan(steps)
        uri = client.show("large.plan", text)
        bare.show("large.plan", text)
        await client.do("showStatus")
        line = text[: text.index(f"function {steps // 2} ")].count("\n")
        waits: dict[str, list[float]] = {"planact": [], "bare": []}
        worked_before = {"planact": worked(client), "bare": worked(bare)}
        for key in range(KEYS):
            waits["bare"].append(await press(bare, uri, types.Position(line, 10 + key)))
            waits["planact"].append(await press(client, uri, types.Position(line, 10 + key)))
        worked_after = {"planact": worked(client), "bare": worked(bare)}
    told = "; ".join(
        f"{name} median {statistics.median(all_):.1f} ms ({min(all_):.1f} to {max(all_):.1f}), "
        f"{(worked_after[name] - worked_before[name]) / KEYS:.1f} ms of the processor"
        for name, all_ in waits.items()
    )
    print(f"\nkey → diagnostics, {steps} steps: {told}")


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
