"""`planact.showFailure`: "Show what failed" shows the failed checks of a step with what they printed."""

import asyncio
from pathlib import Path

import pytest

from planact.model.runs.execution import Execution
from tests.lsp.commands.greetings import FIRST, PATH, PLAN, SECOND, set_up
from tests.lsp.commands.planact_client import PlanactClient, full, planact_client
from tests.lsp.commands.test_show_changes import text_at
from tests.lsp.raw_client import until

pytestmark = pytest.mark.asyncio(loop_scope="session")

CHECK = "echo expected warmth; exit 3"
TITLE = "Show what failed"


async def failed(client: PlanactClient) -> tuple[str, Execution]:
    """The plan with a step whose check has failed, and the run."""
    uri = set_up(client, FIRST, SECOND, plan=PLAN.replace("`grep -q hello greeting.txt`", f"`{CHECK}`"))
    assert TITLE not in await client.titles(uri)
    running = asyncio.ensure_future(client.execute(uri=uri))
    await client.answer(await client.question(), failed="stop")
    client.show(PATH)
    return uri, await running


async def test_a_failed_step_offers_to_show_its_checks_with_what_they_printed(client: PlanactClient) -> None:
    uri, run = await failed(client)
    shown = await client.click(await client.lens(uri, TITLE))
    assert shown == next(record for record in run.steps if record.step_number == 1)
    text = text_at(client.shown_documents[-1].uri) or ""
    lines = text.splitlines()
    told = f"the check `{CHECK}` ended with 3 after 1 repair"
    assert lines[:3] == ["## 1. 😀 Say hello in `greeting.txt`: failed", "", told]
    assert f"- Check failed: `{CHECK}`, exit code 3" in lines
    assert "expected warmth" in lines
    line = PLAN.splitlines().index("- [ ] 1. 😀 Say hello in `greeting.txt`")
    assert TITLE in [action.title for action in await client.actions(uri, line)]


async def test_a_client_that_opens_no_documents_gets_it_as_a_message(tmp_path: Path) -> None:
    capabilities = full()
    assert capabilities.window
    capabilities.window.show_document = None
    async with planact_client(tmp_path, capabilities) as client:
        uri, _ = await failed(client)
        await client.do("showFailure", uri=uri, step=1)
        await until(lambda: any("expected warmth" in shown.message for shown in client.messages))


async def test_what_has_not_failed_or_is_not_known_is_told(client: PlanactClient) -> None:
    uri = set_up(client, plan=PLAN.replace("[ ] 1.", "[!] 1."))
    assert [await client.refusal("showFailure", uri=uri, step=step) for step in (1, 2, 3)] == [
        ("EXECUTION_NOT_FOUND", "there is no record of how step 1 failed"),
        ("MODE_CONFLICT", "step 2 has not failed"),
        ("STEP_NOT_FOUND", "the plan has no step 3"),
    ]
