"""`planact.rollBack`: what steps did goes back through the editor, and what is the user's own stays."""

import asyncio
import signal
from pathlib import Path
from typing import Any

import pytest

from planact.lsp.protocol import messages
from planact.model.plan import StepStatus
from planact.model.rights.permission import Mode
from tests.lsp.commands.greetings import FIRST, GREETING, HELLO, PATH, PLAN, SECOND, set_up
from tests.lsp.commands.planact_client import (
    IN_ONE_ENCODING,
    PlanactClient,
    call,
    calls,
    planact_client,
    say,
    scene,
)
from tests.lsp.commands.test_killed_server import killed_in_step_two
from tests.lsp.editor_client import LIMIT, Applied, Edit

pytestmark = pytest.mark.asyncio(loop_scope="session")

DONE, PENDING = StepStatus.DONE, StepStatus.PENDING
SLOW_SECOND = scene("Carry out step 2 ", say("a word now and then " * 200, delay=0.05), mode="act")
BOTH_BACK = [("farewell.txt", "deleted"), ("greeting.txt", "restored")]


async def roll_back(client: PlanactClient, **payload: Any) -> Any:
    """With the user's yes."""
    before = len(client.heard(messages.QUESTION_PENDING))
    running = client.begin("rollBack", **payload)
    asked = await client.question(before + 1)
    assert [question.name for question in asked.questions] == ["roll_back"]
    await client.answer(asked, roll_back=True)
    return await running


def shown(done: Any) -> list[tuple[str, str]]:
    return [(file.path, file.what) for file in done.files]


async def test_a_plan_is_rolled_back_by_its_lens_on_disk_and_in_windows(client: PlanactClient) -> None:
    uri = set_up(client)
    client.show(PATH)
    greeting = client.show("greeting.txt")
    await client.execute(uri=uri)
    assert (client.texts[greeting], client.marks(PATH)) == (HELLO, [DONE, DONE])
    assert (await client.do("showStatus")).mode is Mode.ACT
    asking = asyncio.ensure_future(client.click(await client.lens(uri, "Roll back")))
    asked = await client.question()
    assert asked.questions[0].context == "- deletes farewell.txt\n- restores greeting.txt"
    await client.answer(asked, roll_back=True)
    done = await asking
    assert (shown(done), done.steps, done.stayed) == (BOTH_BACK, (1, 2), ())
    assert (client.texts[greeting], client.text("greeting.txt")) == (GREETING, GREETING)
    assert (client.root / "greeting.txt").read_text() == GREETING
    assert not (client.root / "farewell.txt").exists()
    assert client.texts[uri] == PLAN.replace("status: draft", "status: approved")
    assert "Roll back" not in await client.titles(uri)
    [run] = (await client.do("listExecutions")).executions
    assert [rollback.steps for rollback in run.rollbacks] == [(1, 2)]
    assert (await client.do("showStatus")).mode is Mode.PLAN


async def test_a_rollback_is_no_run_of_another_window(client: PlanactClient) -> None:
    async def look(params: Edit) -> Applied:
        seen.append(await client.titles(uri))
        return await client.make(params)

    seen: list[list[str]] = []
    uri = set_up(client)
    client.show(PATH)
    client.show("greeting.txt")
    await client.execute(uri=uri)
    client.on_edit = look
    await roll_back(client, uri=uri)
    assert seen[0] == ["Rolling back", "Show diff", "Show diff"]


async def test_one_step_goes_back_by_its_lens(client: PlanactClient) -> None:
    uri = set_up(client)
    client.show(PATH)
    await client.execute(uri=uri)
    titles = await client.titles(uri)
    assert titles.count("Roll back") == 3
    asking = asyncio.ensure_future(client.click(await client.lens(uri, "Roll back", 2)))
    await client.answer(await client.question(), roll_back=True)
    assert shown(await asking) == [("farewell.txt", "deleted")]
    assert (client.text("greeting.txt"), client.marks(PATH)) == (HELLO, [DONE, PENDING])
    assert "status: paused" in client.text(PATH)


async def test_a_file_that_the_user_went_on_with_is_refused_with_the_difference(client: PlanactClient) -> None:
    uri = set_up(client)
    greeting = client.show("greeting.txt")
    await client.execute(uri=uri)
    client.type(greeting, HELLO + "my own 𝄞 words\n")
    code, message = await client.refusal("rollBack", uri=uri)
    assert (code, message) == ("FILE_MOVED_ON", "nothing was rolled back: greeting.txt has changed since")
    [document] = client.shown_documents
    diff = await asyncio.to_thread(Path(document.uri.removeprefix("file://")).read_text)
    assert diff.startswith(message)
    assert "+my own 𝄞 words\n" in diff
    assert client.texts[greeting] == HELLO + "my own 𝄞 words\n"
    assert (client.root / "farewell.txt").exists()
    assert client.marks(PATH) == [DONE, DONE]


async def test_unsaved_text_of_others_survives(client: PlanactClient) -> None:
    uri = set_up(client)
    client.write("notes.txt", "notes\n")
    notes = client.show("notes.txt", "notes\nthat nobody saved 👋\n")
    await client.execute(uri=uri)
    await roll_back(client, uri=uri)
    assert client.texts[notes] == "notes\nthat nobody saved 👋\n"
    assert (client.root / "notes.txt").read_text() == client.texts[notes]  # the editor saved it before a command


async def test_unsaved_text_that_the_agent_changed_is_unsaved_text_again(client: PlanactClient) -> None:
    uri = set_up(client)
    mine = "😀 unsaved 𝄞\n👋 good day\nand more 𝄞\n"
    greeting = client.show("greeting.txt", mine)
    await client.execute(uri=uri)
    assert client.texts[greeting] != mine
    await roll_back(client, uri=uri)
    assert client.texts[greeting] == mine


@IN_ONE_ENCODING
async def test_created_deleted_and_renamed_files_go_back_also_where_they_are_open(client: PlanactClient) -> None:
    steps = (
        calls(call("delete_file", path="old.txt"), call("rename_file", path="name.txt", new_path="moved.txt")),
        calls(call("create_file", path="sub/new.txt", content="new\n")),
    )
    plan = PLAN.replace("files: greeting.txt", "files: old.txt, name.txt, moved.txt, sub/new.txt")
    plan = plan.replace("  - check: `grep -q hello greeting.txt`\n", "")
    uri = set_up(client, scene("Carry out step 1 ", *steps, say("Done."), mode="act"), SECOND, plan=plan)
    client.write("old.txt", "old\n")
    client.write("name.txt", "name\n")
    client.show("name.txt")
    old = client.show("old.txt")
    running = asyncio.ensure_future(client.execute(uri=uri))
    await client.answer(await client.question(), approval="allow_once")
    assert (await running).status == "success"
    moved = client.uri("moved.txt")
    assert (moved in client.texts, client.uri("name.txt") in client.texts) == (True, False)
    client.show("sub/new.txt")
    client.type(old, "old\nand more 👋\n")
    refusing = asyncio.ensure_future(client.refusal("rollBack", uri=uri, step=1))
    await client.answer(await client.question(2), roll_back=True)
    assert await refusing == ("EDIT_REFUSED", "old.txt is open with another text")
    assert (moved in client.texts, (client.root / "old.txt").exists()) == (True, False)
    client.type(old, "old\n")
    done = await roll_back(client, uri=uri, step=1)
    assert shown(done) == [
        ("moved.txt", "deleted"),
        ("name.txt", "brought back"),
        ("old.txt", "brought back"),
        ("sub/new.txt", "deleted"),
    ]
    assert (moved in client.texts, client.uri("name.txt") in client.texts) == (False, True)
    assert (client.root / "old.txt").read_text() == "old\n"
    assert not (client.root / "sub").exists()


@IN_ONE_ENCODING
async def test_work_without_a_plan_goes_back_by_its_execution(client: PlanactClient) -> None:
    set_up(client, scene("farewell", calls(call("create_file", path="farewell.txt", content="x")), say("Done.")))
    session = await client.do("newSession", mode="act")
    sending = client.begin("sendMessage", session_id=session.id, text="write a farewell")
    await client.answer(await client.question(), approval="allow_once")
    await sending
    [run] = (await client.do("listExecutions")).executions
    done = await roll_back(client, execution_id=run.id)
    assert (shown(done), done.steps, done.session_id) == ([("farewell.txt", "deleted")], (), session.id)
    assert not (client.root / "farewell.txt").exists()


@IN_ONE_ENCODING
async def test_without_a_yes_and_while_a_run_goes_on_nothing_happens(client: PlanactClient) -> None:
    uri = set_up(client, FIRST, SLOW_SECOND)
    seen = (await client.do("showPlan", uri=uri)).plan_hash
    await client.do("executeStep", uri=uri, step=1, approve_hash=seen)
    refusing = asyncio.ensure_future(client.refusal("rollBack", uri=uri))
    await client.answer(await client.question(), roll_back=False)
    assert (await refusing)[0] == "NOT_CONFIRMED"
    assert client.text("greeting.txt") == HELLO
    client.notices.clear()
    running = client.begin("executeStep", uri=uri, step=2)
    await client.until_heard(messages.MESSAGE_DELTA)
    assert (await client.refusal("rollBack", uri=uri))[0] == "BUSY"
    await client.do("stop")
    await running


@IN_ONE_ENCODING
async def test_an_editor_that_refuses_leaves_all_as_it_is(client: PlanactClient) -> None:
    async def refuse(params: Edit) -> Applied:
        return Applied(applied=False, failure_reason="read-only")

    uri = set_up(client)
    client.show("greeting.txt")
    await client.execute(uri=uri)
    client.on_edit = refuse
    running = asyncio.ensure_future(client.refusal("rollBack", uri=uri))
    await client.answer(await client.question(), roll_back=True)
    assert (await running)[0] == "EDIT_REFUSED"
    assert (client.root / "farewell.txt").exists()
    assert client.text("greeting.txt") == HELLO


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        ({"execution_id": "nothing"}, "EXECUTION_NOT_FOUND"),
        ({"uri": "here"}, "NOTHING_TO_ROLL_BACK"),
        ({"uri": "here", "step": 1}, "STEP_NOT_FOUND"),
        ({"uri": "here", "execution_id": "both"}, "INVALID_ARGUMENTS"),
        ({}, "INVALID_ARGUMENTS"),
    ],
)
@IN_ONE_ENCODING
async def test_what_can_not_be_rolled_back_is_told(client: PlanactClient, payload: dict[str, Any], code: str) -> None:
    uri = set_up(client)
    named = {**payload, **({"uri": uri} if "uri" in payload else {})}
    assert (await client.refusal("rollBack", **named))[0] == code


@pytest.mark.parametrize("is_made", [True, False], ids=["the edit was made", "the edit was not made"])
async def test_a_rollback_whose_server_is_killed_is_finished_by_the_next(tmp_path: Path, *, is_made: bool) -> None:
    async with planact_client(tmp_path) as first:
        uri = set_up(first)
        first.show("greeting.txt")
        await first.execute(uri=uri)
        answered = asyncio.Event()

        async def stop_server(params: Edit) -> Applied:
            if is_made:
                await first.make(params)
                first.save_to_disk(first.uri("greeting.txt"))
            first.signal(signal.SIGSTOP)  # so it never hears the answer
            answered.set()
            return Applied(applied=is_made)

        first.on_edit = stop_server
        running = first.begin("rollBack", uri=uri)
        await first.answer(await first.question(), roll_back=True)
        await asyncio.wait_for(answered.wait(), LIMIT)
        await first.kill()
        running.cancel()
    assert (tmp_path / "greeting.txt").read_text() == (GREETING if is_made else HELLO)
    assert (tmp_path / "farewell.txt").exists()
    async with planact_client(tmp_path) as second:
        done = await roll_back(second, uri=uri)
        assert shown(done) == [BOTH_BACK[0], *([] if is_made else BOTH_BACK[1:])]
        assert (second.text("greeting.txt"), (tmp_path / "farewell.txt").exists()) == (GREETING, False)
        assert second.marks(PATH) == [PENDING, PENDING]


async def test_a_run_whose_server_was_killed_is_rolled_back_by_the_next(tmp_path: Path) -> None:
    async with planact_client(tmp_path) as first:
        await killed_in_step_two(first)
    async with planact_client(tmp_path) as second:
        uri = second.show(PATH)
        assert shown(await roll_back(second, uri=uri)) == BOTH_BACK[1:]
        assert (second.text("greeting.txt"), second.marks(PATH)) == (GREETING, [PENDING, PENDING])
        [run] = (await second.do("listExecutions")).executions
        assert (run.status, [rollback.steps for rollback in run.rollbacks]) == ("aborted", [(1, 2)])
