"""`textDocument/completion` in plans."""

import asyncio
from collections.abc import Sequence

from lsprotocol import types

from planact.base.errors import InvalidInput, PlanactError
from planact.lsp.documents.open_documents import Document
from planact.lsp.host.workspace_host import host_of
from planact.lsp.project_commands import ProjectCommands
from planact.lsp.server import PlanactServer
from planact.plan.ide.completion import Choices, Completion, completions
from planact.tools.registry import planned_tools
from planact.workflows.workspace import Workspace

_TRIGGERS = ["[", "#", ":", ",", "/", "`", "{"]
_MOST = 500
_KINDS = {
    "key": types.CompletionItemKind.Property,
    "value": types.CompletionItemKind.EnumMember,
    "section": types.CompletionItemKind.Module,
    "step": types.CompletionItemKind.Method,
    "mark": types.CompletionItemKind.EnumMember,
    "tool": types.CompletionItemKind.Function,
    "file": types.CompletionItemKind.File,
    "folder": types.CompletionItemKind.Folder,
    "command": types.CompletionItemKind.Event,
    "parameter": types.CompletionItemKind.Variable,
}


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""
    projects = ProjectCommands()

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=_TRIGGERS))
    async def on_completion(ls: PlanactServer, params: types.CompletionParams) -> types.CompletionList | None:
        document = ls.documents.plan(params.text_document.uri)
        if document is None:
            return None
        offset = document.index.offset(params.position)
        found = await _completions(ls, document, offset, projects)
        items = [_item(document, number, completion) for number, completion in enumerate(found[:_MOST])]
        return types.CompletionList(is_incomplete=len(found) > _MOST, items=items)


async def _completions(
    ls: PlanactServer, document: Document, offset: int, projects: ProjectCommands
) -> Sequence[Completion]:
    """Compute beside the event loop, since the disk with the file names may be slow."""
    try:
        ws, _ = await host_of(ls).workspaces.locate(document.uri)
    except PlanactError:
        return completions(document.plan, offset, Choices(planned_tools(), lambda _: ()))

    def compute() -> Sequence[Completion]:
        commands = (*ws.settings.commands.allow, *projects.of(ws))
        choices = Choices(planned_tools(), lambda folder: _names_in(ws, folder), commands)
        return completions(document.plan, offset, choices)

    return await asyncio.to_thread(compute)


def _names_in(ws: Workspace, folder: str) -> list[str]:
    place = ws.ports.files.resolve(folder or ".")
    if place.relative is None or not place.is_directory:
        return []
    try:
        return [name for name in ws.ports.files.list(place) if name not in (".git/", ".planact/")]
    except InvalidInput:
        return []


def _item(document: Document, number: int, completion: Completion) -> types.CompletionItem:
    return types.CompletionItem(
        label=completion.label,
        kind=_KINDS[completion.kind],
        detail=completion.detail or None,
        documentation=completion.documentation or None,
        sort_text=f"{number:04}",
        filter_text=completion.new_text.rstrip(),
        text_edit=types.TextEdit(document.index.range(completion.span), completion.new_text),
    )
