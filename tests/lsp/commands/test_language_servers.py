"""Language servers of planact's own for an editor that tells no diagnostics: they check what its windows show."""

import pytest

from planact.lsp.protocol import messages
from tests.language_servers.conftest import PYTHON, SERVER
from tests.lsp.commands.greetings import PATH, PLAN, READ, SECOND, set_up
from tests.lsp.commands.planact_client import PlanactClient, call, calls, say, scene

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_model_hears_what_its_edit_of_an_open_file_broke(client: PlanactClient) -> None:
    edit = calls(call("update_file", path="greeting.txt", edits=[{"old": "good day", "new": "hello wrong"}]))
    asking = [calls(call("get_diagnostics", path=path)) for path in ("greeting.txt", ".")]
    first = scene("Carry out step 1 ", READ, edit, *asking, READ, say("Said hello."), mode="act")
    mended = calls(call("update_file", path="greeting.txt", edits=[{"old": "hello wrong", "new": "hello"}]))
    repair = scene(
        "Repair 1 of 3 of step 1: the check `diagnostics` found 1 new error", mended, say("Mended."), mode="act"
    )
    uri = set_up(client, first, repair, SECOND)
    client.write("server.py", SERVER.read_text())
    command = [PYTHON, "-I", str(client.root / "server.py"), "versioned"]
    client.configure(languageServers={"scripted": {"command": command, "files": {".txt": "plaintext"}}})
    client.show(PATH)
    client.show("greeting.txt", "wrong already, and unsaved\n🌍 good day\n")
    assert (await client.execute(uri=uri)).status == "success"
    told = [m.content for m in client.heard(messages.MESSAGE) if m.role == "tool"]
    assert any("scripted hasn't checked greeting.txt yet" in text for text in told)
    new = "scripted: 1 new error in greeting.txt since your edit\ngreeting.txt:2: error: not good: 🌍 hello wrong"
    assert [new in text for text in told].count(True) == 1, told
    assert any("greeting.txt:1: error: not good: wrong already, and unsaved (scripted bad)" in text for text in told)
    assert client.text(PATH).count("- [x]") == PLAN.count("- [ ]")
    assert client.text("greeting.txt") == "wrong already, and unsaved\n🌍 hello\n"
