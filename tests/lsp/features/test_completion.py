"""`textDocument/completion`: what can stand at the cursor in a plan."""

import asyncio

import pytest
from lsprotocol import types

from tests.lsp.commands.greetings import PATH, PLAN, set_up
from tests.lsp.commands.planact_client import PlanactClient
from tests.lsp.editor_client import LIMIT

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def completed(client: PlanactClient, marked: str, label: str) -> str:
    """The text after the item with that label was taken, and everything before it that the client filters by."""
    uri = client.show(PATH, marked.replace("‸", ""))
    params = types.CompletionParams(types.TextDocumentIdentifier(uri), client.position(marked))
    found = await asyncio.wait_for(client.text_document_completion_async(params), LIMIT)
    assert isinstance(found, types.CompletionList)
    item = next(item for item in found.items if item.label == label)
    assert isinstance(item.text_edit, types.TextEdit)
    typed = client.shown_at(uri, types.Range(item.text_edit.range.start, params.position))
    assert (item.filter_text or "").startswith(typed)
    client.change(uri, [item.text_edit])
    return client.texts[uri]


@pytest.mark.parametrize(
    ("old", "new", "label", "expected"),
    [
        ("  - tools: create_file", "  - tools: 😀, cre‸", "create_file", "  - tools: 😀, create_file"),
        ("- [ ] 2. 👋", "- [‸] 2. 👋", "[-]", "- [-] 2. 👋"),
        ("files: farewell.txt", "files: 👋/😀‸", "😀 x.txt", "files: 👋/😀 x.txt"),
        ("files: farewell.txt", "files: gre‸", "greeting.txt", "files: greeting.txt"),
        ("files: farewell.txt", "files: ‸", "👋/", "files: 👋/"),
        ("`grep -q hello greeting.txt`", "`make ‸`", "make 🌍", "`make 🌍`"),
        ("status: draft", "status: ‸", "approved", "status: approved"),
        ("## Steps", "# 🌍\n#‸\n## Steps", "## Risks", "# 🌍\n## Risks\n## Steps"),
    ],
)
async def test_what_is_chosen_stands_where_it_was_begun(
    client: PlanactClient, old: str, new: str, label: str, expected: str
) -> None:
    set_up(client)
    client.write("👋/😀 x.txt", "")
    client.configure(commands={"allow": ["make 🌍"]})
    await client.do("showStatus")
    assert await completed(client, PLAN.replace(old, new), label) == PLAN.replace(old, expected)


async def test_checks_may_be_what_the_project_itself_names_as_it_is_now(client: PlanactClient) -> None:
    set_up(client)
    for name, said in (("all", "all: lint"), ("lint", "lint:\n\techo 🌍\nall: lint")):
        client.write("Makefile", said)
        marked = PLAN.replace("`grep -q hello greeting.txt`", "‸")
        assert f"check: `make {name}`" in await completed(client, marked, f"make {name}")


async def test_the_insides_of_git_and_planact_are_not_offered(client: PlanactClient) -> None:
    set_up(client)
    for path in (".git/config", ".planact/plans/x.json", ".github/x.yml"):
        client.write(path, "")
    marked = PLAN.replace("files: farewell.txt", "files: .‸")
    uri = client.show(PATH, marked.replace("‸", ""))
    params = types.CompletionParams(types.TextDocumentIdentifier(uri), client.position(marked))
    found = await asyncio.wait_for(client.text_document_completion_async(params), LIMIT)
    assert isinstance(found, types.CompletionList)
    assert [item.label for item in found.items if item.label.startswith(".")] == [".github/"]


async def test_other_documents_have_none(client: PlanactClient) -> None:
    uri = client.show("a.md", PLAN)
    params = types.CompletionParams(types.TextDocumentIdentifier(uri), types.Position(2, 0))
    assert await asyncio.wait_for(client.text_document_completion_async(params), LIMIT) is None
