"""Commands on the rules that always allow a call."""

from planact.base.frozen_model import FrozenModel
from planact.lsp.host.workspace_host import host_of
from planact.lsp.protocol.arguments import Arguments, OneFolder
from planact.lsp.server import PlanactServer
from planact.model.rights.rule import Rule


class OneRule(Arguments):
    """A rule by its id, in any folder."""

    rule_id: str


class RuleListed(Rule):
    """A rule by which calls in a folder are always allowed; `text` says it for people."""

    text: str

    @classmethod
    def of(cls, rule: Rule) -> "RuleListed":
        """Return the row for a rule."""
        return cls(id=rule.id, created_at=rule.created_at, allows=rule.allows, text=str(rule.allows))


class RuleList(FrozenModel):
    """The oldest first."""

    rules: tuple[RuleListed, ...]


async def handle_list_rules(ls: PlanactServer, arguments: OneFolder) -> RuleList:
    """List the rules of a folder."""
    kept = host_of(ls).workspaces.get(arguments.folder).ports.rules.list()
    return RuleList(rules=tuple(map(RuleListed.of, kept)))


async def handle_revoke_rule(ls: PlanactServer, arguments: OneRule) -> RuleListed:
    """Delete a rule: its calls are asked about again, from the next one on."""
    host, rule_id = host_of(ls), arguments.rule_id
    holders = (ws for ws in host.workspaces.all() if any(rule.id == rule_id for rule in ws.ports.rules.list()))
    ws = next(holders, None) or host.workspaces.get()
    return RuleListed.of(ws.ports.rules.revoke(rule_id))
