"""Trust what a folder's `.planact/` says, as it is now; any change of it is asked about again."""

from planact.workflows.workspace import Workspace


def trust_folder(ws: Workspace) -> str:
    """Keep the user's trust and return the fingerprint it binds to; empty = there is nothing to trust."""
    fingerprint = ws.ports.records.fingerprint()
    if fingerprint:
        ws.ports.approvals.trust(fingerprint)
    return fingerprint


def is_trusted(ws: Workspace) -> bool:
    """Whether `.planact/` counts fully: it is what the user trusted, or there is nothing in it."""
    fingerprint = ws.ports.records.fingerprint()
    return fingerprint in ("", ws.ports.approvals.trusted())
