"""Shows a plan that waits as a revision, since its document was typed in meanwhile, as what it would change there."""

from planact.lsp.server import PlanactServer
from planact.lsp.show_text import show_text
from planact.workflows.library import read_document
from planact.workflows.revisions import compare
from planact.workflows.take_turn import TurnTaken
from planact.workflows.workspace import Workspace


async def show_offer(server: PlanactServer, ws: Workspace, path: str, taken: TurnTaken) -> None:
    """Nothing where the turn offered nothing. Who types goes on typing where they are."""
    if taken.offer:
        newest = max(revision.number for revision in ws.ports.revisions.list(path))
        found = compare(ws, read_document(ws, path), other=newest)
        await show_text(server, f"revision-{newest}.diff", found.diff, takes_focus=False)
