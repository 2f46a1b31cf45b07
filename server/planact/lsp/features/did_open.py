"""`textDocument/didOpen`: what was asked in a plan and has ended meanwhile is taken out of it."""

import logging

from lsprotocol import types

from planact.base.errors import PlanactError
from planact.lsp.host import host_of
from planact.lsp.server import PlanactServer
from planact.workflows.question_in_plan import take_out_ended

log = logging.getLogger(__name__)


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def on_did_open(ls: PlanactServer, params: types.DidOpenTextDocumentParams) -> None:
        document = ls.documents.plan(params.text_document.uri)
        if document is None or not document.plan.questions:
            return
        try:
            await take_out_ended(*await host_of(ls).find(document.uri))
        except PlanactError as error:
            log.info("the questions in %s stay: %s", document.uri, error)
