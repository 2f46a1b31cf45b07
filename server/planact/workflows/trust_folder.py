"""Trust what a folder's `.planact/` says, as it is now; any change of it is asked about again."""

from planact.base.errors import Conflict
from planact.workflows.workspace import Workspace


def trust_folder(ws: Workspace, seen: str = "") -> str:
    """Keep the user's trust and return the fingerprint it binds to; empty = there is nothing to trust.

    Args:
        ws: the workspace.
        seen: the fingerprint of what the user was asked about; empty = they mean what is there.

    Raises:
        Conflict: WORKSPACE_UNTRUSTED, where the user's editor doesn't trust the whole workspace; TRUST_OUTDATED, when
            something else was `seen`.
    """
    if ws.is_restricted():
        hint = "Trust it there first: “Workspaces: Manage Workspace Trust”."
        raise Conflict("WORKSPACE_UNTRUSTED", "this workspace isn't trusted in the editor", hint)
    fingerprint = ws.ports.records.fingerprint()
    if seen not in ("", fingerprint):
        message = "the folder's settings or roles have changed since you were asked, and aren't trusted"
        raise Conflict("TRUST_OUTDATED", message, "Look at them, and trust them as they are now.")
    if fingerprint:
        ws.ports.approvals.trust(fingerprint)
    return fingerprint


def is_trusted(ws: Workspace) -> bool:
    """Whether `.planact/` counts fully: it is what the user trusted, or there is nothing in it."""
    fingerprint = ws.ports.records.fingerprint()
    return fingerprint == "" or (fingerprint == ws.ports.approvals.trusted() and not ws.is_restricted())
