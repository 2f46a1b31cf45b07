"""`textDocument/codeAction`: the lenses again, for editors without them."""

from lsprotocol import types

from planact.lsp.host import host_of
from planact.lsp.offers import command_of
from planact.lsp.server import PlanactServer
from planact.plan.ide.actions import actions
from planact.plan.parser import parse
from planact.policy.protected import PLAN_SUFFIX

KIND = "source.planact"


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=[KIND]))
    async def on_code_action(ls: PlanactServer, params: types.CodeActionParams) -> list[types.CodeAction]:
        document = ls.documents.get(params.text_document.uri)
        wanted = params.context.only
        if document is None or not document.uri.endswith(PLAN_SUFFIX):
            return []
        if wanted is not None and not any(kind == KIND or KIND.startswith(f"{kind}.") for kind in wanted):
            return []
        tree = parse(document.text)
        selection = document.index.span(params.range)
        found = actions(tree, host_of(ls).plan_state(document, tree), selection)
        return [types.CodeAction(action.title, kind=KIND, command=command_of(action, document)) for action in found]
