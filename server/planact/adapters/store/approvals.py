"""What the user approved and trusts, in the state database: nothing a repository ships can put itself there."""

from planact.adapters.store.database import Database
from planact.model.approval import Approval


class SqliteApprovals:
    """`ports.Approvals`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def approve(self, approval: Approval) -> None:
        """Keep it, in place of an earlier one for the same path."""
        text = self._database.redact(approval.text).encode("utf-8", "replace").decode()
        self._database.write(
            "INSERT OR REPLACE INTO approvals (path, plan_id, hash, text, time) VALUES (?, ?, ?, ?, ?)",
            (approval.path, approval.plan_id, approval.hash, text, approval.time),
        )

    def find(self, path: str) -> Approval | None:
        """The approval for the plan at `path` (relative to the workspace folder), if there is one."""
        rows = self._database.rows("SELECT plan_id, path, hash, text, time FROM approvals WHERE path = ?", (path,))
        return Approval(*rows[0]) if rows else None

    def paths(self) -> frozenset[str]:
        """The paths of all approved plans."""
        return frozenset(path for (path,) in self._database.rows("SELECT path FROM approvals"))

    def withdraw(self, path: str) -> None:
        """Forget it."""
        self._database.write("DELETE FROM approvals WHERE path = ?", (path,))

    def trust(self, fingerprint: str) -> None:
        """The user trusts the folder's `.planact/` as it is now."""
        self._database.write("INSERT OR REPLACE INTO trust (id, fingerprint) VALUES (1, ?)", (fingerprint,))

    def trusted(self) -> str:
        """The fingerprint that the user trusts, or empty."""
        return "".join(fingerprint for (fingerprint,) in self._database.rows("SELECT fingerprint FROM trust"))
