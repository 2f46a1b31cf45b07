"""Show documents, texts and revisions: by `window/showDocument` where the client can, else as messages."""

import asyncio
from pathlib import PurePosixPath
from urllib.parse import unquote

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from planact.lsp.documents.convert import revision_uri, uri_of
from planact.lsp.host.workspace_host import host_of
from planact.lsp.server import PlanactServer
from planact.workflows.plans.library import read_document
from planact.workflows.plans.revisions import compare_revisions
from planact.workflows.runs.make_plan import NO_PLAN, result_of_planning
from planact.workflows.turns.take_turn import TurnTaken
from planact.workflows.workspace import Workspace

_LIMIT = 10.0


async def show_document(
    server: PlanactServer, uri: str, place: types.Range | None = None, *, takes_focus: bool = True
) -> bool:
    """Open a document, with the cursor at `place`; return false where the client doesn't, or not within `_LIMIT` s."""
    if not server.client.show_document:
        return False
    params = types.ShowDocumentParams(uri, take_focus=takes_focus, selection=place)
    try:
        return bool(
            (await asyncio.wait_for(server.protocol.request(types.WINDOW_SHOW_DOCUMENT, params), _LIMIT)).success
        )
    except (TimeoutError, JsonRpcException):
        return False


_LONGEST_MESSAGE = 2_000


async def show_text(server: PlanactServer, name: str, text: str, *, takes_focus: bool = True) -> None:
    """Show a read-only text; `name` is the document's name."""
    if server.client.show_document:
        path = host_of(server).app.shown_texts.write(name, text)
        if await show_document(server, uri_of(path), takes_focus=takes_focus):
            return
    short = text if len(text) <= _LONGEST_MESSAGE else f"{text[:_LONGEST_MESSAGE]}\n…"
    server.window_show_message(types.ShowMessageParams(types.MessageType.Info, short))


async def show_waiting_revision(server: PlanactServer, ws: Workspace, path: str, taken: TurnTaken) -> None:
    """Show a plan that waits as a revision, since the user typed in its document meanwhile, as a diff. Does not take
    the focus.
    """
    if taken.offer:
        newest = max(revision.number for revision in ws.ports.revisions.list(path))
        found = compare_revisions(ws, read_document(ws, path), other=newest)
        await show_text(server, f"revision-{newest}.diff", found.diff, takes_focus=False)


def show_reason_if_no_plan(server: PlanactServer, taken: TurnTaken) -> None:
    """Show that a turn that was to make a plan made none, with the agent's text or why the turn ended."""
    if taken.written is None:
        result = result_of_planning(taken)
        said = [result.reason, result.text] if result.kind == "nothing_done" else [result.text or result.reason]
        text = taken.offer or "\n\n".join(part for part in said if part) or NO_PLAN
        server.window_show_message(types.ShowMessageParams(types.MessageType.Info, text))


def uri_of_revision(server: PlanactServer, plan_uri: str, number: int, text: str) -> str:
    """Return the URI of revision `number`, with this text, of the plan at `plan_uri`; a file is written once."""
    if server.client.virtual_documents:
        return revision_uri(plan_uri, number)
    files = server.revision_files
    known = files.get((plan_uri, number))
    if known is None or not known.exists():
        # Not `*.plan`: a revision can't be approved or executed.
        name = f"{PurePosixPath(unquote(plan_uri)).stem[:60]}.revision-{number}.md"
        known = files[plan_uri, number] = host_of(server).app.shown_texts.write(name, text)
    return uri_of(known)
