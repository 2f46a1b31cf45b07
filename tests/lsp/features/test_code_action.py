"""`textDocument/codeAction`: the lenses again, for editors without them, and ways to mend what is wrong."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from planact.lsp.protocol import messages
from planact.model.plan import StepStatus
from tests.lsp.commands.greetings import ASK_PLAN, ASKING, PATH, PLAN, PLANNING, SLOW, set_up
from tests.lsp.commands.planact_client import PlanactClient, full, planact_client, scene
from tests.lsp.editor_client import LIMIT

pytestmark = pytest.mark.asyncio(loop_scope="session")

FIRST_STEP = PLAN[: PLAN.index("- [ ] 1")].count("\n")
SECOND_STEP = PLAN[: PLAN.index("- [ ] 2")].count("\n")
STEP, PLAN_TITLES = ["Run step", "Skip"], ["Approve", "Execute Plan", "Revise"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (0, PLAN_TITLES),
        (FIRST_STEP, [*STEP, *PLAN_TITLES]),
        (SECOND_STEP - 1, [*STEP, *PLAN_TITLES]),
        (SECOND_STEP + 1, [*STEP, *PLAN_TITLES]),
    ],
)
async def test_those_of_the_step_at_the_cursor_come_first(
    client: PlanactClient, line: int, expected: list[str]
) -> None:
    uri = set_up(client)
    client.show(PATH)
    actions = await client.actions(uri, line)
    assert [action.title for action in actions] == expected
    assert {action.kind for action in actions} == {"source.planact"}


async def test_they_are_what_the_lenses_are(client: PlanactClient) -> None:
    uri = set_up(client)
    client.show(PATH)
    clickable = [lens.command for lens in await client.lenses(uri) if lens.command and lens.command.command]
    found = [
        action.command
        for action in [*(await client.actions(uri, FIRST_STEP)), *(await client.actions(uri, SECOND_STEP))]
    ]
    assert sorted(map(repr, clickable)) == sorted({repr(command) for command in found})


@pytest.mark.parametrize(
    ("only", "count"),
    [
        (None, 3),
        (["source"], 3),
        (["source.planact"], 3),
        (["quickfix"], 0),
        (["source.organizeImports"], 0),
        ([], 0),
    ],
)
async def test_the_client_says_which_kinds_it_wants(client: PlanactClient, only: list[str] | None, count: int) -> None:
    set_up(client)
    uri = client.show(PATH)
    assert len(await client.actions(uri, only=only)) == count


async def test_an_action_carries_out_the_step_under_the_cursor(client: PlanactClient) -> None:
    uri = set_up(client)
    client.show(PATH)
    [run, *_] = await client.actions(uri, SECOND_STEP)
    assert (await client.click(run.command)).status == "success"
    assert client.marks(PATH) == [StepStatus.PENDING, StepStatus.DONE]


async def test_while_it_runs_or_waits_they_are_few(client: PlanactClient) -> None:
    uri = set_up(client, SLOW)
    client.show(PATH)
    running = asyncio.ensure_future(client.execute(uri=uri))
    await client.until_heard(messages.MESSAGE_DELTA)
    [stop] = await client.actions(uri)
    assert stop.title == "Stop"
    await client.click(stop.command)
    assert (await running).status == "paused"


async def test_an_open_question_is_answered_from_here_too(client: PlanactClient) -> None:
    uri = set_up(client, ASKING, plan=ASK_PLAN)
    client.show(PATH)
    running = asyncio.ensure_future(client.execute(uri=uri))
    question = await client.question()
    [answer] = await client.actions(uri)
    assert answer.command == types.Command(
        "Answer", "planact.answerQuestion", arguments=({"uri": uri, "question_id": question.question_id},)
    )
    await client.answer(question, tone="warm")
    await running


async def mended(client: PlanactClient, text: str) -> list[tuple[str, str, str, list[Any]]]:
    """Title and kind of each edit offered at the cursor, the text that it makes, and the codes that it mends."""
    set_up(client)
    before, _, after = text.partition("‸")
    uri = client.show(PATH, before + after)
    context = types.CodeActionContext(await client.judged(uri))
    place = client.position(text)
    params = types.CodeActionParams(types.TextDocumentIdentifier(uri), types.Range(place, place), context)
    found = []
    for action in await asyncio.wait_for(client.text_document_code_action_async(params), LIMIT) or ():
        if isinstance(action, types.CodeAction) and action.edit:
            assert (await client.make(types.ApplyWorkspaceEditParams(action.edit))).applied
            codes = [each.code for each in action.diagnostics or ()]
            kind = str(getattr(action.kind, "value", action.kind))
            found.append((action.title, kind, client.texts[uri], codes))
            client.close(uri)
            client.show(PATH, before + after)
    return found


@pytest.mark.parametrize(
    ("old", "new", "fix"),
    [
        ("create_file", "👻, creat_‸file", ("Change it to 'create_file'", "quickfix", "👻, create_file", ["PLAN008"])),
        ("2. 👋", "7. 👋‸", ("Renumber the steps", "refactor.rewrite", "2. 👋", [])),
        ("2. 👋", "1‸. 👋", ("Renumber the steps", "quickfix", "2. 👋", ["PLAN003"])),
        ("status: draft", "statis‸: draft", ("Change it to 'status'", "quickfix", "status: draft", ["PLAN006"])),
    ],
)
async def test_what_is_wrong_is_mended_in_the_version_that_was_judged(
    client: PlanactClient, old: str, new: str, fix: tuple[str, str, str, list[str]]
) -> None:
    title, kind, text, codes = fix
    assert await mended(client, PLAN.replace(old, new)) == [(title, kind, PLAN.replace(old, text), codes)]


async def test_a_client_without_literals_gets_commands_alone(tmp_path: Path) -> None:
    capabilities = full()
    assert capabilities.text_document
    capabilities.text_document.code_action = None
    async with planact_client(tmp_path, capabilities) as client:
        set_up(client)
        uri = client.show(PATH, PLAN.replace("2. 👋", "1. 👋"))
        assert [type(action) for action in await client.actions(uri, SECOND_STEP)] == [types.Command] * 5


async def in_source(client: PlanactClient, uri: str, place: types.Range, *faults: types.Diagnostic) -> list[Any]:
    params = types.CodeActionParams(types.TextDocumentIdentifier(uri), place, types.CodeActionContext(list(faults)))
    return list(await asyncio.wait_for(client.text_document_code_action_async(params), LIMIT) or ())


async def test_what_another_server_reports_is_planned_to_be_fixed(client: PlanactClient) -> None:
    set_up(client, scene("unknown name 👻", *PLANNING["turns"], mode="plan"))
    place = types.Range(types.Position(0, 3), types.Position(0, 3))
    fault = types.Diagnostic(place, "unknown name 👻", source="pyright", code="x")
    own = types.Diagnostic(place, "ours", source="planact")
    [fix] = await in_source(client, client.show("greeting.txt"), place, fault, own)
    assert (fix.title, fix.kind, list(fix.diagnostics)) == ("Plan a fix", "quickfix", [fault])
    made = await client.click(fix.command)
    assert made.plan_id
    assert [shown.uri for shown in client.shown_documents] == [made.uri]


@pytest.mark.parametrize(
    ("start", "end", "about"),
    [((1, 2), (1, 4), "a.py:2"), ((1, 0), (3, 0), "a.py:2-3"), ((0, 1), (3, 2), "a.py:1-4")],
)
async def test_a_selection_can_be_changed_by_a_plan_and_asked_about(
    client: PlanactClient, start: tuple[int, int], end: tuple[int, int], about: str
) -> None:
    uri = client.show("a.py", "👋 one\ntwo\nthree\nfour\n")
    found = await in_source(client, uri, types.Range(types.Position(*start), types.Position(*end)))
    assert [(action.title, action.command.command) for action in found] == [
        ("Plan a change to the selection", "planact.generatePlan"),
        ("Ask about the selection", "planact.sendMessage"),
    ]
    payload = {"folder": client.root.as_uri(), "about": about}
    assert [action.command.arguments for action in found] == [(payload,), (payload,)]


@pytest.mark.parametrize("uri", ["file:///nowhere/a.py", "untitled:a.py"])
async def test_files_outside_the_folder_have_none(client: PlanactClient, uri: str) -> None:
    whole = types.Range(types.Position(0, 0), types.Position(1, 0))
    assert await in_source(client, client.show("a.py", "one\n", uri=uri), whole) == []


async def test_without_a_selection_other_documents_have_none(client: PlanactClient) -> None:
    assert await client.actions(client.show("a.md", PLAN)) == []
    assert await client.actions(client.uri("closed.plan")) == []
