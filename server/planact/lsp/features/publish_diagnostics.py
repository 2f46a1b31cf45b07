"""`textDocument/publishDiagnostics`: what is wrong with a plan, sent with each new version of it."""

from pathlib import Path

from lsprotocol import types

from planact.lsp.convert import uri_of
from planact.lsp.documents import Document
from planact.lsp.host import host_of
from planact.lsp.server import PlanactServer
from planact.plan import codes
from planact.plan.problem import Problem
from planact.policy.protected import PLAN_SUFFIX

_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "hint": types.DiagnosticSeverity.Hint,
}
_PAGE = uri_of(Path(codes.__file__).with_name(codes.PAGE))


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""

    def publish(document: Document) -> None:
        if document.is_plan:
            found = [_diagnostic(server, document, problem) for problem in host_of(server).problems.of(document)]
            server.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(document.uri, found, version=document.version)
            )

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def on_did_close(ls: PlanactServer, params: types.DidCloseTextDocumentParams) -> None:
        host_of(ls).freshness.closed(params.text_document.uri)
        if params.text_document.uri.endswith(PLAN_SUFFIX):
            host_of(ls).problems.forget(params.text_document.uri)
            ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(params.text_document.uri, []))

    server.documents.listeners.append(publish)


def _diagnostic(server: PlanactServer, document: Document, problem: Problem) -> types.Diagnostic:
    message = f"{problem.message}. {problem.hint}" if problem.hint else problem.message
    link = types.CodeDescription(f"{_PAGE}#{problem.code.lower()}") if server.client.diagnostic_links else None
    return types.Diagnostic(
        range=document.index.range(problem.span),
        message=message,
        severity=_SEVERITIES[problem.severity],
        code=problem.code,
        code_description=link,
        source="planact",
    )
