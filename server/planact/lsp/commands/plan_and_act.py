"""`planact.planAndAct`: plan, show, and execute what is safe or what the user agrees to."""

from planact.lsp.arguments import PlanAndAct
from planact.lsp.host import host_of
from planact.lsp.results import PlannedAndActed
from planact.lsp.server import PlanactServer
from planact.workflows.plan_and_act import plan_and_act
from planact.workflows.workspace import Stopped


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.planAndAct")
    async def on_plan_and_act(ls: PlanactServer, arguments: PlanAndAct) -> PlannedAndActed:
        ws = host_of(ls).workspace(arguments.folder)
        session = host_of(ls).sessions.planning(ws, arguments.session_id)
        try:
            async with host_of(ls).progress(ws, session.id, "Planact: plan and act"):
                is_scrutinized = arguments.is_scrutinized
                ended = await plan_and_act(ws, session.id, arguments.request, is_scrutinized=is_scrutinized)
        except Stopped:
            made = host_of(ls).plan_made(ws, session.id, host_of(ls).plan_since(ws, session))
            return PlannedAndActed(**made.model_dump())
        made = host_of(ls).plan_made(ws, session.id, ended.document)
        return PlannedAndActed(**made.model_dump(), execution=ended.execution)
