"""With `approval = "review"`: each file of a call is seen before it is changed, and can be rejected by itself."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.lsp.commands.greetings import GREETING, HELLO, PATH, PLAN, set_up
from tests.lsp.commands.planact_client import PlanactClient, call, calls, full, planact_client, say, scene
from tests.lsp.commands.test_plain_clients import clicking
from tests.lsp.editor_client import LIMIT
from tests.lsp.raw_client import until

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
WITHOUT_WORDS = scene(
    "Carry out step 1 ",
    calls(call("read_file", path="greeting.txt")),
    calls(call("update_file", patch=BOTH)),
    say("Done as you wish."),
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


async def executing(
    client: PlanactClient, scenes: Any, *titles: str | None
) -> tuple[list[types.ShowMessageRequestParams], str, Any]:
    """What a user of a client without extras is asked, who clicks these buttons; the plan, and the run of its step."""
    asked, click = clicking(*titles)
    client.on_question = click
    uri = set_up(client, scenes, plan=PLAN.replace("files: greeting.txt", "files: greeting.txt, farewell.txt"))
    client.show(PATH)
    hashed = (await client.do("showPlan", uri=uri)).plan_hash
    return asked, uri, client.begin("executeStep", uri=uri, step=1, approve_hash=hashed)


def titles(asked: types.ShowMessageRequestParams) -> list[str]:
    return [action.title for action in asked.actions or ()]


async def test_a_client_with_nothing_but_buttons_is_asked_file_by_file(tmp_path: Path) -> None:
    async with planact_client(tmp_path, full(extras={}), {"approval": "review"}) as client:
        asked, _, running = await executing(client, WITHOUT_WORDS, "File by file…", "Allow", "Reject")
        run = await running
        assert titles(asked[0])[-2:] == ["File by file…", "Reject, and say why…"]
        assert [(each.message.splitlines()[0], titles(each)) for each in asked[1:]] == [
            ("1 of 2 · greeting.txt would be changed", ["Allow", "Reject"]),
            ("2 of 2 · farewell.txt would be created", ["Allow", "Reject"]),
        ]
        assert "+bye 👋" in asked[2].message
        assert run.status == "success"
        assert (client.text("greeting.txt"), (tmp_path / "farewell.txt").exists()) == (HELLO, False)


async def test_who_closes_a_file_has_answered_nothing_and_is_asked_again_by_the_lens(tmp_path: Path) -> None:
    async with planact_client(tmp_path, full(extras={}), {"approval": "review"}) as client:
        asked, uri, running = await executing(client, WITHOUT_WORDS, "File by file…", "Allow", None, "Reject and stop")
        await until(lambda: len(asked) == 3)
        await client.click(await client.lens(uri, "Answer"))
        await running
        assert (client.text("greeting.txt"), (tmp_path / "farewell.txt").exists()) == (GREETING, False)


async def test_words_are_written_in_the_plan_where_files_are_rejected_by_boxes(tmp_path: Path) -> None:
    async with planact_client(tmp_path, full(extras={}), {"approval": "review"}) as client:
        _, uri, running = await executing(client, SCENE, "Reject, and say why…")
        await until(lambda: "> answer:" in client.text(PATH))
        text = client.text(PATH)
        for old, new in (
            ("[ ] allow_once", "[x] allow_once"),
            ("[ ] 2: farewell.txt", "[x] 2: farewell.txt"),
            ("> answer:", "> answer: no 👋 yet"),
        ):
            assert old in text
            text = text.replace(old, new)
        client.type(uri, text)
        await client.click(await client.lens(uri, "Answer"))
        run = await running
        assert (run.status, run.steps[0].output) == ("success", "Done as you wish.")
        assert (client.text("greeting.txt"), (tmp_path / "farewell.txt").exists()) == (HELLO, False)
