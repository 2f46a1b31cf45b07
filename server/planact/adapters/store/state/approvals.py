"""Approvals, trust and the user's own plans in the state database, which no repository can write."""

import json
from collections.abc import Callable
from typing import TypeVar

from planact.adapters.store.state.database import Database
from planact.base.errors import StorageFailure
from planact.model.plan_records import Approval, OwnPlan

T = TypeVar("T")


class SqliteApprovals:
    """`ports.Approvals`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def approve(self, approval: Approval) -> None:
        """Store the approval, in place of an earlier one for the same path."""
        text = self._database.redact(approval.text).encode("utf-8", "replace").decode()
        self._database.write(
            "INSERT OR REPLACE INTO approvals (path, plan_id, hash, text, time, implied_files)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (approval.path, approval.plan_id, approval.hash, text, approval.time, json.dumps(approval.implied_files)),
        )

    def find(self, path: str) -> Approval | None:
        """Return the approval for the plan at `path` (relative to the workspace folder), if there is one."""
        rows = self._database.rows(
            "SELECT plan_id, path, hash, text, time, implied_files FROM approvals WHERE path = ?", (path,)
        )
        if not rows:
            return None
        plan_id, path, hash_, text, time, implied = rows[0]
        files = {int(step): tuple(paths) for step, paths in json.loads(implied).items()}
        return Approval(plan_id, path, hash_, text, time, files)

    def paths(self) -> frozenset[str]:
        """The paths of all approved plans."""
        return frozenset(path for (path,) in self._database.rows("SELECT path FROM approvals"))

    def withdraw(self, path: str) -> None:
        """Delete the approval."""
        self._database.write("DELETE FROM approvals WHERE path = ?", (path,))

    def keep_own(self, own: OwnPlan) -> None:
        """Store the text's hash, in place of an earlier text of the same document."""
        self._database.write(
            "INSERT OR REPLACE INTO own_plans (path, plan_id, hash, time) VALUES (?, ?, ?, ?)",
            (own.path, own.plan_id, own.hash, own.time),
        )

    def own(self, path: str) -> OwnPlan | None:
        """Return the last own text of the document at `path` (relative to the workspace folder), if there is one."""
        rows = self._database.rows("SELECT path, plan_id, hash, time FROM own_plans WHERE path = ?", (path,))
        return OwnPlan(*rows[0]) if rows else None

    def forget_own(self, path: str) -> None:
        """Delete the record of the document's own text."""
        self._database.write("DELETE FROM own_plans WHERE path = ?", (path,))

    def trust(self, fingerprint: str) -> None:
        """Store that the user trusts the folder's `.planact/` as it is now."""
        self._database.write("INSERT OR REPLACE INTO trust (id, fingerprint) VALUES (1, ?)", (fingerprint,))

    def trusted(self) -> str:
        """Return the fingerprint that the user trusts, or empty."""
        return "".join(fingerprint for (fingerprint,) in self._database.rows("SELECT fingerprint FROM trust"))

    def trust_programs(self, *, is_trusted: bool) -> None:
        """Store the user's decision whether their own hooks and MCP servers start in the folder."""
        self._database.write("INSERT OR REPLACE INTO program_trust VALUES (1, ?, 'user')", (is_trusted,))

    def programs_trusted(self) -> bool | None:
        """Return the user's decision on their own hooks and MCP servers in the folder; None before there is one."""
        rows = self._database.rows("SELECT is_trusted FROM program_trust")
        return bool(rows[0][0]) if rows else None


def unless_unreadable(read: Callable[[], T], nothing: T) -> T:
    """Return the result of `read`, or `nothing` where the state can't be read: who needs it reports the cause."""
    try:
        return read()
    except StorageFailure as failure:
        if failure.code != "STORAGE_UNWRITABLE":
            raise
        return nothing
