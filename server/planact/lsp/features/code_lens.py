"""`textDocument/codeLens`: what can be done with a plan, above its goal and its steps."""

from lsprotocol import types

from planact.lsp.host import host_of
from planact.lsp.offers import command_of
from planact.lsp.server import PlanactServer
from planact.plan.ide.lenses import lenses


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions(resolve_provider=False))
    async def on_code_lens(ls: PlanactServer, params: types.CodeLensParams) -> list[types.CodeLens]:
        document = ls.documents.get(params.text_document.uri)
        if document is None or not document.is_plan:
            return []
        tree = document.plan
        found = lenses(tree, host_of(ls).plan_state(document, tree))
        return [types.CodeLens(document.index.range(lens.span), command_of(lens, document)) for lens in found]
