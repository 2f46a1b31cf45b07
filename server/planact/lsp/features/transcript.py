"""`planact/transcript`: a page of a session's messages."""

from planact.lsp import protocol
from planact.lsp.host import host_of
from planact.lsp.server import PlanactServer


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""

    @server.feature(protocol.TRANSCRIPT)
    async def on_transcript(ls: PlanactServer, page: protocol.TranscriptPage) -> protocol.Transcript:
        ws, session = host_of(ls).sessions.find(page)
        messages = list(ws.ports.sessions.messages(session.id))
        if page.before:
            ids = [message.id for message in messages]
            messages = messages[: ids.index(page.before)] if page.before in ids else messages
        shown = tuple(messages[-page.limit :])
        return protocol.Transcript(session_id=session.id, messages=shown, has_earlier=len(shown) < len(messages))
