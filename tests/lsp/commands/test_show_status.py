"""`planact.showStatus`: where things stand."""

import sqlite3
import sys
from contextlib import closing

import pytest

from planact import __version__
from planact.adapters.store.state.database import state_folder
from planact.lsp.commands.folders import HalfRolledBack, OpenFolder, Status
from planact.lsp.protocol import messages
from planact.model.work import Work
from tests.lsp.commands.greetings import ASK_PLAN, ASKING, set_up
from tests.lsp.commands.planact_client import IN_ONE_ENCODING, SCRIPT, PlanactClient, planact_client

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_before_the_first_session_it_tells_what_is_to_come(client: PlanactClient) -> None:
    status = await client.do("showStatus")
    assert status == Status(
        version=__version__,
        folder=client.root.as_uri(),
        mode="plan",
        model=f"scripted:{SCRIPT}",
        is_trusted=True,
        folders=(OpenFolder(uri=client.root.as_uri(), name=client.root.name, path=str(client.root)),),
        sandbox=status.sandbox,
        work=Work(status_text="Plan"),
    )
    assert "system call filter" in status.sandbox or sys.platform != "linux"


async def test_running_work_and_open_questions_are_told(client: PlanactClient) -> None:
    running = client.begin("executePlan", uri=set_up(client, ASKING, plan=ASK_PLAN))
    await client.answer(await client.question(1), execute=True)
    question = await client.question(2)
    status = await client.do("showStatus")
    assert (status.mode, status.is_running, status.open_questions) == ("act", True, 1)
    await client.answer(question, tone="warm")
    await running
    status = await client.do("showStatus")
    assert (status.mode, status.is_running, status.open_questions) == ("act", False, 0)


async def test_a_folder_with_settings_of_its_own_is_not_trusted(client: PlanactClient) -> None:
    client.write(".planact/config.toml", 'model = "other"\n')
    status = await client.do("showStatus")
    assert (status.is_trusted, status.model) == (False, f"scripted:{SCRIPT}")


@IN_ONE_ENCODING
async def test_without_a_folder_there_is_still_a_status(client: PlanactClient) -> None:
    async with planact_client(client.root) as other:
        other.change_folders(removed=[client.root])
        assert await other.do("showStatus") == Status(version=__version__, mode="plan")
        assert await other.refusal("newSession") == ("NO_WORKSPACE", "no folder is open")


async def test_how_much_the_model_in_use_takes_is_told_where_it_is_known(client: PlanactClient) -> None:
    client.configure(models={f"scripted:{SCRIPT}": {"contextTokens": 20_000}})
    assert (await client.do("showStatus")).context_window == 20_000


async def test_a_rollback_that_was_killed_is_told_until_the_next_has_finished_it(client: PlanactClient) -> None:
    run = await client.execute(uri=set_up(client))
    with closing(sqlite3.connect(state_folder(client.root) / "state.db")) as database, database:
        database.execute(
            "INSERT INTO journal (session_id, execution_id, kind, time, data) VALUES (?, ?, 'rollback_started', ?, ?)",
            (run.session_id, run.id, run.finished_at, '{"id": "killed"}'),
        )
    told = f"the rollback of “{run.goal}” was killed: some of its files may be put back, and others not"
    half = HalfRolledBack(execution_id=run.id, text=told)
    assert (await client.do("showStatus")).half_rolled_back == (half,)
    before = len(client.heard(messages.QUESTION_PENDING))
    going_on = client.begin("rollBack", execution_id=run.id)
    await client.answer(await client.question(before + 1), roll_back=True)
    await going_on
    assert (await client.do("showStatus")).half_rolled_back == ()
