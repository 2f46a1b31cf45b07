"""`textDocument/codeAction`: the lenses again, for editors without them."""

from lsprotocol import types
from pygls.capabilities import get_capability

from planact.lsp.host import host_of
from planact.lsp.offers import command_of
from planact.lsp.server import PlanactServer
from planact.plan.ide.actions import actions

KIND = "source.planact"


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=[KIND]))
    async def on_code_action(
        ls: PlanactServer, params: types.CodeActionParams
    ) -> list[types.CodeAction] | list[types.Command]:
        document = ls.documents.get(params.text_document.uri)
        wanted = params.context.only
        if document is None or not document.is_plan:
            return []
        if wanted is not None and not any(kind == KIND or KIND.startswith(f"{kind}.") for kind in wanted):
            return []
        tree = document.plan
        selection = document.index.span(params.range)
        found = actions(tree, host_of(ls).plan_state(document, tree), selection)
        commands = [command_of(action, document) for action in found]
        if get_capability(ls.client_capabilities, "text_document.code_action.code_action_literal_support") is None:
            return commands
        return [types.CodeAction(command.title, kind=KIND, command=command) for command in commands]
