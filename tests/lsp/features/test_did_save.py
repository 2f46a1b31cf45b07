"""`textDocument/didSave`: what the user wrote is theirs once it is saved; its JSON form and index are renewed."""

import json

import pytest
from lsprotocol import types

from tests.lsp.commands.greetings import PLAN, PLAN_ID, set_up
from tests.lsp.commands.planact_client import PlanactClient
from tests.lsp.raw_client import until

pytestmark = pytest.mark.asyncio(loop_scope="session")

OWN = f".planact/plans/{PLAN_ID}-greet.plan"
FORM = f".planact/plans/{PLAN_ID}-greet.json"


LAST = ".planact/plans/last"


async def save(client: PlanactClient, uri: str) -> None:
    """Save a document, and another behind it: what is derived of them is written in that order."""
    (client.root / f"{LAST}.json").unlink(missing_ok=True)
    last = client.write(f"{LAST}.plan", PLAN)
    client.save_to_disk(uri)
    for saved in (uri, last):
        client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(saved)))
    await until((client.root / f"{LAST}.json").exists)


async def test_the_json_form_follows_the_text(client: PlanactClient) -> None:
    client.write(OWN, PLAN)
    uri = client.show(OWN)
    client.type(uri, PLAN.replace("politely", "👋 warmly"))
    await save(client, uri)
    assert json.loads(client.text(FORM))["goal"] == "Greet the 🌍 👋 warmly"
    goals = {row["path"]: row["goal"] for row in json.loads(client.text(".planact/plans/index.json"))["plans"]}
    assert goals[OWN] == "Greet the 🌍 👋 warmly"


async def test_what_is_not_complete_keeps_the_form_it_had(client: PlanactClient) -> None:
    client.write(OWN, PLAN)
    uri = client.show(OWN)
    await save(client, uri)
    form = json.loads(client.text(FORM))
    client.type(uri, "# only a 👋 goal\n")
    await save(client, uri)
    assert json.loads(client.text(FORM)) == form


async def test_plans_elsewhere_get_no_files_beside_them(client: PlanactClient) -> None:
    uri = set_up(client)
    client.show("greet.plan")
    await save(client, uri)
    names = sorted(path.name for path in client.root.iterdir())
    assert names == [".planact", "greet.plan", "greeting.txt", "model.yaml"]


async def origin(client: PlanactClient, uri: str) -> str:
    return str((await client.do("showPlan", uri=uri)).origin)


async def test_what_the_user_wrote_and_saved_is_theirs_until_something_else_changes_it(client: PlanactClient) -> None:
    uri = client.write(OWN, PLAN)
    client.show(OWN)
    client.type(uri, PLAN.replace("politely", "👋 warmly"))
    assert await origin(client, uri) == "foreign"
    await save(client, uri)
    assert await origin(client, uri) == "own"
    client.close(uri)
    client.write(OWN, PLAN.replace("politely", "rudely"))
    assert await origin(client, uri) == "changed"


async def test_a_command_knows_of_each_save_before_it(client: PlanactClient) -> None:
    uri = client.write(OWN, PLAN)
    client.show(OWN)
    client.type(uri, PLAN.replace("politely", "👋 warmly"))
    client.save_to_disk(uri)
    other = client.write(f"{LAST}.plan", PLAN)
    for saved in (*[other] * 20, uri):
        client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(saved)))
    assert await origin(client, uri) == "own"


async def test_a_plan_that_was_only_shown_and_saved_as_it_came_is_not_theirs(client: PlanactClient) -> None:
    uri = client.write(OWN, PLAN)
    client.show(OWN)
    await save(client, uri)
    assert await origin(client, uri) == "foreign"


async def test_what_a_rename_changed_in_a_plan_of_others_is_not_theirs_when_the_editor_saves_it(
    client: PlanactClient,
) -> None:
    uri = client.write(OWN, PLAN)
    client.show(OWN)
    old, new = (f"{client.root.as_uri()}/{name}" for name in ("greeting.txt", "salute.txt"))
    params = types.RenameFilesParams([types.FileRename(old, new)])
    assert await client.workspace_will_rename_files_async(params) is not None
    client.type(uri, PLAN.replace("greeting.txt", "salute.txt"))
    await save(client, uri)
    assert await origin(client, uri) == "foreign"


async def test_what_planact_wrote_into_a_plan_of_others_is_not_theirs_when_the_editor_saves_it(
    client: PlanactClient,
) -> None:
    uri = client.write(OWN, PLAN)
    client.show(OWN)
    client.write(OWN, PLAN.replace("politely", "rudely"))  # by a pull, which the editor shows
    client.type(uri, PLAN.replace("politely", "rudely"))
    await client.do("skipStep", uri=uri, step=1)
    await save(client, uri)
    assert await origin(client, uri) == "foreign"
