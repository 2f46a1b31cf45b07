"""With what real clients declare: the whole road works, each feature answers as they understand it, and the server asks
for nothing that they don't know.
"""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types

from planact.lsp.server import new_converter
from planact.lsp.wire.initialize_reply import PROVIDERS
from planact.model.plan import StepStatus
from planact.plan.syntax.parser import parse
from tests.lsp.commands.greetings import FAREWELL, FIRST, HELLO, PATH, PLAN, PLANNING, REVISING, SECOND, set_up
from tests.lsp.commands.planact_client import PlanactClient, planact_client
from tests.lsp.editor_client import LIMIT
from tests.lsp.raw_client import until
from tests.lsp.recorded_clients import READ, RECORDED, declared_by, says, undeclared

pytestmark = pytest.mark.asyncio(loop_scope="module")

FAULTY = PLAN.replace("tools: read_file", "tools: reed_file").replace("- [ ] 2.", "* [ ] 2.")


class RecordedClient(PlanactClient):
    """A client that can do what one of the recorded ones declared, and no more."""

    declared: types.ClientCapabilities

    @property
    def takes_edits(self) -> bool:
        return says(self.declared, "workspace.apply_edit")

    async def ask(self, asking: Any) -> Any:
        return await asyncio.wait_for(asking, LIMIT)

    async def choose(self, uri: str, title: str, line: int = 0) -> Any:
        """Click on a lens, or choose the code action where the client shows no lenses; then see what was written."""
        if says(self.declared, "text_document.code_lens"):
            found = [lens.command for lens in await self.lenses(uri) if lens.range.start.line == line]
        else:
            found = [action.command for action in await self.actions(uri, line)]
        [command] = [command for command in found if command and command.title == title]
        result = await self.click(command)
        if not self.takes_edits:
            self.type(uri, (self.root / Path(uri).name).read_text("utf-8"))
        return result

    async def save_when_asked(self, params: types.ShowMessageRequestParams) -> types.MessageActionItem:
        """What a user does whose editor has no way to save for the server."""
        assert params.message.startswith("Please save greeting.txt")
        self.save_to_disk(self.uri("greeting.txt"))
        return types.MessageActionItem("I saved")

    def at(self, text: str) -> types.Position:
        """Where a text of the plan ends."""
        shown = self.text(PATH)
        end = shown.index(text) + len(text)
        return self.position(f"{shown[:end]}‸{shown[end:]}")


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=(*RECORDED, *READ))
async def recorded(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[RecordedClient]:
    declared = declared_by(request.param)
    async with planact_client(tmp_path_factory.mktemp("first"), declared, make=RecordedClient) as client:
        client.declared = declared
        yield client


@pytest.fixture
def client(recorded: RecordedClient, tmp_path: Path) -> RecordedClient:
    recorded.open_folder(tmp_path)
    return recorded


def line_of(client: PlanactClient, text: str) -> int:
    return client.text(PATH)[: client.text(PATH).index(text)].count("\n")


async def test_a_plan_is_generated_revised_approved_and_carried_out(client: RecordedClient) -> None:
    set_up(client, REVISING, PLANNING, FIRST, SECOND, plan="greet them 👋\n")
    uri = client.show(PATH)
    source = client.show("greeting.txt")
    client.on_question = client.save_when_asked
    await client.choose(uri, "Generate plan")
    client.type(uri, client.text(PATH).replace("## Steps", "> be warm\n\n## Steps"))
    if not client.takes_edits:
        client.save_to_disk(uri)
    await client.choose(uri, "Revise (1 comment)", line_of(client, "# Greet"))
    assert parse(client.text(PATH)).goal == "Greet the 🌍 warmly"
    await client.choose(uri, "Approve", line_of(client, "# Greet"))
    await client.choose(uri, "Run step", line_of(client, "- [ ] 1."))
    run = await client.choose(uri, "Execute Plan", line_of(client, "# Greet"))
    assert run.status == "success"
    assert client.marks(PATH) == [StepStatus.DONE, StepStatus.DONE]
    greeting = client.texts[source] if client.takes_edits else (client.root / "greeting.txt").read_text("utf-8")
    assert (greeting, client.text("farewell.txt")) == (HELLO, FAREWELL)
    everything = types.Range(types.Position(0, 0), client.at("files: farewell.txt"))
    hints = types.InlayHintParams(types.TextDocumentIdentifier(uri), everything)
    assert len(await client.ask(client.text_document_inlay_hint_async(hints))) == 2
    assert undeclared(client.declared, client.received) == []


async def test_each_feature_answers_as_the_client_understands_it(client: RecordedClient) -> None:
    uri = set_up(client, plan=FAULTY)
    client.show(PATH)
    here = types.TextDocumentIdentifier(uri)
    await until(lambda: bool(client.diagnostics.get(uri)))
    [fault] = client.diagnostics[uri]
    links_codes = says(client.declared, "text_document.publish_diagnostics.code_description_support")
    assert (fault.code, fault.code_description is not None) == ("PLAN008", links_codes)
    assert client.shown_at(uri, fault.range) == "reed_file"

    hover = await client.ask(client.text_document_hover_async(types.HoverParams(here, client.at("update_f"))))
    assert hover.contents.kind.value == "markdown"
    completion = types.CompletionParams(here, client.at("reed_file, up"))
    items = (await client.ask(client.text_document_completion_async(completion))).items
    assert "update_file" in [item.label for item in items]
    assert {item.insert_text_format for item in items} == {None}
    symbols = await client.ask(client.text_document_document_symbol_async(types.DocumentSymbolParams(here)))
    is_nested = says(client.declared, "text_document.document_symbol.hierarchical_document_symbol_support")
    assert len(symbols) == (1 if is_nested else 4)
    folds = await client.ask(client.text_document_folding_range_async(types.FoldingRangeParams(here)))
    assert {(fold.start_character, fold.end_character) for fold in folds} == {(None, None)}
    [link, *_] = await client.ask(client.text_document_document_link_async(types.DocumentLinkParams(here)))
    assert (client.shown_at(uri, link.range), link.target) == ("greeting.txt", client.uri("greeting.txt"))
    definition = types.DefinitionParams(here, client.at("files: greet"))
    assert (await client.ask(client.text_document_definition_async(definition))).uri == client.uri("greeting.txt")
    tokens = await client.ask(client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(here)))
    assert tokens.data
    formatting = types.DocumentFormattingParams(here, types.FormattingOptions(2, insert_spaces=True))
    [edit, *_] = await client.ask(client.text_document_formatting_async(formatting))
    assert (client.shown_at(uri, edit.range), edit.new_text) == ("*", "-")
    actions = await client.actions(uri, line_of(client, "- [ ] 1."))
    assert {"Run step", "Skip", "Execute Plan"} <= {action.title for action in actions}

    rename = types.FileRename(client.uri("greeting.txt"), client.uri("hello.txt"))
    edit = await client.ask(client.workspace_will_rename_files_async(types.RenameFilesParams([rename])))
    client.change(uri, [each for change in edit.document_changes or () for each in change.edits] or edit.changes[uri])
    assert "greeting.txt" not in client.texts[uri]
    assert undeclared(client.declared, client.received) == []


async def test_each_feature_is_declared_once_and_the_encoding_is_one_of_the_clients(client: RecordedClient) -> None:
    await client.do("showStatus")
    answer = client.answer_to_initialize.capabilities
    registered = [each.method for each in client.registered if each.method in PROVIDERS]
    said = new_converter().unstructure(answer)
    declared = [method for method, (provider, _) in PROVIDERS.items() if said.get(provider)]
    assert sorted(registered + declared) == sorted(PROVIDERS)
    general = client.declared.general
    encodings = (general.position_encodings if general else None) or [types.PositionEncodingKind.Utf16]
    assert answer.position_encoding in encodings
