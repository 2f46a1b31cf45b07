"""`textDocument/publishDiagnostics`: what is wrong with a plan, sent with each new version of it."""

from lsprotocol import types

from planact.lsp.documents import Document
from planact.lsp.server import PlanactServer
from planact.plan.problem import Problem
from planact.plan.rules import lint
from planact.policy.protected import PLAN_SUFFIX
from planact.tools.registry import planned_tools

_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "hint": types.DiagnosticSeverity.Hint,
}


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""

    def publish(document: Document) -> None:
        if document.is_plan:
            found = [_diagnostic(document, problem) for problem in lint(document.plan, planned_tools())]
            server.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(document.uri, found, version=document.version)
            )

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def on_did_close(ls: PlanactServer, params: types.DidCloseTextDocumentParams) -> None:
        if params.text_document.uri.endswith(PLAN_SUFFIX):
            ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(params.text_document.uri, []))

    server.documents.listeners.append(publish)


def _diagnostic(document: Document, problem: Problem) -> types.Diagnostic:
    message = f"{problem.message}. {problem.hint}" if problem.hint else problem.message
    return types.Diagnostic(
        range=document.index.range(problem.span),
        message=message,
        severity=_SEVERITIES[problem.severity],
        code=problem.code,
        source="planact",
    )
