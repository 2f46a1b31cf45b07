"""The conversation in the document: a client without dialogs and lenses, with windows and code actions alone."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from planact.model.plan import StepStatus
from planact.plan.syntax.parser import parse
from tests.lsp.commands.greetings import (
    ASK_PLAN,
    ASKED,
    ASKING,
    FAREWELL,
    FIRST,
    HELLO,
    PATH,
    PLAN,
    REVISING,
    SECOND,
    SUBMITTED,
    set_up,
)
from tests.lsp.commands.planact_client import PlanactClient, call, calls, full, planact_client, say, scene
from tests.lsp.editor_client import BROKEN
from tests.lsp.raw_client import until

pytestmark = pytest.mark.asyncio(loop_scope="session")

NAME = {"name": "name", "question": "What is your name 👋?"}
REQUEST = "greet them 👋\n\nPolitely, if that can be done.\n"
ASKING_FIRST = scene(
    "greet",
    calls(call("ask_user", questions=[NAME])),
    calls(call("write_plan", **SUBMITTED), expect=[{"in": "tool", "text": "Ada"}]),
    say("The plan is ready."),
    mode="plan",
)


def plain() -> types.ClientCapabilities:
    capabilities = full(extras={})
    assert capabilities.workspace
    capabilities.workspace.code_lens = None
    return capabilities


@asynccontextmanager
async def plain_client(folder: Path) -> AsyncIterator[PlanactClient]:
    """Its dialogs fail, as they do in clients that have none."""

    async def fail(_: types.ShowMessageRequestParams) -> Any:
        raise ValueError(BROKEN)

    async with planact_client(folder, plain()) as client:
        client.on_question = fail
        yield client


async def act(client: PlanactClient, uri: str, title: str, line: int = 0) -> Any:
    """Choose a code action by the start of its title, as the user does."""
    actions = await client.actions(uri, line)
    [action] = [action for action in actions if action.title.startswith(title)]
    return await client.click(action.command)


async def until_asked(client: PlanactClient, path: str = PATH) -> str:
    """Wait for a block; the id of its question."""
    await until(lambda: bool(parse(client.text(path)).questions))
    return parse(client.text(path)).questions[0].id


async def run_asking(client: PlanactClient) -> tuple[str, "asyncio.Task[Any]", str]:
    """Execute a plan up to a question: its document, the run, and the question's id."""
    set_up(client, ASKING, plan=ASK_PLAN)
    uri = client.show(PATH)
    running = asyncio.ensure_future(act(client, uri, "Execute Plan"))
    return uri, running, await until_asked(client)


def write(client: PlanactClient, uri: str, old: str, new: str) -> None:
    assert old in client.texts[uri]
    client.type(uri, client.texts[uri].replace(old, new, 1))


async def test_a_plan_is_generated_asked_about_revised_and_carried_out_by_code_actions_alone(tmp_path: Path) -> None:
    async with plain_client(tmp_path) as client:
        set_up(client, REVISING, ASKING_FIRST, FIRST, SECOND, plan=REQUEST)
        uri = client.show(PATH)
        generating = asyncio.ensure_future(act(client, uri, "Generate plan"))
        asked_id = await until_asked(client)
        block = f"> [!QUESTION] {asked_id} minor: What is your name 👋?\n> answer:\n"
        assert client.texts[uri] == block + REQUEST
        await until(lambda: bool(client.messages))
        assert f"To answer, tick a box in {PATH}, or write behind `answer:`" in client.messages[0].message
        write(client, uri, "> answer:", "> answer: Ada")
        assert (await act(client, uri, "Answer")).status == "answered"
        assert (await generating).path == PATH
        made = parse(client.texts[uri])
        assert (made.goal, made.questions, len(made.steps)) == (SUBMITTED["goal"], (), 2)
        assert REQUEST.strip() in client.texts[uri]

        write(client, uri, "## Steps", "> be warm\n\n## Steps")
        await act(client, uri, "Revise (1 comment)")
        revised = parse(client.texts[uri])
        assert (revised.goal, revised.comments) == ("Greet the 🌍 warmly", ())

        seen: list[list[StepStatus]] = []
        make = client.on_edit

        async def watch(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
            result = await make(params)
            seen.append([step.status for step in parse(client.texts[uri]).steps])
            return result

        client.on_edit = watch
        assert (await act(client, uri, "Execute Plan")).status == "success"
        pending, running, done = StepStatus.PENDING, StepStatus.RUNNING, StepStatus.DONE
        marks = [marks for before, marks in zip([[], *seen], seen, strict=False) if marks != before]
        assert marks == [[pending, pending], [running, pending], [done, pending], [done, running], [done, done]]
        assert (client.text("greeting.txt"), client.text("farewell.txt")) == (HELLO, FAREWELL)


async def test_a_question_of_a_running_step_is_answered_below_it_and_the_run_goes_on(tmp_path: Path) -> None:
    async with plain_client(tmp_path) as client:
        uri, running, asked_id = await run_asking(client)
        tree = parse(client.texts[uri])
        assert [block.id for block in tree.steps[0].questions] == [asked_id]
        assert (await client.do("showPlan", uri=uri)).is_approved

        for old, new, why in [
            ("[ ] warm", "[ ] warm", "no box is ticked for 'tone'"),
            ("[ ] warm", "[x] warm", ""),
            ("[ ] cool", "[x] cool", "2 boxes are ticked for 'tone': tick one"),
        ]:
            write(client, uri, old, new)
            if why:
                told = await client.refusal("answerQuestion", question_id=asked_id, uri=uri)
                assert told == ("ANSWER_INVALID", why)
        write(client, uri, "[x] warm", "[ ] warm")
        titles = [action.title for action in await client.actions(uri)]
        assert titles == ["Answer", "Decline to answer"]
        await act(client, uri, "Answer")
        assert (await running).status == "success"
        assert client.text("farewell.txt") == "cool\n"
        assert "[!QUESTION]" not in client.texts[uri]
        assert await client.refusal("answerQuestion", question_id=asked_id, uri=uri) == (
            "QUESTION_NOT_OPEN",
            f"the question {asked_id} is answered already",
        )


async def test_declining_by_code_action_is_an_end_too(tmp_path: Path) -> None:
    async with plain_client(tmp_path) as client:
        uri, running, _ = await run_asking(client)
        await act(client, uri, "Decline to answer")
        await running
        assert client.text("farewell.txt").startswith("The user declined to answer.")
        assert "[!QUESTION]" not in client.texts[uri]


async def test_a_ticked_box_answers_nothing_by_itself(tmp_path: Path) -> None:
    async with plain_client(tmp_path) as client:
        uri, running, asked_id = await run_asking(client)
        write(client, uri, "[ ] warm", "[x] warm")
        client.save_to_disk(uri)
        client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri)))
        # The same block in another plan, as a repository may bring it, can't be answered there.
        other = client.write("other.plan", client.texts[uri])
        client.show("other.plan")
        told = await client.refusal("answerQuestion", question_id=asked_id, uri=other)
        assert told[0] == "QUESTION_NOT_OPEN"
        assert "is about greet.plan, not about other.plan" in told[1]
        [question] = (await client.do("listQuestions")).questions
        assert (question.question_id, running.done()) == (asked_id, False)
        # Nor does a block with other words under the same id.
        write(client, uri, "warm: Warm", "warm: Nothing at all")
        assert (await client.refusal("answerQuestion", question_id=asked_id, uri=uri))[0] == "ANSWER_INVALID"
        await client.do("cancelQuestion", question_id=asked_id)
        await running
        assert "[!QUESTION]" not in client.texts[uri]


async def test_a_block_with_an_invented_id_offers_and_answers_nothing(tmp_path: Path) -> None:
    block = "> [!QUESTION] invented critical: May I?\n> - [x] yes: Yes\n"
    async with plain_client(tmp_path) as client:
        uri = set_up(client, plan=PLAN.replace("politely\n", f"politely\n{block}"))
        client.show(PATH)
        assert "Answer" not in [action.title for action in await client.actions(uri, 6)]
        told = await client.refusal("answerQuestion", question_id="invented", uri=uri)
        assert told == ("QUESTION_NOT_OPEN", "there is no question invented")
        assert block in client.texts[uri]


async def test_a_question_in_a_plan_outlives_the_server_and_is_answered_before_the_run_goes_on(tmp_path: Path) -> None:
    async with plain_client(tmp_path) as client:
        uri, running, asked_id = await run_asking(client)
        write(client, uri, "[ ] cool", "[x] cool")
        client.save_to_disk(uri)
        await client.kill()
        running.cancel()
    async with plain_client(tmp_path) as client:
        uri = client.show(PATH)
        assert [block.id for block in parse(client.texts[uri]).questions] == [asked_id]
        await act(client, uri, "Answer")
        await until(lambda: "[!QUESTION]" not in client.texts[uri])
        assert (await act(client, uri, "Continue")).status == "success"
        assert client.text("farewell.txt") == "cool\n"


async def test_stopping_takes_the_question_out(tmp_path: Path) -> None:
    async with plain_client(tmp_path) as client:
        uri, running, _ = await run_asking(client)
        await client.do("stop")
        assert (await running).status == "paused"
        assert "[!QUESTION]" not in client.texts[uri]


async def test_a_closed_plan_is_asked_in_on_disk(tmp_path: Path) -> None:
    async with plain_client(tmp_path) as client:
        uri = set_up(client, ASKING, plan=ASK_PLAN)
        running = client.begin("executePlan", uri=uri)
        # The confirmation comes first, since nothing was approved.
        asked_id = await until_asked(client)
        client.write(PATH, client.text(PATH).replace("[ ] true", "[x] true"))
        await client.do("answerQuestion", question_id=asked_id, uri=uri)
        await until(lambda: ASKED["question"] in client.text(PATH))
        asked_id = await until_asked(client)
        client.write(PATH, client.text(PATH).replace("[ ] warm", "[x] warm"))
        await client.do("answerQuestion", question_id=asked_id, uri=uri)
        assert (await running).status == "success"
        assert "[!QUESTION]" not in client.text(PATH)


async def test_a_question_whose_block_was_deleted_is_written_again(tmp_path: Path) -> None:
    async with plain_client(tmp_path) as client:
        uri, running, asked_id = await run_asking(client)
        before = client.texts[uri]
        client.type(uri, before[: before.index("  > [!QUESTION]")])
        assert (await act(client, uri, "Answer")).status == "open"
        assert await until_asked(client) == asked_id
        write(client, uri, "[ ] warm", "[x] warm")
        await act(client, uri, "Answer")
        assert (await running).status == "success"
