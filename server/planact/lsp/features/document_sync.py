"""`textDocument/didOpen` and `didSave`: questions that ended leave an opened plan, and so does the word that it runs,
where its run broke off; a saved plan is recorded.
"""

import asyncio
import logging

from lsprotocol import types

from planact.base.errors import PlanactError
from planact.lsp.host.workspace_host import host_of
from planact.lsp.server import PlanactServer
from planact.policy.protected import PLAN_SUFFIX
from planact.workflows.plans.library import keep_own, refresh_derived_at
from planact.workflows.plans.question_in_plan import remove_resolved_questions
from planact.workflows.runs.plan_marks import mark_broken_off, says_it_runs

log = logging.getLogger(__name__)


def register(server: PlanactServer) -> None:
    """Register both handlers."""

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def on_did_open(ls: PlanactServer, params: types.DidOpenTextDocumentParams) -> None:
        document = ls.documents.plan(params.text_document.uri)
        if document is None:
            return
        try:
            if document.plan.questions:
                await remove_resolved_questions(*await host_of(ls).workspaces.locate(document.uri))
            if says_it_runs(document.plan):
                await mark_broken_off(*await host_of(ls).workspaces.locate(document.uri))
        except PlanactError as error:
            log.info("%s stays as it is: %s", document.uri, error)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def on_did_save(ls: PlanactServer, params: types.DidSaveTextDocumentParams) -> None:
        """Find problems anew, since plans may name the file. A plan that the user edited becomes their own, and its
        JSON form and the index are written anew.
        """
        ls.documents.note_saved(params.text_document.uri)
        host_of(ls).refresh_problems()
        if not params.text_document.uri.endswith(PLAN_SUFFIX):
            return
        document = ls.documents.plan(params.text_document.uri)
        try:
            async with host_of(ls).workspaces.plan_order:  # the last save is recorded last
                ws, path = await host_of(ls).workspaces.locate(params.text_document.uri)
                if document is not None and ls.documents.is_typed(document):
                    await asyncio.to_thread(keep_own, ws, path, document.text)
                await refresh_derived_at(ws, path)
        except PlanactError as error:
            log.warning("a plan that was saved was not taken down: %s", error)
