"""`textDocument/didSave`: a file is there that plans may name; a plan's JSON form and the index are written anew."""

import asyncio
import logging

from lsprotocol import types

from planact.base.errors import PlanactError
from planact.lsp.host import host_of
from planact.lsp.server import PlanactServer
from planact.policy.protected import PLAN_SUFFIX
from planact.workflows.library import derive

log = logging.getLogger(__name__)


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""
    order = asyncio.Lock()  # what is written last is of what was saved last

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def on_did_save(ls: PlanactServer, params: types.DidSaveTextDocumentParams) -> None:
        host_of(ls).judge_again()
        if not params.text_document.uri.endswith(PLAN_SUFFIX):
            return
        try:
            async with order:
                await derive(*await host_of(ls).find(params.text_document.uri))
        except PlanactError as error:
            log.warning("the JSON form was not written: %s", error)
