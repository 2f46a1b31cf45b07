"""The one function that decides whether a call may run, and the rule that would always allow an effect. Pure: callers
hand in all facts.

Every rule looks at every effect. A refusal by any rule wins over a question by another, a question over containment and
trial, in any order of the rules; a call is allowed where no rule objects. Of several refusals the one of the first rule
is told.

The rule of an "always allow" is the narrowest, so that none covers an effect that wasn't shown; a wider one is offered
apart, for calls of a command that differ in closed options and in files. There is none for
effects that are asked about anew each time: credentials and secrets, addresses of the model's making, and in Plan every
command that isn't known to only read. A command of this kind runs contained there, and the same rule would let it loose
in Act.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Literal

from planact.base.web_address import page_host
from planact.model.rights.classification import Classification, CommandTrait
from planact.model.rights.credentials import holds_credentials
from planact.model.rights.jail import Confinement
from planact.model.rights.permission import CommandEffect, McpEffect, Mode, PageEffect, PathEffect
from planact.model.rights.rule import (
    COMMITS,
    Allowed,
    AllowedCalls,
    AllowedCommand,
    AllowedMcpTool,
    AllowedPages,
    AllowedPath,
    AllowedServers,
)
from planact.policy.commands import is_named, may_try, only_reads, reading_jail, shows_secrets, spellings
from planact.policy.context import Allow, Ask, Contain, Deny, PlacedEffect, PolicyContext, Request, Try, Verdict
from planact.policy.rules import RULES


def outside_reads(found: Classification | None) -> tuple[str, ...]:
    """Return the paths outside the workspace that a question about a command is for.

    Empty where the question is about more, or where the paths aren't known.
    """
    if found is None or found.cls != "local-read" or "fetches" in found.traits or shows_secrets(found):
        return ()
    return found.outside


def rule_for(touch: PlacedEffect, mode: Mode) -> Allowed | None:
    """Return the rule under which this effect is not asked about in `mode`; None = no rule can."""
    effect, place, found = touch.effect, touch.place, touch.found
    if isinstance(effect, McpEffect):
        return AllowedMcpTool(server=effect.server, tool=effect.tool, fingerprint=effect.fingerprint)
    if isinstance(effect, PageEffect):
        return AllowedPages(host=page_host(effect.address)) if touch.is_given else None
    if place is None or place.relative is None:
        return None
    path = str(place.relative)
    match effect:
        case PathEffect(action=action):
            return None if holds_credentials(place.relative) else AllowedPath(action=action, path=path)
        case CommandEffect():
            if found is None or shows_secrets(found) or (mode is Mode.PLAN and not only_reads(found)):
                return None
            if effect.opens:
                return None  # a rule would let it run with more
            # A question about the server alone is asked once for all names that may be looked up there.
            if found.servers and only_reads(found) and not found.traits & {"outside", "fetches"}:
                return AllowedServers(servers=found.servers)
            return AllowedCommand(command=spellings(effect, found)[0], directory=path, more=_more(effect))
        case _:
            return None


def _more(effect: CommandEffect) -> Literal["", "network", "background"]:
    """Return the escalation of a call, which no rule for the plain call covers."""
    if effect.goes_on:
        return "background"
    return "network" if effect.why_network else ""


_OF_COMMITS: frozenset[CommandTrait] = frozenset(("plain", "repository", "history"))
_BESIDE_COMMITS: frozenset[CommandTrait] = _OF_COMMITS | {"infrastructure"}

_REASONS = 4
"""Most reasons that a question shows."""


def decide(request: Request, context: PolicyContext) -> Verdict:
    """Return the verdict on one call. A rule of the user's answers only a question about the effects that it
    allows.
    """
    verdicts = [verdict for rule in RULES for verdict in rule(request, context)]
    for verdict in verdicts:
        if isinstance(verdict, Deny):
            return verdict
    asks = [verdict for verdict in verdicts if isinstance(verdict, Ask) and not _is_always_allowed(verdict, context)]
    if asks:
        reasons = list(dict.fromkeys(ask.reason for ask in asks))
        more = f"; and {len(reasons) - _REASONS} more" if len(reasons) > _REASONS else ""
        touches = dict.fromkeys(touch for ask in asks for touch in ask.touches)
        return Ask("; ".join(reasons[:_REASONS]) + more, tuple(touches))
    held = [each for each in verdicts if isinstance(each, Contain | Try) and not _is_always_allowed(each, context)]
    return next((each for each in held if isinstance(each, Contain)), held[0] if held else Allow())


def rules_for(ask: Ask, context: PolicyContext) -> frozenset[Allowed]:
    """Return the rules under which the user is not asked this again; empty where no rule can."""
    found = [rule_for(touch, context.mode) for touch in ask.touches]
    allowed = frozenset(each for each in found if each is not None)
    return frozenset() if None in found else allowed


def wider_rules_for(ask: Ask, context: PolicyContext) -> frozenset[Allowed]:
    """Return the rules that would also cover calls alike; empty where one effect has none."""
    found = [_wider_rules(touch, context) for touch in ask.touches]
    return frozenset().union(*(rules[0] for rules in found)) if all(found) else frozenset()


def _wider_rules(touch: PlacedEffect, context: PolicyContext) -> Sequence[frozenset[Allowed]]:
    """Return the sets of rules of which each covers calls like a command that is unknown, or stages and commits, runs
    in the folder and needs nothing beyond it; the narrowest first. Of a line that does more with git than to commit,
    each has a rule for that by its text.
    """
    rule, found = rule_for(touch, context.mode), touch.found
    if _wants_more(touch, context):
        return ()  # that is a question of its own
    if not isinstance(rule, AllowedCommand) or found is None:
        return ()
    is_commit = found.similar == (COMMITS,)
    if context.mode is not Mode.ACT or found.cls != ("mutating" if is_commit else "unknown"):
        return ()
    traits = _BESIDE_COMMITS if found.beside else _OF_COMMITS if is_commit else frozenset({"plain"})
    if found.traits - traits:
        return ()
    beside = [rule.model_copy(update={"command": text}) for text in found.beside]
    return [frozenset((AllowedCalls(start=start, directory=rule.directory), *beside)) for start in found.similar]


def confinement(request: Request, context: PolicyContext, verdict: Verdict) -> Confinement:
    """Return the jail that the command of a call runs in. A rule that answers a question leaves the jail as it was.

    In Act, a command that is known to only read is held to that, also where it is asked about for what it reads; one
    that the user or their plan approved by its text, for secrets or for more than its jail has may write.
    """
    if isinstance(verdict, Contain | Try):
        return "contain" if isinstance(verdict, Contain) else "trial"
    for touch in request.touches:
        if isinstance(touch.effect, CommandEffect) and touch.found is not None:
            if touch.effect.opens and may_try(replace(touch.effect, held_back=""), touch.found, context):
                return "trial"
            jail = reading_jail(touch.found)
            is_by_reading = (
                not is_named(touch.effect, touch.found, context)
                and not (isinstance(verdict, Ask) and shows_secrets(touch.found))
                and not _needs_more_than_its_jail(touch.effect, touch, context)
            )
            # Where no jail is held at all, the reading one still gives git an environment that starts no drivers.
            is_held = is_by_reading and only_reads(touch.found) and (jail in context.held or not context.held)
            return jail if is_held or context.mode is Mode.PLAN else "act"
    return "contain"


def _needs_more_than_its_jail(effect: CommandEffect, touch: PlacedEffect, context: PolicyContext) -> bool:
    """Return whether a command that only reads was held back in its jail, or asks for what that hasn't."""
    found = touch.found
    assert found is not None
    if effect.held_back or (effect.why_network and found.cls != "net-read"):
        return True
    is_held = "outside-read" in context.held or not context.held
    return "outside" in found.traits and not (is_held and outside_reads(found))


def _wants_more(touch: PlacedEffect, context: PolicyContext) -> bool:
    """Return whether a command asks for the network or for what its trial held back, or goes on beside the work. Where
    there are no trials, what it was held back from is what any approved command may do.
    """
    effect = touch.effect
    if not isinstance(effect, CommandEffect):
        return False
    return bool((effect.held_back and "trial" in context.held) or effect.why_network or effect.goes_on)


def _only_reads_outside(touch: PlacedEffect, context: PolicyContext) -> bool:
    """Return whether a question about a command is for reading outside alone, and its jail opens only what it names."""
    return "outside-read" in context.held and bool(outside_reads(touch.found)) and not _wants_more(touch, context)


def _is_read_in_session(touch: PlacedEffect, context: PolicyContext) -> bool:
    """Return whether a command only reads outside, below folders that the user let this session read."""
    return (
        _only_reads_outside(touch, context)
        and bool(touch.opens)
        and all(any(path.is_relative_to(folder) for folder in context.session_reading) for path in touch.opens)
    )


def _is_always_allowed(ask: Ask | Contain | Try, context: PolicyContext) -> bool:
    is_held = any(isinstance(touch.effect, CommandEffect) and touch.effect.is_held_in_act for touch in ask.touches)
    return not is_held and bool(ask.touches) and all(_has_rule(touch, context) for touch in ask.touches)


def _has_rule(touch: PlacedEffect, context: PolicyContext) -> bool:
    if _is_read_in_session(touch, context):
        return True
    if any(rules <= context.rules for rules in _wider_rules(touch, context)):
        return True
    rule = rule_for(touch, context.mode)
    if isinstance(rule, AllowedServers):
        named = (each.servers for each in context.rules if isinstance(each, AllowedServers))
        return set(rule.servers).issubset(chain.from_iterable(named))
    if isinstance(rule, AllowedCommand) and isinstance(touch.effect, CommandEffect):
        texts = spellings(touch.effect, touch.found)
        return any(rule.model_copy(update={"command": text}) in context.rules for text in texts)
    return rule in context.rules
