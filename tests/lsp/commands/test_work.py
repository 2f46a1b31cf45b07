"""`planact/workChanged` and `planact.showStatus`: what goes on, waits or was left, as a client sees it at any time."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from planact.adapters.store.disk.lock import FileLock
from planact.adapters.store.state.database import state_folder
from planact.lsp.protocol import messages
from tests.lsp.commands.greetings import FIRST, HELPLESS, PATH, PLAN, PLANNING, READ, SECOND, SLOW, UPDATE, set_up
from tests.lsp.commands.planact_client import (
    PlanactClient,
    call,
    calls,
    planact_client,
    say,
    scene,
)
from tests.lsp.commands.work import states, status_of, told, until_told
from tests.lsp.raw_client import until

pytestmark = pytest.mark.asyncio(loop_scope="session")

OTHER_FILE = scene(
    "Carry out step 1 ",
    READ,
    calls(call("create_file", path="other.txt", content="more\n")),
    *(UPDATE, say("Said hello.")),
    mode="act",
)
"""Wants to write a file that no step names, so that the user is asked."""


async def test_a_run_tells_each_step_and_how_it_ended(client: PlanactClient) -> None:
    uri = set_up(client)
    run = await client.execute(uri=uri)
    await until_told(client, "done")
    seen = states(client)
    assert [text for text in seen if text in ("Act 1/2", "Act 2/2", "Act · done")] == [
        "Act 1/2",
        "Act 2/2",
        "Act · done",
    ]
    assert not {"Plan", "Act", "Act · thinking"} & {*seen[seen.index("Act 1/2") :]}, "nothing is told between"
    second = next(work for work in told(client) if work.step == 2)
    assert (second.plan_uri, second.goal, second.action) == (uri, "Greet the 🌍 politely", "👋 Write `farewell.txt`")
    assert (second.of, second.finished, second.execution_id) == (2, 1, run.id)
    work = await status_of(client)
    assert (work.title, work.text.partition(" · ")[0]) == ("Done · 2 steps · 2 files", "1 check passed")
    await client.do("newSession")
    assert (await status_of(client)).status_text == "Plan"


async def test_a_call_runs_only_after_its_question_and_a_refused_one_never(client: PlanactClient) -> None:
    running = asyncio.ensure_future(client.execute(uri=set_up(client, OTHER_FILE, SECOND)))
    asked = await client.question()
    assert (asked.about, asked.questions[0].title) == ("change", "Create `other.txt`?")
    work = await status_of(client)
    assert (work.state, work.question_id, work.status_text, work.calls) == (
        *("waiting_approval", asked.question_id, "Act 1/2 · allow?"),
        (),
    )
    await client.answer(asked, approval="reject_once")
    await running
    run = [text for each in told(client) for text in (call.text for call in each.calls)]
    assert "Changing greeting.txt" in run
    assert "Creating other.txt" not in run
    results = [each for each in client.heard(messages.MESSAGE) if each.message_type == "tool_result"]
    outcomes = [each.metadata["outcome"] for each in results]
    assert outcomes[:3] == ["done", "refused", "done"]
    assert "started_at" in results[0].metadata
    assert "started_at" not in results[1].metadata


async def test_checks_and_repairs_are_told(client: PlanactClient) -> None:
    plan = PLAN.replace("grep -q hello", "grep -q hallo")
    running = asyncio.ensure_future(client.execute(uri=set_up(client, FIRST, SECOND, HELPLESS, plan=plan)))
    asked = await client.question()
    assert (asked.about, asked.questions[0].title) == ("failure", "Step 1: 1 of 1 check failed")
    repairs = {(work.repair, work.repairs) for work in told(client) if work.state == "repairing"}
    assert (1, 3) in repairs
    assert any(work.activity == "checking" for work in told(client))
    work = await status_of(client)
    assert (work.state, work.status_text, work.question_id) == ("failed", "Act 1/2 · failed", asked.question_id)
    await client.answer(asked, failed="stop")
    await running
    await until(lambda: told(client)[-1].title == "Step 1 of 2 failed")


async def test_another_mode_of_a_session_at_rest_is_told(client: PlanactClient) -> None:
    await client.do("setMode", mode="act")
    await until(lambda: states(client)[-1:] == ["Act"])
    await client.do("setMode", mode="plan")
    await until(lambda: states(client)[-1:] == ["Plan"])


async def test_a_plan_waits_to_be_reviewed_with_its_comments_and_tells_what_changed(client: PlanactClient) -> None:
    set_up(client, PLANNING)
    made = await client.do("generatePlan", request="greet")
    work = await until_told(client, "to_review")
    seen = [each.state for each in told(client)]
    assert "idle" not in seen[seen.index("working") :]
    assert (work.status_text, work.title, work.plan_uri) == ("Plan · 2 steps", "Plan · 2 steps · 2 files", made.uri)
    step = client.text(made.path).splitlines().index("- [ ] 2. 👋 Write `farewell.txt`")
    await client.do("commentPlan", uri=made.uri, line=step, text="Only at night")
    assert (await status_of(client)).title == "Plan · 1 comment"


async def test_what_a_reply_found_first_is_told_as_well(client: PlanactClient) -> None:
    set_up(client, PLANNING)
    made = await client.do("generatePlan", request="greet")
    assert (await status_of(client)).state == "to_review"
    assert (await until_told(client, "to_review")).plan_uri == made.uri


async def test_an_approved_plan_that_changed_and_one_that_is_out_of_date_are_told(client: PlanactClient) -> None:
    set_up(client, PLANNING)
    made = await client.do("generatePlan", request="greet")
    await client.approve(made.uri)
    client.write(made.path, client.text(made.path).replace("farewell", "goodbye"))
    work = await status_of(client)
    assert (work.state, work.text) == ("changed", "2 lines.")
    client.write("greeting.txt", "something else\n")
    work = await status_of(client)
    assert (work.state, work.title) == ("outdated", "1 file changed since planning")


async def test_stopping_is_told_and_then_what_is_paused(client: PlanactClient) -> None:
    running = asyncio.ensure_future(client.execute(uri=set_up(client, SLOW, SECOND)))
    await until(lambda: any(work.activity == "writing" for work in told(client)))
    await client.do("stop")
    await running
    assert "Act 1/2 · stopping" in states(client)
    work = await until_told(client, "paused")
    assert (work.status_text, work.title, work.text) == (
        *("Act 1/2 · paused", "Paused in step 1 of 2", "Stopped by the user."),
    )


async def test_a_second_server_follows_the_run_and_what_it_leaves_when_it_is_killed(tmp_path: Path) -> None:
    async with planact_client(tmp_path) as first, planact_client(tmp_path) as second:
        running = asyncio.ensure_future(first.execute(uri=set_up(first, FIRST, SLOW_SECOND)))
        await until(lambda: any(work.step == 2 and work.elsewhere for work in told(second)))
        work = await status_of(second)
        assert (work.state, work.step, work.of, work.finished) == ("running", 2, 2, 1)
        assert (work.status_text, work.plan_path, work.elsewhere) == ("2/2 · elsewhere", PATH, True)
        assert not any(each.is_running for each in second.heard(messages.WORK_CHANGED))
        code, _ = await second.refusal("executePlan", uri=second.uri(PATH))
        assert code == "BUSY"
        await first.kill()
        running.cancel()
        work = await until_told(second, "interrupted")
        assert work.title == "Interrupted in step 2 of 2"
        assert work.text.endswith("Step 1 is done; step 2 starts again from what is on disk.")


SLOW_SECOND = scene("Carry out step 2 ", say("a word " * 400, delay=0.05), mode="act")


async def test_what_a_reload_interrupts_is_told_right_after_the_next_start(tmp_path: Path) -> None:
    async with planact_client(tmp_path) as first:
        running = asyncio.ensure_future(first.execute(uri=set_up(first, FIRST, SLOW_SECOND)))
        await until(lambda: any(work.step == 2 and work.activity == "writing" for work in told(first)))
    running.cancel()
    async with planact_client(tmp_path) as second:
        work = await status_of(second)
        assert (work.state, work.mode, work.step, work.status_text) == (
            *("interrupted", "act", 2, "Act 2/2 · interrupted"),
        )
        assert work.text.startswith("The editor was closed or reloaded. Step 1 is done;")
        second.script(SECOND)
        run: Any = await second.do("resumeExecution", execution_id=work.execution_id)
        assert run.status == "success"


async def test_what_is_left_is_told_once_another_process_lets_go_of_the_folder(tmp_path: Path) -> None:
    """As when a server that ends has written its run down and not gone yet, while the next one starts."""
    async with planact_client(tmp_path) as first:
        running = asyncio.ensure_future(first.execute(uri=set_up(first, FIRST, SLOW_SECOND)))
        await until(lambda: any(work.step == 2 and work.activity == "writing" for work in told(first)))
    running.cancel()
    ending = FileLock(state_folder(tmp_path) / "run.lock", str)
    assert ending.acquire("a server that ends") == ""
    try:
        async with planact_client(tmp_path) as second:
            assert (await status_of(second)).state == "idle"
            before = second.refreshes
            ending.release()
            assert (await until_told(second, "interrupted")).step == 2
            await until(lambda: second.refreshes > before)  # a lens said that it runs in another window
    finally:
        ending.release()


async def test_lenses_are_drawn_anew_when_another_process_takes_the_folder_and_lets_go_of_it(
    client: PlanactClient, tmp_path: Path
) -> None:
    """A run holds the folder a while longer than its journal says that it is at work."""
    set_up(client)
    assert (await status_of(client)).state == "idle"
    elsewhere = FileLock(state_folder(tmp_path) / "run.lock", str)
    before = client.refreshes
    assert elsewhere.acquire(f"{PATH}: 1 of 2") == ""
    try:
        await until(lambda: client.refreshes > before)
        between = client.refreshes
    finally:
        elsewhere.release()
    await until(lambda: client.refreshes > between)


async def test_pages_of_the_transcript_join_by_the_ids_of_their_messages(client: PlanactClient) -> None:
    set_up(client, scene("greet", say("a word " * 20, delay=0.02)), scene("more", say("More.")))
    asking = client.begin("sendMessage", text="greet")
    await until(lambda: bool(client.heard(messages.MESSAGE_DELTA)))
    assert (await client.do("sendMessage", text="more")).status == "queued"
    session_id = (await asking).session_id
    whole = await client.transcript(session_id)
    ids = [message.id for message in whole]
    assert ids == sorted(ids)
    assert [message.role for message in whole if message.role != "system"] == ["user", "assistant", "user", "assistant"]
    pages = [await client.transcript(session_id, limit=2)]
    while len(found := await client.transcript(session_id, limit=2, before=pages[0][0].id)) > 0:
        pages.insert(0, found)
    assert [message.id for page in pages for message in page] == ids
