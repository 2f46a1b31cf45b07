"""`textDocument/publishDiagnostics`: the problems of a plan, sent with each new version."""

import asyncio
from collections.abc import Sequence

from lsprotocol import types

from planact.lsp.documents.convert import uri_of
from planact.lsp.documents.open_documents import Document
from planact.lsp.host.workspace_host import host_of
from planact.lsp.server import PlanactServer
from planact.plan.codes import CODES, PAGE
from planact.plan.syntax.tree import PlanProblem
from planact.policy.protected import PLAN_SUFFIX

_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "hint": types.DiagnosticSeverity.Hint,
}
MAX_SHOWN = 500
_PAGE = uri_of(PAGE)


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""
    publishing: dict[str, asyncio.Task[None]] = {}

    def publish(document: Document) -> None:
        """Start on the document's version, and cancel the search for problems of an earlier one."""
        if document.is_plan:
            stop(document.uri)
            publishing[document.uri] = asyncio.ensure_future(_publish(server, document))

    def stop(uri: str) -> None:
        if (task := publishing.pop(uri, None)) is not None:
            task.cancel()

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def on_did_close(ls: PlanactServer, params: types.DidCloseTextDocumentParams) -> None:
        host_of(ls).freshness.closed(params.text_document.uri)
        if params.text_document.uri.endswith(PLAN_SUFFIX):
            stop(params.text_document.uri)
            host_of(ls).problems.forget(params.text_document.uri)
            ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(params.text_document.uri, []))

    server.documents.listeners.append(publish)


async def _publish(server: PlanactServer, document: Document) -> None:
    problems = await host_of(server).problems.of(document)
    found = [_diagnostic(server, document, problem) for problem in _gravest(problems)]
    if len(found) < len(problems):
        found.append(_more(len(found), len(problems)))
    server.text_document_publish_diagnostics(
        types.PublishDiagnosticsParams(document.uri, found, version=document.version)
    )


def _gravest(problems: Sequence[PlanProblem]) -> Sequence[PlanProblem]:
    """Return at most `MAX_SHOWN` problems, in the order of the text: sending more with every key would block client and
    server.
    """
    if len(problems) <= MAX_SHOWN:
        return problems
    order = list(_SEVERITIES)
    chosen = sorted(range(len(problems)), key=lambda at: (order.index(problems[at].severity), at))[:MAX_SHOWN]
    return [problems[at] for at in sorted(chosen)]


def _more(shown: int, count: int) -> types.Diagnostic:
    start = types.Position(0, 0)
    message = f"{shown} of {count} problems are shown. `planact plan lint` tells all."
    return types.Diagnostic(types.Range(start, start), message, types.DiagnosticSeverity.Information, source="planact")


def _diagnostic(server: PlanactServer, document: Document, problem: PlanProblem) -> types.Diagnostic:
    message = f"{problem.message}. {problem.hint}" if problem.hint else problem.message
    code = CODES.get(problem.code) if server.client.diagnostic_links else None
    return types.Diagnostic(
        range=document.index.range(problem.span),
        message=message,
        severity=_SEVERITIES[problem.severity],
        code=problem.code,
        # Editors open a file at a line, and not at a heading.
        code_description=types.CodeDescription(f"{_PAGE}#L{code.line}") if code else None,
        source="planact",
    )
