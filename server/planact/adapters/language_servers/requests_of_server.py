"""The client's answers to a language server's own requests: settings are given, edits, messages and windows refused."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from planact.adapters.language_servers.server import KnownServer


def asks_for_pulls(method: str, params: Any) -> bool:
    """Return whether a request says that the server's diagnostics are to be asked for."""
    registrations = _maps(params.get("registrations")) if isinstance(params, Mapping) else ()
    return method == "client/registerCapability" and "textDocument/diagnostic" in [
        each.get("method") for each in registrations
    ]


def answer_request(server: KnownServer, root: Path, method: str, params: Any) -> tuple[bool, Any]:
    """Return whether a request is known, and the answer to it."""
    match method:
        case "workspace/configuration":
            items = _maps(params.get("items")) if isinstance(params, Mapping) else ()
            sections = [item.get("section") for item in items]
            return True, [server.setting(each if isinstance(each, str) else "", root) for each in sections]
        case "workspace/workspaceFolders":
            return True, [{"uri": root.as_uri(), "name": root.name}]
        case "workspace/applyEdit":
            return True, {"applied": False, "failureReason": "planact makes no edits of a server's own"}
        case "window/showDocument":
            return True, {"success": False}
        case (
            "client/registerCapability"
            | "client/unregisterCapability"
            | "window/workDoneProgress/create"
            | "window/showMessageRequest"
            | "workspace/diagnostic/refresh"
        ):
            return True, None
        case _:
            return False, None


def _maps(value: Any) -> Sequence[Mapping[str, Any]]:
    return [each for each in value[:100] if isinstance(each, Mapping)] if isinstance(value, list) else []
