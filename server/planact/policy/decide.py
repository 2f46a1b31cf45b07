"""The one function that says whether a call may run. Pure: everything it rests on is handed in.

Every rule looks at every effect. A refusal by any rule wins over a question by another, a question over containment,
whatever their order, and what no rule minds is allowed. Of several refusals the one of the first rule is told.
"""

from planact.model.effect import CommandEffect
from planact.model.jail import Confinement
from planact.model.permission import Mode
from planact.model.rule import Allowed
from planact.policy.always_allow import rule_for
from planact.policy.commands import is_named, only_reads, reading_jail
from planact.policy.rules import RULES
from planact.policy.standing import Request, Standing
from planact.policy.verdict import Allow, Ask, Contain, Deny, Verdict

_REASONS = 4
"""How many of the reasons for a question are told."""


def decide(request: Request, standing: Standing) -> Verdict:
    """The verdict on one call. A rule of the user's answers a question about what it allows, and nothing else."""
    verdicts = [verdict for rule in RULES for verdict in rule(request, standing)]
    for verdict in verdicts:
        if isinstance(verdict, Deny):
            return verdict
    asks = [verdict for verdict in verdicts if isinstance(verdict, Ask) and not _is_always_allowed(verdict, standing)]
    if asks:
        reasons = list(dict.fromkeys(ask.reason for ask in asks))
        more = f"; and {len(reasons) - _REASONS} more" if len(reasons) > _REASONS else ""
        touches = dict.fromkeys(touch for ask in asks for touch in ask.touches)
        return Ask("; ".join(reasons[:_REASONS]) + more, tuple(touches))
    return Contain() if Contain() in verdicts else Allow()


def rules_for(ask: Ask, standing: Standing) -> frozenset[Allowed]:
    """What the user would have to allow always so that they are not asked this again; empty where no rule can."""
    found = [rule_for(touch.effect, touch.place, touch.found, standing.mode) for touch in ask.touches]
    allowed = frozenset(each for each in found if each is not None)
    return frozenset() if None in found else allowed


def confinement(request: Request, standing: Standing, verdict: Verdict) -> Confinement:
    """The jail that the command of a call runs in. In Act, what passed only because it is known to read is held to
    that; what the user or their plan said yes to may write.
    """
    for touch in request.touches:
        if isinstance(touch.effect, CommandEffect) and touch.found is not None:
            jail = reading_jail(touch.found)
            is_by_reading = isinstance(verdict, Allow) and not is_named(touch.effect, standing)
            is_held = is_by_reading and only_reads(touch.found) and jail in standing.held
            return jail if is_held or standing.mode is Mode.PLAN else "act"
    return "contain"


def _is_always_allowed(ask: Ask, standing: Standing) -> bool:
    needed = rules_for(ask, standing)
    return bool(needed) and needed <= standing.rules
