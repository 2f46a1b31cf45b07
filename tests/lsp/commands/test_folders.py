"""Several workspace folders in one client: what is said about one of them, and which comes and goes while work runs."""

import asyncio
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from planact.lsp.commands.folders import OpenFolder
from planact.lsp.protocol import messages
from planact.model.rights.permission import Mode
from tests.lsp.commands.greetings import (
    ASK_PLAN,
    ASKED,
    ASKING,
    FAREWELL,
    PATH,
    PLAN,
    PLAN_ID,
    SLOW,
    set_up,
)
from tests.lsp.commands.planact_client import (
    SCRIPT,
    PlanactClient,
    call,
    calls,
    error_number,
    full,
    planact_client,
    say,
    scene,
)
from tests.lsp.raw_client import until

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture
def web(client: PlanactClient, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A second folder beside the client's, in which the same plan lies, as in another worktree of its repository."""
    folder = tmp_path_factory.mktemp("web 🌍")
    set_up(client)
    set_up_in(client, folder)
    client.change_folders(added=[folder])
    return folder


def set_up_in(client: PlanactClient, folder: Path, *scenes: dict[str, Any], plan: str = PLAN) -> str:
    first, client.root = client.root, folder
    uri = set_up(client, *scenes, plan=plan)
    client.root = first
    return uri


async def cancelled(running: Awaitable[Any]) -> bool:
    return await error_number(running) == types.LSPErrorCodes.RequestCancelled.value


async def test_each_folder_has_its_own_session_and_mode(client: PlanactClient, web: Path) -> None:
    there = web.as_uri()
    first = await client.do("newSession")
    second = await client.do("setMode", mode="act", folder=there)
    assert first.id != second.id
    assert [change.folder for change in client.heard(messages.MODE_CHANGED)][-1] == there
    statuses = [await client.do("showStatus"), await client.do("showStatus", folder=there)]
    assert [(status.folder, status.session.id, status.mode) for status in statuses] == [
        (client.root.as_uri(), first.id, Mode.PLAN),
        (there, second.id, Mode.ACT),
    ]
    known = tuple(OpenFolder(uri=root.as_uri(), name=root.name, path=str(root)) for root in (client.root, web))
    assert [status.folders for status in statuses] == [known] * 2
    assert [session.id for session in (await client.do("listSessions", folder=there)).sessions] == [second.id]


async def test_what_has_no_id_goes_by_the_folder(client: PlanactClient, web: Path) -> None:
    there = web.as_uri()
    session = await client.do("newSession", folder=there)
    assert (await client.do("setRole", role="reviewer", folder=there)).id == session.id
    assert (await client.do("setModel", model=f"scripted:{web / SCRIPT}", folder=there)).id == session.id
    assert (await client.do("renameSession", title="Two", folder=there)).id == session.id
    assert (await client.do("sendMessage", text="/mode", folder=there)).session_id == session.id
    page = await client.protocol.send_request_async(messages.TRANSCRIPT, {"folder": there})
    assert page["session_id"] == session.id
    assert (await client.do("listSessions")).sessions == ()


async def test_what_has_an_id_is_found_wherever_it_is_but_where_a_folder_is_named_only_there(
    client: PlanactClient, web: Path
) -> None:
    here, there = client.root.as_uri(), web.as_uri()
    session = await client.do("newSession", folder=there)
    assert (await client.do("openSession", session_id=session.id)).id == session.id
    refused = await client.refusal("openSession", session_id=session.id, folder=here)
    assert refused == ("SESSION_NOT_FOUND", f"there is no session {session.id}")
    plans = [(await client.do("showPlan", plan_id=PLAN_ID, folder=folder)).uri for folder in (here, there)]
    assert plans == [f"{here}/{PATH}", f"{there}/{PATH}"]
    code, message = await client.refusal("showPlan", uri=plans[1], folder=here)
    assert (code, message) == ("NO_WORKSPACE", f"{plans[1]} is in another workspace folder")


async def test_an_id_that_plans_of_several_folders_carry_means_none_of_them(client: PlanactClient, web: Path) -> None:
    for command in ("showPlan", "executePlan", "approvePlan", "deletePlan", "rollBack"):
        code, message = await client.refusal(command, plan_id=PLAN_ID)
        assert code == "PLAN_INVALID"
        assert message == (f"documents in several folders carry the id {PLAN_ID}: {client.root / PATH}, {web / PATH}")
    assert (client.root / PATH).exists()
    assert (await client.do("showPlan", plan_id=PLAN_ID, folder=web.as_uri())).uri == f"{web.as_uri()}/{PATH}"


async def test_a_plan_in_a_folder_that_lies_in_another_is_the_inner_ones(client: PlanactClient) -> None:
    inner = client.root / "inner"
    inner.mkdir()
    plan = PLAN.replace(PLAN_ID, "plan_20261120_innr")
    set_up(client)
    uri = set_up_in(client, inner, plan=plan)
    client.change_folders(added=[inner])
    shown = await client.do("showPlan", plan_id="plan_20261120_innr")
    assert (shown.uri, shown.path) == (uri, PATH)


async def test_a_plan_is_made_and_carried_out_in_the_folder_that_is_named(client: PlanactClient, web: Path) -> None:
    there = web.as_uri()
    made = await client.do("generatePlan", request="greet", folder=there)
    assert made.uri.startswith(f"{there}/")
    client.progress_reports.clear()
    ended = await client.execute(plan_id=made.plan_id)
    assert [begun.title for begun, *_ in client.progress_reports.values()] == [f"Planact: executing in {web.name}"]
    assert (ended.status, (web / "farewell.txt").read_text()) == ("success", FAREWELL)
    assert not (client.root / "farewell.txt").exists()
    assert [run.id for run in (await client.do("listExecutions", folder=there)).executions] == [ended.id]
    assert (await client.do("listExecutions")).executions == ()
    assert (await client.refusal("resumeExecution", folder=there))[0] == "EXECUTION_NOT_FOUND"
    refused = await client.refusal("rollBack", execution_id=ended.id, folder=client.root.as_uri())
    assert refused[0] == "EXECUTION_NOT_FOUND"


async def test_a_question_names_the_folder_that_asks(client: PlanactClient, web: Path) -> None:
    asking = scene("", calls(call("ask_user", questions=[ASKED])), say("Thanks."))
    set_up(client, asking)
    set_up_in(client, web, asking)
    folders = [client.root.as_uri(), web.as_uri()]
    working = []
    for number, folder in enumerate(folders, 1):
        working.append(client.begin("sendMessage", text="ask", folder=folder))
        assert (await client.question(number)).folder == folder
    listed = (await client.do("listQuestions")).questions
    assert [question.folder for question in listed] == folders
    assert {(await client.do("showStatus", folder=folder)).open_questions for folder in folders} == {2}
    for question in listed:
        await client.answer(question, tone="warm")
    assert [ended.text for ended in await asyncio.gather(*working)] == ["Thanks.", "Thanks."]


def at_work(client: PlanactClient) -> set[str]:
    return {change.session_id for change in client.heard(messages.WORK_CHANGED) if change.is_running}


async def test_stop_means_the_work_of_the_folder_first(client: PlanactClient, web: Path) -> None:
    talking = scene("", say("a word now and then " * 200, delay=0.05))
    set_up(client, talking)
    set_up_in(client, web, talking)
    folders = [client.root.as_uri(), web.as_uri()]
    working = []
    for number, folder in enumerate(folders, 1):
        working.append(client.begin("sendMessage", text="talk", folder=folder))
        await until(lambda number=number: len(at_work(client)) == number)
    assert (await client.do("stop", folder=folders[1])).stopped
    assert (await working[1]).status == "stopped"
    assert not working[0].done()
    assert (await client.do("stop", folder=folders[1])).stopped
    assert (await working[0]).status == "stopped"


async def test_a_run_in_a_folder_that_is_removed_is_paused(client: PlanactClient, web: Path) -> None:
    uri = set_up_in(client, web, SLOW)
    running = asyncio.ensure_future(client.execute(uri=uri))
    await client.until_heard(messages.EXECUTION_PROGRESS)
    client.change_folders(removed=[web])
    assert await cancelled(running)
    assert [folder.path for folder in (await client.do("showStatus")).folders] == [str(client.root)]
    assert (await client.refusal("listExecutions", folder=web.as_uri()))[0] == "NO_WORKSPACE"
    client.change_folders(added=[web])
    [run] = (await client.do("listExecutions", folder=web.as_uri())).executions
    assert (run.status, run.reason) == ("paused", "its folder was closed")


async def test_a_run_that_waits_in_a_folder_that_is_removed_goes_on_when_it_is_back(
    client: PlanactClient, web: Path
) -> None:
    uri = set_up_in(client, web, ASKING, plan=ASK_PLAN)
    running = asyncio.ensure_future(client.execute(uri=uri))
    question = await client.question()
    client.change_folders(removed=[web])
    assert await cancelled(running)
    assert (await client.do("listQuestions")).questions == ()
    assert (await client.refusal("answerQuestion", question_id=question.question_id, answers={"tone": "warm"}))[0] == (
        "QUESTION_NOT_OPEN"
    )
    client.change_folders(added=[web])
    assert (await client.do("listQuestions")).questions == (question,)
    [run] = (await client.do("listExecutions", folder=web.as_uri())).executions
    assert (run.status, run.reason) == ("paused", "its folder was closed")
    client.progress_reports.clear()
    await client.answer(question, tone="warm")
    await until(lambda: any(reports[-1].kind == "end" for reports in client.progress_reports.values() if reports))
    [went_on] = (await client.do("listExecutions", folder=web.as_uri())).executions
    assert (went_on.id, went_on.status) == (run.id, "success")
    assert (web / "farewell.txt").read_text() == "warm\n"


async def test_who_is_asked_in_a_folder_that_is_removed_is_asked_no_more(client: PlanactClient, web: Path) -> None:
    waiting = client.begin("executePlan", uri=f"{web.as_uri()}/{PATH}")
    await client.question()
    client.change_folders(removed=[web])
    assert await cancelled(waiting)


async def test_work_in_the_folders_that_stay_goes_on(client: PlanactClient, web: Path) -> None:
    uri = set_up(client, ASKING, plan=ASK_PLAN)
    running = asyncio.ensure_future(client.execute(uri=uri))
    question = await client.question()
    client.change_folders(removed=[web])
    assert (await client.do("listQuestions")).questions == (question,)
    await client.answer(question, tone="warm")
    assert (await running).status == "success"


async def test_what_is_wrong_with_a_folder_that_is_added_is_told(client: PlanactClient, tmp_path: Path) -> None:
    folder = tmp_path / "added"
    (folder / ".planact").mkdir(parents=True)
    (folder / ".planact" / "config.toml").write_text("colour = 1\n")
    client.change_folders(added=[folder])
    await until(lambda: any("colour" in said.message for said in client.messages))


@pytest.mark.parametrize("shown", ["buttons", "text"])
async def test_clients_without_forms_are_told_the_folder_too(tmp_path: Path, shown: str) -> None:
    names = ("api", "web")
    for name in names:
        (tmp_path / name).mkdir()
    async with planact_client(tmp_path / "web", full(extras={})) as client:
        asked: list[str] = []

        async def click(params: types.ShowMessageRequestParams) -> types.MessageActionItem:
            asked.append(params.message)
            return types.MessageActionItem("Warm")

        client.on_question = click
        question = ASKED if shown == "buttons" else {**ASKED, "options": []}
        client.script(scene("", calls(call("ask_user", questions=[question])), say("Thanks.")))
        client.change_folders(added=[tmp_path / "api"])
        talking = client.begin("sendMessage", text="ask")
        await until(lambda: bool(asked) or any("tone" in said.message for said in client.messages))
        told = asked or [said.message for said in client.messages if "tone" in said.message]
        assert told[0].startswith("In web")
        if shown == "text":
            [waiting] = (await client.do("listQuestions")).questions
            await client.answer(waiting, tone="warm")
        assert (await talking).text == "Thanks."
