"""With `approval = "review"`: each file of a call is seen before it is changed, and can be rejected by itself."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.lsp.commands.greetings import GREETING, HELLO, PATH, PLAN, set_up
from tests.lsp.commands.planact_client import PlanactClient, call, calls, full, planact_client, say, scene
from tests.lsp.editor_client import LIMIT

pytestmark = pytest.mark.asyncio(loop_scope="session")

BOTH = """*** Begin Patch
*** Update File: greeting.txt
@@
-🌍 good day
+🌍 hello
*** Add File: farewell.txt
+bye 👋
*** End Patch"""
TOLD = {"in": "tool", "text": "rejected the change of farewell.txt, which was not made. They say: no 👋 yet"}
SCENE = scene(
    "Carry out step 1 ",
    calls(call("read_file", path="greeting.txt")),
    calls(call("update_file", patch=BOTH)),
    say("Done as you wish.", expect=[TOLD]),
    mode="act",
)


def comparing() -> types.ClientCapabilities:
    capabilities = full()
    assert capabilities.workspace
    capabilities.workspace.text_document_content = types.TextDocumentContentClientCapabilities()
    return capabilities


async def content(client: PlanactClient, uri: str) -> Any:
    params = types.TextDocumentContentParams(uri)
    return (await asyncio.wait_for(client.workspace_text_document_content_async(params), LIMIT)).text


async def test_one_file_is_changed_and_another_rejected_with_words_that_the_agent_hears(tmp_path: Path) -> None:
    async with planact_client(tmp_path, comparing(), {"approval": "review"}) as client:
        uri = set_up(client, SCENE, plan=PLAN.replace("files: greeting.txt", "files: greeting.txt, farewell.txt"))
        greeting = client.show("greeting.txt")
        client.show(PATH)
        hashed = (await client.do("showPlan", uri=uri)).plan_hash
        running = client.begin("executeStep", uri=uri, step=1, approve_hash=hashed)
        asked = await client.question()
        assert [(edit.path, edit.what) for edit in asked.edits] == [
            ("greeting.txt", "changed"),
            ("farewell.txt", "created"),
        ]
        shown = [(await content(client, e.before_uri), await content(client, e.after_uri)) for e in asked.edits]
        assert shown == [(GREETING, HELLO), ("", "bye 👋\n")]
        assert client.texts[greeting] == GREETING
        [listed] = (await client.do("listQuestions")).questions
        assert listed == asked
        given = {"question_id": asked.question_id, "answers": {"approval": "allow_once"}}
        code, _ = await client.refusal("answerQuestion", **given, rejected=["other.txt"])
        assert code == "ANSWER_INVALID"
        await client.do("answerQuestion", **given, rejected=["farewell.txt"], comment="no 👋 yet")
        run = await running
        assert (run.status, run.steps[0].output) == ("success", "Done as you wish.")
        assert client.texts[greeting] == HELLO
        assert not (tmp_path / "farewell.txt").exists()
