"""What a plan's change of a name touches elsewhere is shown before the user says yes, in hovers and in the question."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.lsp.commands.planact_client import EXTRAS, PlanactClient, full, planact_client
from tests.lsp.editor_client import LIMIT

pytestmark = pytest.mark.asyncio(loop_scope="session")

PATH = ".planact/plans/plan_20261120_aaaa-rename.plan"
PLAN = """---
format_version: "1.0"
id: plan_20261120_aaaa
---
# Rename the reader

## Steps
- [ ] 1. Rename `store.load` to `read_config`, and keep `absent()` and `os`
  - reason: its name says nothing
  - files: store.py, tidy.py
"""
SOURCES = {
    "store.py": "def load(path):\n    return path\n",
    "app.py": "from store import load\n\n\ndef main():\n    return load('a') + load('b')\n",
    "tidy.py": "from store import load\n\nload('c')\n",
    "notes.md": "load is described here\n",
}


def write_workspace(folder: Path) -> str:
    for name, text in SOURCES.items():
        (folder / name).write_text(text)
    plan = folder / PATH
    plan.parent.mkdir(parents=True)
    plan.write_text(PLAN)
    return plan.as_uri()


async def hover_over_step(client: PlanactClient, uri: str) -> str:
    client.show(PATH)
    at = types.Position(PLAN[: PLAN.index("Rename `store")].count("\n"), 12)
    here = types.HoverParams(types.TextDocumentIdentifier(uri), at)
    shown = await client.text_document_hover_async(here)
    assert shown is not None
    return str(shown.contents.value)


async def hover_until(client: PlanactClient, uri: str, text: str) -> None:
    """Hover again and again: a busy machine may not find the uses in the time that a hover takes at most."""
    async with asyncio.timeout(LIMIT):
        while text not in await hover_over_step(client, uri):
            pass


async def test_the_index_finds_the_uses_that_stay(tmp_path: Path) -> None:
    uri = write_workspace(tmp_path)
    async with planact_client(tmp_path) as client:
        told = await hover_over_step(client, uri)
        running = asyncio.ensure_future(client.do("executePlan", uri=uri))
        question = await client.question()
        await client.answer(question, execute=False)
        await asyncio.gather(running, return_exceptions=True)
    [asked] = question.questions
    assert "leaves as they are: `load` in `app.py` (1, 5)\n" in f"{told}\n"
    assert "Used in files that stay as they are: `load` in `app.py` (1, 5)" in asked.context
    assert len(asked.context.splitlines()) <= 8


async def test_a_language_server_of_the_editor_knows_better(tmp_path: Path) -> None:
    uri = write_workspace(tmp_path)
    asked: list[Any] = []
    async with planact_client(tmp_path, full(extras={**EXTRAS, "references": True})) as client:

        @client.feature("planact/references")
        async def references(params: Any) -> Any:
            asked.append(params)
            lines = {"app.py": 4, "tidy.py": 2, "more.py": 7}
            outside = {"uri": "file:///elsewhere/x.py", "line": 3}
            found = [{"uri": (tmp_path / name).as_uri(), "line": line} for name, line in lines.items()]
            return {"references": [*found, outside]}

        told = await hover_over_step(client, uri)
    assert "`load` in `app.py` (5), `more.py` (8)" in told
    assert "tidy" not in told
    assert "elsewhere" not in told
    [about] = asked
    assert (about["uri"], about["line"], about["name"]) == ((tmp_path / "store.py").as_uri(), 0, "load")


async def test_a_language_server_that_is_slow_leaves_it_to_the_index(tmp_path: Path) -> None:
    uri = write_workspace(tmp_path)
    async with planact_client(tmp_path, full(extras={**EXTRAS, "references": True})) as client:

        @client.feature("planact/references")
        async def references(_: Any) -> Any:
            await asyncio.sleep(5)
            return {"references": []}

        await hover_until(client, uri, "`load` in `app.py` (1, 5)")
        await asyncio.sleep(5)  # the answer that comes too late disturbs nothing
        await hover_until(client, uri, "`load` in `app.py` (1, 5)")


async def test_an_editor_that_fails_leaves_it_to_the_index(tmp_path: Path) -> None:
    uri = write_workspace(tmp_path)
    async with planact_client(tmp_path, full(extras={**EXTRAS, "references": True})) as client:

        @client.feature("planact/references")
        async def references(_: Any) -> Any:
            return {"references": [{"uri": 1}]}

        assert "`load` in `app.py` (1, 5)" in await hover_over_step(client, uri)
