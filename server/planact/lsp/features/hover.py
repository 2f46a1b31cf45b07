"""`textDocument/hover`: facts about the step, file, tool or command under the cursor in a plan."""

import asyncio
from collections.abc import Sequence

from lsprotocol import types

from planact.base.errors import PlanactError
from planact.lsp.documents.open_documents import Document
from planact.lsp.host.workspace_host import host_of
from planact.lsp.server import PlanactServer
from planact.plan.ide.hover import Facts, hover, plain
from planact.plan.impact import NameUses
from planact.plan.references import File, Name, StepHead, Subject, subject_at
from planact.plan.syntax.lower import lower
from planact.tools.registry import planned_tools
from planact.workflows.history.explain_plan import command_fact, file_fact, last_records
from planact.workflows.plans.impact import find_impact
from planact.workflows.workspace import Workspace


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def on_hover(ls: PlanactServer, params: types.HoverParams) -> types.Hover | None:
        document = ls.documents.plan(params.text_document.uri)
        if document is None:
            return None
        offset = document.index.offset(params.position)
        subject = subject_at(document.plan, offset)
        facts = await _facts(ls, document, subject)
        problems = await host_of(ls).problems.of(document)
        found = hover(document.plan, offset, subject, facts, problems)
        if found is None:
            return None
        has_markdown = ls.client.hover_markdown
        kind = types.MarkupKind.Markdown if has_markdown else types.MarkupKind.PlainText
        text = found.text if has_markdown else plain(found.text)
        return types.Hover(types.MarkupContent(kind, text), document.index.range(found.span))


async def _facts(ls: PlanactServer, document: Document, subject: Subject | None) -> Facts:
    """Look up the facts about a subject; none for a document that is in no workspace folder."""
    if isinstance(subject, Name) and subject.kind == "tool":
        return Facts(tool=planned_tools().get(subject.name))
    try:
        ws, path = await host_of(ls).workspaces.locate(document.uri)
    except PlanactError:
        return Facts()
    match subject:
        case StepHead(step=step):
            records = await asyncio.to_thread(last_records, ws, path, document.plan)
            return Facts(record=records.get(step.step_number), impact=await _impact(ws, document, step.step_number))
        case File(reference=reference):
            return Facts(file=await asyncio.to_thread(file_fact, ws, document.plan, reference.path))
        case Name(kind="command", name=command):
            return Facts(command=await command_fact(ws, command))
        case _:
            return Facts()


async def _impact(ws: Workspace, document: Document, number: int) -> Sequence[NameUses]:
    plan = lower(document.plan)
    if plan is None:
        return ()
    return await find_impact(ws, plan, [step for step in plan.steps if step.step_number == number])
