"""`planact/transcript`: a page of a session's messages."""

from planact.lsp.host.workspace_host import host_of
from planact.lsp.protocol import messages
from planact.lsp.server import PlanactServer


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""

    @server.feature(messages.TRANSCRIPT)
    async def on_transcript(ls: PlanactServer, page: messages.TranscriptPage) -> messages.Transcript:
        ws, session = host_of(ls).sessions.find(page)
        messages_shown = (message for message in ws.ports.sessions.messages(session.id) if message.is_shown)
        # An answer has the id from when it began, so it stands before what was written meanwhile.
        found = sorted(messages_shown, key=lambda message: message.id)
        if page.before:
            ids = [message.id for message in found]
            found = found[: ids.index(page.before)] if page.before in ids else found
        shown = tuple(found[-page.limit :])
        return messages.Transcript(session_id=session.id, messages=shown, has_earlier=len(shown) < len(found))
