"""`planact.showStatus`: where things stand."""

import asyncio

from planact import __version__
from planact.lsp.arguments import OneFolder
from planact.lsp.convert import uri_of
from planact.lsp.host import Host, host_of
from planact.lsp.server import PlanactServer
from planact.lsp.standing import HalfRolledBack, OpenFolder, Status
from planact.model.permission import Mode
from planact.workflows.choose_model import chosen_model, model_name, what_is_missing
from planact.workflows.half_rolled_back import half_rolled_back, said_of
from planact.workflows.offer_mcp import servers_in_use
from planact.workflows.trust_folder import is_trusted


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.showStatus")
    async def on_show_status(ls: PlanactServer, arguments: OneFolder) -> Status:
        return await asyncio.to_thread(_status, host_of(ls), arguments.folder)


def _status(host: Host, folder: str) -> Status:
    names = dict(host.folders.names)
    if not names:
        return Status(version=__version__, mode=Mode.PLAN, is_restricted=host.app.is_restricted)
    ws = host.workspace(folder)
    session = host.sessions.in_hand(ws)
    model = model_name(ws, session.id) if session else chosen_model(ws, Mode.PLAN)
    return Status(
        version=__version__,
        folder=uri_of(host.folder(ws)),
        session=session,
        mode=session.mode if session else Mode(ws.settings.start_mode),
        model=model,
        context_window=ws.ports.models.about(model).context_tokens if model else 0,
        is_running=session is not None and session.id in ws.running,
        open_questions=sum(len(each.desk.open()) for each in host.workspaces()),
        is_trusted=is_trusted(ws),
        fingerprint=ws.ports.records.fingerprint(),
        folders=tuple(OpenFolder(uri=uri_of(root), name=name, path=str(root)) for root, name in names.items()),
        sandbox=ws.ports.runner.describe(),
        mcp_servers=servers_in_use(ws),
        missing=what_is_missing(ws, model),
        is_restricted=ws.is_restricted(),
        half_rolled_back=tuple(HalfRolledBack(execution_id=run.id, text=said_of(run)) for run in half_rolled_back(ws)),
    )
