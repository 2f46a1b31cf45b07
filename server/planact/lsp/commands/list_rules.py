"""`planact.listRules`: what the user always allows in a folder."""

from planact.lsp.arguments import OneFolder
from planact.lsp.host import host_of
from planact.lsp.results import RuleListed, Rules
from planact.lsp.server import PlanactServer


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.listRules")
    async def on_list_rules(ls: PlanactServer, arguments: OneFolder) -> Rules:
        kept = host_of(ls).workspace(arguments.folder).ports.rules.list()
        return Rules(rules=tuple(map(RuleListed.of, kept)))
