"""`textDocument/codeLens`: in plans, actions at the goal and the steps; in other files, the steps that touch them."""

import asyncio

from lsprotocol import types

from planact.base.errors import PlanactError
from planact.lsp.documents.open_documents import Document
from planact.lsp.documents.plan_actions import command_of
from planact.lsp.host.workspace_host import host_of
from planact.lsp.server import PlanactServer
from planact.plan.ide.source_file import steps_in, title_of
from planact.plan.plan_actions import plan_actions


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions(resolve_provider=False))
    async def on_code_lens(ls: PlanactServer, params: types.CodeLensParams) -> list[types.CodeLens]:
        document = ls.documents.get(params.text_document.uri)
        if document is None:
            return []
        if not document.is_plan:
            return await _steps(ls, document)
        tree = document.plan
        found = plan_actions(tree, await host_of(ls).plan_state(document, tree))
        return [types.CodeLens(document.index.range(lens.span), command_of(lens, document)) for lens in found]


async def _steps(ls: PlanactServer, document: Document) -> list[types.CodeLens]:
    """Return lenses that open the plan at the step, in clients that open documents on request."""
    host = host_of(ls)
    try:
        ws, path = await host.workspaces.locate(document.uri)
        plans = await asyncio.to_thread(host.approved_plans.of, ws)
    except PlanactError:
        return []
    shown: list[types.CodeLens] = []
    for plan_path, tree in plans:
        for found in steps_in(tree, path):
            arguments = {"uri": host.workspaces.uri(ws, plan_path), "step": found.step.step_number}
            name = "planact.showPlan" if ls.client.show_document else ""
            command = types.Command(title_of(tree, found), name, arguments=[arguments] if name else None)
            shown.append(types.CodeLens(document.index.range(document.index.line_span(found.line)), command))
    return shown
