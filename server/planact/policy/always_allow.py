"""The rule that would allow one effect from now on: the narrowest, so that none covers an effect that wasn't shown.

None for effects that are asked about anew each time: credentials and secrets, and in Plan every command that isn't
known to only read. A command of this kind runs contained there, and the same rule would let it loose in Act.
"""

from planact.base.paths import Place
from planact.model.rights.classification import Classification
from planact.model.rights.credentials import holds_credentials
from planact.model.rights.effect import CommandEffect, Effect, McpEffect, PathEffect
from planact.model.rights.permission import Mode
from planact.model.rights.rule import Allowed, AllowedCommand, AllowedMcpTool, AllowedPath, AllowedServers
from planact.policy.commands import exact_text, only_reads, shows_secrets


def outside_reads(found: Classification | None) -> tuple[str, ...]:
    """Return the paths outside the workspace that a question about a command is for.

    Empty where the question is about more, or where the paths aren't known.
    """
    if found is None or found.cls != "local-read" or "fetches" in found.traits or shows_secrets(found):
        return ()
    return found.outside


def rule_for(effect: Effect, place: Place | None, found: Classification | None, mode: Mode) -> Allowed | None:
    """Return the rule under which this effect is not asked about in `mode`; None = no rule can."""
    if isinstance(effect, McpEffect):
        return AllowedMcpTool(server=effect.server, tool=effect.tool, fingerprint=effect.fingerprint)
    if place is None or place.relative is None:
        return None
    path = str(place.relative)
    match effect:
        case PathEffect(action=action):
            return None if holds_credentials(place.relative) else AllowedPath(action=action, path=path)
        case CommandEffect(command=command):
            if found is None or shows_secrets(found) or (mode is Mode.PLAN and not only_reads(found)):
                return None
            # A question about the server alone is asked once for all names that may be looked up there.
            if found.servers and only_reads(found) and not found.traits & {"outside", "fetches"}:
                return AllowedServers(servers=found.servers)
            return AllowedCommand(command=exact_text(command), directory=path)
        case _:
            return None
