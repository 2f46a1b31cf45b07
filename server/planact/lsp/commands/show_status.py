"""`planact.showStatus`: where things stand."""

from planact import __version__
from planact.lsp.arguments import OneFolder
from planact.lsp.convert import uri_of
from planact.lsp.host import host_of
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
        names = host_of(ls).folders.names
        if not names:
            return Status(version=__version__, mode=Mode.PLAN, is_restricted=host_of(ls).app.is_restricted)
        ws = host_of(ls).workspace(arguments.folder)
        session = host_of(ls).sessions.in_hand(ws)
        model = model_name(ws, session.id) if session else chosen_model(ws, Mode.PLAN)
        return Status(
            version=__version__,
            folder=uri_of(host_of(ls).folder(ws)),
            session=session,
            mode=session.mode if session else Mode(ws.settings.start_mode),
            model=model,
            context_window=ws.ports.models.about(model).context_tokens if model else 0,
            is_running=session is not None and session.id in ws.running,
            open_questions=sum(len(each.desk.open()) for each in host_of(ls).workspaces()),
            is_trusted=is_trusted(ws),
            fingerprint=ws.ports.records.fingerprint(),
            folders=tuple(OpenFolder(uri=uri_of(root), name=name, path=str(root)) for root, name in names.items()),
            sandbox=ws.ports.runner.describe(),
            mcp_servers=servers_in_use(ws),
            missing=what_is_missing(ws, model),
            is_restricted=ws.is_restricted(),
            half_rolled_back=tuple(
                HalfRolledBack(execution_id=run.id, text=said_of(run)) for run in half_rolled_back(ws)
            ),
        )
