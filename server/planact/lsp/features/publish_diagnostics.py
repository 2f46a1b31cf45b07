"""`textDocument/publishDiagnostics`: what is wrong with a plan, sent with each new version of it."""

import asyncio
from collections.abc import Sequence
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
MAX_SHOWN = 500
_PAGE = uri_of(Path(codes.__file__).with_name(codes.PAGE))
_LINES = codes.lines()
"""Editors open a file at a line, and know nothing of a heading's name."""


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""
    publishing: dict[str, asyncio.Task[None]] = {}

    def publish(document: Document) -> None:
        """Only the last version counts: what is still being found out about one before it nobody wants to know."""
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


def _gravest(problems: Sequence[Problem]) -> Sequence[Problem]:
    """As many as anybody looks at, in the order of the text. All of them, with every key, would keep client and server
    busy with nothing else.
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


def _diagnostic(server: PlanactServer, document: Document, problem: Problem) -> types.Diagnostic:
    message = f"{problem.message}. {problem.hint}" if problem.hint else problem.message
    link = types.CodeDescription(f"{_PAGE}#L{_LINES[problem.code]}") if server.client.diagnostic_links else None
    return types.Diagnostic(
        range=document.index.range(problem.span),
        message=message,
        severity=_SEVERITIES[problem.severity],
        code=problem.code,
        code_description=link,
        source="planact",
    )
