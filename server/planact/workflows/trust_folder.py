"""Trust in a folder: in what its `.planact/` says, as it is now, and in its being the place of the user's own programs.

Any change of `.planact/` is asked about again. Hooks and MCP servers of the user's own settings find the folder's files
when they start; so at the terminal they wait until the user trusts a new folder.
"""

from typing import Literal

from pydantic.alias_generators import to_camel

from planact.base.errors import Conflict
from planact.model.notice import ToolNotice
from planact.workflows.workspace import Workspace


def trust_folder(ws: Workspace, seen: str = "") -> str:
    """Store the user's trust and return the fingerprint it binds to; empty = `.planact/` has no settings.

    Args:
        ws: the workspace.
        seen: the fingerprint that the user was asked about; empty = the current one.

    Raises:
        Conflict: WORKSPACE_UNTRUSTED, where the user's editor doesn't trust the whole workspace; TRUST_OUTDATED, when
            the fingerprint isn't the one `seen`.
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
    ws.ports.approvals.trust_programs(is_trusted=True)
    return fingerprint


def is_trusted(ws: Workspace) -> bool:
    """The settings in `.planact/` count fully: the user trusts them, or there are none."""
    fingerprint = ws.ports.records.fingerprint()
    return fingerprint == "" or (fingerprint == ws.ports.approvals.trusted() and not ws.is_restricted())


def programs_of(ws: Workspace) -> str:
    """Name the hooks and MCP servers of the settings; empty = there are none."""
    hooks = [to_camel(name) for name in type(ws.settings.hooks).model_fields if getattr(ws.settings.hooks, name)]
    found = [
        f"{kind} {', '.join(names)}"
        for kind, names in (("hooks", hooks), ("MCP servers", ws.settings.mcp.enabled))
        if names
    ]
    return " and ".join(found)


def language_servers_forbidden(ws: Workspace) -> str:
    """Return why no language server of planact's own may start here, since it reads the folder's files and may run
    programs of the folder; empty = it may.
    """
    if ws.is_restricted():
        return "this workspace isn't trusted in the editor"
    if ws.awaits_trust():
        return "this folder isn't trusted yet (planact trust)"
    if "contain" not in ws.ports.runner.enforced():
        return "there is no jail on this machine that would hold it"
    return ""


def notify_untrusted(ws: Workspace, session_id: str, kind: Literal["hook", "mcp"]) -> None:
    """Tell the user, once, of the programs that wait for their trust; `kind` is what was to start."""
    text = f"your {programs_of(ws)} don't start here until you trust this folder: planact trust"
    ws.notify_once(ToolNotice(session_id, kind, text, "FOLDER_UNTRUSTED"))
