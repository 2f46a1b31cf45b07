"""`workspace/willRenameFiles`: paths inside plans follow, open or not; plans at work stay as they are."""

import asyncio
from pathlib import Path

import pytest
from lsprotocol import types

from planact.lsp.protocol import messages
from tests.lsp.commands.greetings import PATH, PLAN, SLOW, set_up
from tests.lsp.commands.planact_client import PlanactClient, full, planact_client
from tests.lsp.editor_client import LIMIT

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def rename(client: PlanactClient, old: str, new: str) -> types.WorkspaceEdit | None:
    files = [types.FileRename(client.uri(old), client.uri(new))]
    asking = client.workspace_will_rename_files_async(types.RenameFilesParams(files))
    return await asyncio.wait_for(asking, LIMIT)


def versions(edit: types.WorkspaceEdit | None) -> dict[str, int | None]:
    assert edit
    changes = [each for each in edit.document_changes or () if isinstance(each, types.TextDocumentEdit)]
    return {Path(each.text_document.uri).name: each.text_document.version for each in changes}


async def test_paths_follow_in_plans_that_are_open_and_that_are_not(client: PlanactClient) -> None:
    open_uri, other = set_up(client), client.write("sub/other.plan", PLAN.replace("# Greet", "# 😀 Greet"))
    client.write("request.plan", "greet `greeting.txt`")
    client.show(PATH)
    edit = await rename(client, "greeting.txt", "grüße/greeting.txt")
    assert versions(edit) == {"greet.plan": 1, "other.plan": None}
    for change in edit.document_changes or () if edit else ():
        assert isinstance(change, types.TextDocumentEdit)
        if change.text_document.uri == other:
            client.show("sub/other.plan")
        client.change(change.text_document.uri, change.edits)
    assert client.texts[open_uri] == moved(PLAN)
    assert client.texts[other] == moved(PLAN.replace("# Greet", "# 😀 Greet"))


def moved(text: str) -> str:
    return text.replace("greeting.txt", "grüße/greeting.txt")


async def test_a_folder_takes_its_files_with_it(client: PlanactClient) -> None:
    client.script()
    plan = PLAN.replace("greeting.txt", "src/a/greeting.txt")
    uri = client.write(PATH, plan)
    client.show(PATH)
    edit = await rename(client, "src", "lib")
    assert edit
    await client.make(types.ApplyWorkspaceEditParams(edit))
    assert client.texts[uri] == plan.replace("src/a/", "lib/a/")


@pytest.mark.parametrize(("old", "new"), [("else.txt", "other.txt"), ("greeting.txt", "../greeting.txt")])
async def test_what_no_plan_names_and_what_leaves_the_folder_changes_nothing(
    client: PlanactClient, old: str, new: str
) -> None:
    set_up(client)
    assert await rename(client, old, new) is None


async def test_a_plan_at_work_stays_as_it_was_approved(client: PlanactClient) -> None:
    uri = set_up(client, SLOW)
    client.show(PATH)
    running = asyncio.ensure_future(client.execute(uri=uri))
    await client.until_heard(messages.MESSAGE_DELTA)
    assert await rename(client, "greeting.txt", "new.txt") is None
    await client.do("stop")
    await running


async def test_before_an_approved_plan_changes_the_user_is_asked_where_the_client_can(tmp_path: Path) -> None:
    capabilities = full()
    assert capabilities.workspace
    assert capabilities.workspace.workspace_edit
    capabilities.workspace.workspace_edit.change_annotation_support = types.ChangeAnnotationsSupportOptions()
    async with planact_client(tmp_path, capabilities) as client:
        uri = set_up(client)
        client.write("other.plan", PLAN.replace("_k3v9", "_aaaa"))
        await client.approve(uri)
        edit = await rename(client, "greeting.txt", "new.txt")
        assert edit
        [name] = edit.change_annotations or {}
        assert (edit.change_annotations or {})[name].needs_confirmation is True
        marked = {
            Path(change.text_document.uri).name: {getattr(each, "annotation_id", None) for each in change.edits}
            for change in edit.document_changes or ()
            if isinstance(change, types.TextDocumentEdit)
        }
        assert marked == {"greet.plan": {name}, "other.plan": {None}}


async def test_an_approved_plan_that_followed_has_to_be_approved_again(client: PlanactClient) -> None:
    uri = set_up(client)
    client.show(PATH)
    await client.approve(uri)
    edit = await rename(client, "greeting.txt", "new.txt")
    assert edit
    await client.make(types.ApplyWorkspaceEditParams(edit))
    assert "Approve" in await client.titles(uri)
