"""The user's "always allow" rules in the state database, which no repository can write."""

from collections.abc import Sequence
from typing import Any

from planact.adapters.store.state.database import Database, decode, decode_all, json_text
from planact.base.errors import NotFound
from planact.model.rights.rule import Allowed, Rule


class SqliteRules:
    """`ports.Rules`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._read: tuple[Sequence[tuple[str]], Sequence[Rule]] = ((), ())

    def can_keep(self, allows: Allowed) -> bool:
        """Return False for a rule with a secret: without the secret it would allow another call."""
        return self._database.json(_data(allows)) == json_text(_data(allows))

    def add(self, rule: Rule) -> None:
        """Store the rule, unless an equal one exists."""
        self._database.write(
            "INSERT INTO rules (id, allows, data) VALUES (?, ?, ?) ON CONFLICT (allows) DO NOTHING",
            (rule.id, self._database.json(_data(rule.allows)), self._database.json(_data(rule))),
        )

    def list(self) -> Sequence[Rule]:
        """Return all rules, the oldest first."""
        rows = self._database.rows("SELECT data FROM rules ORDER BY sequence")
        known, rules = self._read
        if rows != known:  # asked several times a call
            rules = decode_all(Rule, rows)
            self._read = (rows, rules)
        return rules

    def revoke(self, rule_id: str) -> Rule:
        """Delete the rule and return it. Raises NotFound RULE_NOT_FOUND."""
        with self._database.transaction() as connection:
            row = connection.execute("SELECT data FROM rules WHERE id = ?", (rule_id,)).fetchone()
            connection.execute("DELETE FROM rules WHERE id = ?", (rule_id,))
        if row is None:
            raise NotFound("RULE_NOT_FOUND", f"there is no rule {rule_id!r}", "List the rules to see which there are.")
        return decode(Rule, row[0], f"rule {rule_id}")


def _data(noun: Allowed | Rule) -> dict[str, Any]:
    return noun.model_dump(mode="json")
