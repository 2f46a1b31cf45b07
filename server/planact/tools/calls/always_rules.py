"""Rules that an answer "always" makes: which a question offers, and how they are kept."""

from pathlib import PurePosixPath

from planact.model.rights.credentials import CREDENTIAL_FOLDERS, holds_credentials
from planact.model.rights.rule import Allowed, AllowedReading, Rule
from planact.policy.context import Ask
from planact.policy.decide import outside_reads
from planact.ports import Ports
from planact.tools.calls.question import MAX_COMMAND, MAX_RULES


def available_rules(ports: Ports, rules: frozenset[Allowed]) -> frozenset[Allowed]:
    """Return all of the rules; none where there are too many to read, or one can't be kept exactly."""
    is_short = len(rules) <= MAX_RULES and all(len(str(rule)) <= MAX_COMMAND for rule in rules)
    return rules if is_short and all(map(ports.rules.can_keep, rules)) else frozenset()


def folders_for(ports: Ports, ask: Ask) -> frozenset[Allowed]:
    """Return rules for reading the folders that the question is about; none where such rules wouldn't answer the
    question, or would cover folders that usually hold keys.
    """
    reads = [outside_reads(touch.found) for touch in ask.touches]
    names = {ports.readable.around(path, CREDENTIAL_FOLDERS) for paths in reads for path in paths}
    if not all(reads) or not all(names) or any(holds_credentials(PurePosixPath(name, "any")) for name in names):
        return frozenset()
    return available_rules(ports, frozenset(AllowedReading(folder=name) for name in names))


def keep_rules(ports: Ports, rules: frozenset[Allowed]) -> None:
    """Store the rules that the user made."""
    for allows in sorted(rules, key=str):
        rule_id = f"rule_{ports.ids.random(6)}"
        created_at = ports.clock.now().isoformat(timespec="seconds")
        ports.rules.add(Rule(id=rule_id, created_at=created_at, allows=allows))
