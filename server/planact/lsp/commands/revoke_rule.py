"""`planact.revokeRule`: what was always allowed is asked about again, from the next call on."""

from planact.lsp.arguments import OneRule
from planact.lsp.host import host_of
from planact.lsp.results import RuleListed
from planact.lsp.server import PlanactServer


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.revokeRule")
    async def on_revoke_rule(ls: PlanactServer, arguments: OneRule) -> RuleListed:
        host, rule_id = host_of(ls), arguments.rule_id
        holders = (ws for ws in host.workspaces() if any(rule.id == rule_id for rule in ws.ports.rules.list()))
        ws = next(holders, None) or host.workspace()
        return RuleListed.of(ws.ports.rules.revoke(rule_id))
