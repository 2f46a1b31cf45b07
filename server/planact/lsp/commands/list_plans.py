"""`planact.listPlans`: the plans of a folder, the newest first."""

import asyncio

from planact.lsp.arguments import OneFolder
from planact.lsp.host import host_of
from planact.lsp.results import PlanListed, Plans
from planact.lsp.server import PlanactServer
from planact.workflows.library import list_plans


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.listPlans")
    async def on_list_plans(ls: PlanactServer, arguments: OneFolder) -> Plans:
        ws = host_of(ls).workspace(arguments.folder)
        listed = await asyncio.to_thread(list_plans, ws)
        pinned = ws.ports.revisions.pinned()
        rows = (
            PlanListed(**row.model_dump(), uri=host_of(ls).uri(ws, row.path), is_pinned=row.path in pinned)
            for row in listed
        )
        return Plans(plans=tuple(rows))
