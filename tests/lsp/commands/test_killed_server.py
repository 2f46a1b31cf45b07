"""What a server that was killed leaves behind: nothing half written, and a plan to go on with."""

import asyncio
import json
import signal
from pathlib import Path

import pytest

from planact.lsp.protocol import messages
from planact.model.plan import StepStatus
from tests.lsp.commands.greetings import FAREWELL, FIRST, HELLO, PATH, PLAN, SECOND, set_up
from tests.lsp.commands.planact_client import PlanactClient, planact_client, say, scene
from tests.lsp.commands.work import until_told
from tests.lsp.raw_client import until

pytestmark = pytest.mark.asyncio(loop_scope="session")

SLOW_SECOND = scene("Carry out step 2 ", say("a word " * 400, delay=0.05), mode="act")


async def killed_in_step_two(client: PlanactClient) -> None:
    uri = set_up(client, FIRST, SLOW_SECOND)
    running = asyncio.ensure_future(client.execute(uri=uri))
    await until(lambda: any(delta.text.startswith("a ") for delta in client.heard(messages.MESSAGE_DELTA)))
    await client.kill()
    running.cancel()


async def test_a_plan_goes_on_at_the_first_open_step(tmp_path: Path) -> None:
    async with planact_client(tmp_path) as first:
        await killed_in_step_two(first)
    async with planact_client(tmp_path) as second:
        assert second.marks(PATH) == [StepStatus.DONE, StepStatus.RUNNING]
        uri = second.show(PATH)
        await until(lambda: second.marks(PATH) == [StepStatus.DONE, StepStatus.PENDING])
        assert second.texts[uri] == PLAN.replace("[ ] 1", "[x] 1").replace("draft", "paused")
        assert await second.titles(uri) == [
            *("1 of 2 done", "Continue", "Revise", "Roll back"),
            *("Show diff", "Roll back", "Run step", "Skip"),
        ]
        assert second.text("greeting.txt") == HELLO
        second.script(SECOND)
        run = await second.do("executePlan", uri=uri)
        assert (run.status, [step.step_number for step in run.steps]) == ("success", [2])
        assert second.text("farewell.txt") == FAREWELL
        assert second.marks(PATH) == [StepStatus.DONE, StepStatus.DONE]
        runs = (await second.do("listExecutions")).executions
        assert [[step.step_number for step in each.steps] for each in runs] == [[2], [1, 2]]
        session = await second.do("openSession", session_id=runs[1].session_id)
        assert (session.mode, session.plan_file) == ("act", PATH)


async def test_no_file_is_left_half_written(tmp_path: Path) -> None:
    async with planact_client(tmp_path) as first:
        await killed_in_step_two(first)
    names = files_in(tmp_path)
    own = {name for name in names if name.startswith(".planact/")}
    assert names - own == {"greeting.txt", PATH, "model.yaml"}
    assert {Path(name).suffix or Path(name).name for name in own} == {".json", ".chat", ".gitignore"}
    for name in own:
        if name.endswith(".json"):
            json.loads((tmp_path / name).read_text())


def files_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


async def test_a_marked_step_can_be_skipped_or_run_alone(tmp_path: Path) -> None:
    async with planact_client(tmp_path) as first:
        await killed_in_step_two(first)
    async with planact_client(tmp_path) as second:
        second.script(SECOND)
        uri = second.uri(PATH)
        await second.do("skipStep", uri=uri, step=2)
        assert second.marks(PATH) == [StepStatus.DONE, StepStatus.SKIPPED]
        run = await second.do("executeStep", uri=uri, step=2)
        assert (run.status, second.marks(PATH)) == ("success", [StepStatus.DONE, StepStatus.DONE])


async def test_the_question_about_a_failed_step_is_there_again_with_its_id(tmp_path: Path) -> None:
    async with planact_client(tmp_path) as first:
        uri = set_up(first, plan=PLAN.replace("grep -q hello", "grep -q goodbye"))
        running = asyncio.ensure_future(first.execute(uri=uri))
        asked = await first.question()
        await first.kill()
        running.cancel()
    async with planact_client(tmp_path) as second:
        uri = second.show(PATH)
        assert second.marks(PATH) == [StepStatus.FAILED, StepStatus.PENDING]
        assert [each.question_id for each in (await second.do("listQuestions")).questions] == [asked.question_id]
        assert await second.titles(uri) == [
            *("0 of 2 done · 1 failed", "Continue", "Revise", "Roll back"),
            *("Retry", "Skip", "Show what failed", "Show diff", "Roll back", "Run step", "Skip"),
        ]
        resumed = asyncio.ensure_future(second.click(await second.lens(uri, "Continue")))
        assert await second.question() == asked
        assert await second.titles(uri) == ["Waiting for your answer", "Answer", "Show what failed", "Show diff"]
        await second.answer(asked, failed="skip")
        run = await resumed
        assert (run.status, second.marks(PATH)) == ("partial_success", [StepStatus.SKIPPED, StepStatus.DONE])
        assert [each.status for each in (await second.do("listExecutions")).executions] == ["partial_success"]


async def test_the_answer_to_the_question_about_a_failed_step_has_its_run_go_on(tmp_path: Path) -> None:
    async with planact_client(tmp_path) as first:
        uri = set_up(first, plan=PLAN.replace("grep -q hello", "grep -q goodbye"))
        running = asyncio.ensure_future(first.execute(uri=uri))
        asked = await first.question()
        await first.kill()
        running.cancel()
    async with planact_client(tmp_path) as second:
        second.show(PATH)
        second.script(SECOND)
        [killed_run] = (await second.do("listExecutions")).executions
        await second.answer(asked, failed="skip")
        await until(lambda: second.marks(PATH) == [StepStatus.SKIPPED, StepStatus.DONE])
        await until(lambda: second.heard(messages.EXECUTION_PROGRESS)[-1].execution.status != "running")
        [run] = (await second.do("listExecutions")).executions
        assert (run.id, run.status) == (killed_run.id, "partial_success")


async def test_an_answer_waits_for_the_server_of_a_closed_editor_to_let_go_of_the_session(tmp_path: Path) -> None:
    async with planact_client(tmp_path) as first:
        uri = set_up(first, plan=PLAN.replace("grep -q hello", "grep -q goodbye"))
        running = asyncio.ensure_future(first.execute(uri=uri))
        asked = await first.question()
        first.signal(signal.SIGSTOP)
        running.cancel()
        async with planact_client(tmp_path) as second:
            second.show(PATH)
            second.script(SECOND)
            await second.answer(asked, failed="skip")
            assert (await second.do("showStatus")).work.elsewhere
            assert second.marks(PATH) == [StepStatus.FAILED, StepStatus.PENDING]
            await first.kill()
            await until(lambda: second.marks(PATH) == [StepStatus.SKIPPED, StepStatus.DONE])
            work = await until_told(second, "partly")
            assert (work.title, "running" in second.text(PATH)) == ("Partly done · 2 of 2 steps", False)


async def test_a_plan_that_was_being_made_is_made_in_the_same_session(tmp_path: Path) -> None:
    async with planact_client(tmp_path) as first:
        uri = set_up(first, scene("greet", say("a word " * 400, delay=0.05)), plan="Please greet them.\n")
        running = asyncio.ensure_future(first.do("generatePlan", uri=uri))
        await until(lambda: any(delta.text.startswith("a ") for delta in first.heard(messages.MESSAGE_DELTA)))
        session_id = first.heard(messages.MESSAGE_DELTA)[0].session_id
        await first.kill()
        running.cancel()
    async with planact_client(tmp_path) as second:
        set_up(second, plan="Please greet them.\n")
        made = await second.do("generatePlan", uri=uri)
        assert (made.session_id, len((await second.do("listSessions")).sessions)) == (session_id, 1)
        assert (await second.do("revisePlan", uri=uri, feedback="Be warmer.")).session_id == session_id
