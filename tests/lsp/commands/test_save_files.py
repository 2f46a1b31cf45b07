"""`planact.saveFiles`: what a run changed in open files is told at its end, and saved when the user wants it."""

from typing import Any

import pytest

from planact.lsp.protocol import messages
from tests.lsp.commands.greetings import GREETING, HELLO, PLAN, set_up
from tests.lsp.commands.planact_client import EXTRAS, PlanactClient, full, planact_client

pytestmark = pytest.mark.asyncio(loop_scope="session")

UNCHECKED = PLAN.replace("  - check: `grep -q hello greeting.txt`\n", "")
"""Nothing has to be saved for a command."""


async def run_with_open_file(client: PlanactClient) -> Any:
    """A run that leaves a file unsaved, and one of the user's own that is none of its business."""
    uri = set_up(client, plan=UNCHECKED)
    client.write("other.txt", "mine\n")
    client.show("greeting.txt")
    client.show("other.txt", "typed\n")
    return await client.execute(uri=uri)


async def test_the_end_of_a_run_says_what_is_unsaved_and_saves_it_on_demand(client: PlanactClient) -> None:
    run = await run_with_open_file(client)
    assert (client.root / "greeting.txt").read_text() == GREETING
    told = [each.content for each in client.heard(messages.MESSAGE) if each.metadata.get("is_summary")]
    assert told[-1].splitlines()[-1] == "Not saved yet in the editor: greeting.txt"
    assert (await client.do("showExecution", execution_id=run.id)).unsaved == ("greeting.txt",)

    done = await client.do("saveFiles", execution_id=run.id)

    assert (done.saved, done.unsaved) == (("greeting.txt",), ())
    found = [(client.root / name).read_text() for name in ("greeting.txt", "other.txt")]
    assert found == [HELLO, "mine\n"]
    assert (await client.do("showExecution", execution_id=run.id)).unsaved == ()
    assert (await client.do("saveFiles", execution_id=run.id)).saved == ()


async def test_an_editor_that_can_not_be_told_to_save_is_told_what_is_left(client: PlanactClient) -> None:
    without = full(extras={**EXTRAS, "save": False})
    async with planact_client(client.root, without) as other:
        run = await run_with_open_file(other)
        for named in ({"execution_id": run.id}, {}):
            done = await other.do("saveFiles", **named)
            assert (done.saved, done.unsaved) == ((), ("greeting.txt",))


async def test_an_unknown_run_is_told(client: PlanactClient) -> None:
    assert (await client.refusal("saveFiles", execution_id="none"))[0] == "EXECUTION_NOT_FOUND"
