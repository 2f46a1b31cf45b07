"""Questions, notices and progress against a client in another process."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.lsp.editor_client import BROKEN, EditorClient, capable, editor_client
from tests.lsp.raw_client import until
from tests.lsp.test_patches import read, text_of

pytestmark = pytest.mark.asyncio(loop_scope="module")


def choose(client: EditorClient, title: str | None) -> list[types.ShowMessageRequestParams]:
    """Let the user click on a button; what was asked is in the list."""
    asked: list[types.ShowMessageRequestParams] = []

    async def click(params: types.ShowMessageRequestParams) -> Any:
        asked.append(params)
        return None if title is None else types.MessageActionItem(title)

    client.on_question = click
    return asked


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("Blue", "Answered(answers={'answer': {'is': 'Blue'}}, assumed=False, rejected=(), comment='')"),
        ("Decline", "DeclinedByUser()"),
        (None, "Dismissed()"),
        ("Green", "Dismissed()"),
    ],
)
async def test_a_choice_is_shown_as_buttons(client: EditorClient, title: str | None, shown: str) -> None:
    asked = choose(client, title)
    assert await client.run("probe.ask", labels=["Red", "Blue"], problem="'x' is no colour") == shown
    [params] = asked
    assert [action.title for action in params.actions or ()] == ["Red", "Blue", "Decline"]
    assert params.message == "'x' is no colour\n\nWhich?"


async def test_what_planact_asks_itself_has_its_own_no(client: EditorClient) -> None:
    asked = choose(client, "Decline")
    assert await client.run("probe.ask", labels=["Yes", "No"], purpose="approval") == "Dismissed()"
    assert [action.title for action in asked[0].actions or ()] == ["Yes", "No"]


@pytest.mark.parametrize(
    "question",
    [
        {"labels": []},
        {"labels": ["a", "b", "c", "d", "e"]},
        {"labels": ["same", "same"]},
        {"labels": ["a", "b" * 41]},
        {"labels": ["a", "b"], "allow_custom": True},
    ],
)
async def test_what_does_not_fit_buttons_is_told_how_to_answer(client: EditorClient, question: dict[str, Any]) -> None:
    asked = choose(client, "a")
    assert await client.run("probe.ask", problem="no", **question) == "Dismissed()"
    assert asked == []
    [message] = client.messages
    choices = [f"{number} {label}" for number, label in enumerate(question["labels"], 1)]
    at_terminal = "write `planact answer q1 NUMBER` at a terminal, or " if choices else ""
    how = f"To answer, {at_terminal}run the command planact.answerQuestion with question_id q1."
    assert message.message.splitlines() == ["no", "Which?", *choices, how]


async def test_a_client_that_cannot_ask_is_told_how_to_answer(client: EditorClient) -> None:
    async def fail(_: types.ShowMessageRequestParams) -> None:
        raise ValueError(BROKEN)

    client.on_question = fail
    assert await client.run("probe.ask", labels=["a"]) == "Dismissed()"
    assert "planact.answerQuestion" in client.messages[0].message


async def test_a_client_with_forms_shows_the_question_and_answers_later(tmp_path: Path) -> None:
    async with editor_client(tmp_path, capable(experimental={"planact": {"questions": True}})) as client:
        assert await client.run("probe.ask", labels=["a"]) == "Dismissed()"
        [(method, params)] = client.notices
        assert (method, params["question_id"]) == ("planact/questionPending", "q1")
        [question] = params["questions"]
        assert (question["schema"], question["options"][0]["value"]) == ({}, {"is": "a"})


async def test_cancelling_takes_a_question_from_the_screen(client: EditorClient) -> None:
    taken = asyncio.Event()

    async def wait(_: types.ShowMessageRequestParams) -> None:
        try:
            await asyncio.sleep(600)
        finally:
            taken.set()

    client.on_question = wait
    params = types.ExecuteCommandParams("probe.ask", [{"labels": ["a"]}])
    asking = asyncio.ensure_future(
        client.protocol.send_request_async(types.WORKSPACE_EXECUTE_COMMAND, params, msg_id="ask")
    )
    await client.run("probe.state")
    client.cancel_request(types.CancelParams("ask"))
    with pytest.raises(JsonRpcException, match="cancelled"):
        await asyncio.wait_for(asking, 180)
    await asyncio.wait_for(taken.wait(), 180)
    assert client.messages == []


async def test_notices_go_to_clients_that_follow_them(tmp_path: Path) -> None:
    async with editor_client(tmp_path, capable(experimental={"planact": {"messages": True}})) as client:
        await client.run("probe.tell")
        assert [method for method, _ in client.notices] == ["planact/usage"]
        assert client.notices[0][1]["session_id"] == "s1"


async def test_all_clients_get_a_line_in_their_log(client: EditorClient) -> None:
    await client.run("probe.tell")
    assert client.notices == []
    assert [line.message for line in client.log_messages] == ["update_file: may not write [TOOL_BLOCKED_BY_MODE]"]


# --- progress


async def test_work_is_shown_from_beginning_to_end(client: EditorClient, tmp_path: Path) -> None:
    assert await client.run("probe.progress", seconds=0, mark=str(tmp_path / "mark")) == "done"
    [reports] = client.progress_reports.values()
    assert [(report.value.kind) if hasattr(report, "value") else report.kind for report in reports] == [
        "begin",
        "report",
        "end",
    ]


async def test_the_clients_own_token_is_used_before_a_new_one(client: EditorClient, tmp_path: Path) -> None:
    client.progress_reports["mine"] = []
    payload = {"seconds": 0, "mark": str(tmp_path / "mark")}
    params = types.ExecuteCommandParams("probe.progress", [payload], work_done_token="mine")
    await client.workspace_execute_command_async(params)
    assert {token: len(reports) for token, reports in client.progress_reports.items()} == {"mine": 3}


async def test_the_user_can_cancel_work_that_is_shown(client: EditorClient, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    working = asyncio.ensure_future(client.run("probe.progress", seconds=60, mark=str(mark)))
    await until(lambda: any(client.progress_reports.values()))
    [token] = client.progress_reports
    client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
    assert await working == "cancelled"
    assert await text_of(mark) == "cleaned up"
    client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
    assert (await client.run("probe.state"))["progress"] == 0
    assert client.messages == []


async def test_a_client_that_shows_no_progress_gets_none(tmp_path: Path) -> None:
    async with editor_client(tmp_path, types.ClientCapabilities()) as client:
        assert await client.run("probe.progress", seconds=0, mark=str(tmp_path / "mark")) == "done"
        assert client.progress_reports == {}
        assert read(tmp_path / "mark") == "finished"
