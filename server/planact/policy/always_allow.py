"""Which rule would allow one effect from now on: the narrowest there is, so that none ever covers what wasn't shown.

None for what is asked anew each time: credentials and secrets, and in Plan every command that isn't known to only read.
Such a command runs contained there, and the same rule would let it loose in Act.
"""

from planact.base.paths import Place
from planact.model.classification import Classification
from planact.model.effect import CommandEffect, Effect, McpEffect, PathEffect
from planact.model.permission import Mode
from planact.model.rule import Allowed, AllowedCommand, AllowedMcpTool, AllowedPath
from planact.policy.commands import exact_text, only_reads, shows_secrets
from planact.policy.protected import holds_credentials


def rule_for(effect: Effect, place: Place | None, found: Classification | None, mode: Mode) -> Allowed | None:
    """What the user would have to allow always so that this effect is not asked about in `mode`; None = no rule can."""
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
            return AllowedCommand(command=exact_text(command), directory=path)
        case _:
            return None
