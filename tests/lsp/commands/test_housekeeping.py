"""What the server does for its state when work is over, and at its own end."""

import hashlib
import time
from pathlib import Path

import pytest

from planact.adapters.observe.redact import Redactor
from planact.adapters.store.recovery.housekeeping import WEEK
from planact.adapters.store.state.database import Database, state_folder
from planact.adapters.store.state.journal import SqliteJournal
from planact.adapters.system import SystemClock
from tests.lsp.commands.greetings import set_up
from tests.lsp.commands.planact_client import planact_client, say, scene
from tests.lsp.raw_client import until

pytestmark = pytest.mark.asyncio(loop_scope="function")


async def test_after_work_goes_what_nothing_has_named_for_a_week_and_no_log_stays_at_the_end(tmp_path: Path) -> None:
    folder = state_folder(tmp_path)
    database = Database(folder, SystemClock(), Redactor({}).data, workspace=tmp_path)
    journal = SqliteJournal(database, SystemClock())
    named = journal.keep(b"named")
    journal.append("s", "e", "files_changing", {"before": named})
    journal.keep(b"not named")
    lost = hashlib.sha256(b"not named").hexdigest()
    database.write("INSERT INTO doubtful (sha256, since) VALUES (?, ?)", (lost, int(time.time()) - WEEK))
    database.close()
    async with planact_client(tmp_path) as client:
        set_up(client, scene("^What", say("A greeting.")))
        assert (await client.do("sendMessage", text="What is this?")).status == "done"

        def is_gone() -> bool:
            return journal.kept(lost) is None

        await until(is_gone)
        assert journal.kept(named) == b"named"
        assert (await client.do("sendMessage", text="What is that?")).status == "done"
        database.close()
    assert {path.name for path in folder.glob("state.db*")} == {"state.db"}
