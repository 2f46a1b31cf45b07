"""Reports on files that language servers are asked for: by the protocol, or TypeScript's through the server around it.

That one publishes nothing for a file that stays without problems, and no versions with what it publishes.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from planact.adapters.language_servers.problems import is_number

_COMMAND = "typescript.tsserverRequest"
_QUESTIONS = ("syntacticDiagnosticsSync", "semanticDiagnosticsSync")
_SECONDS = 110.0  # it reads the whole project before it answers the first
_SEVERITIES = {"error": 1, "warning": 2, "message": 3, "suggestion": 4}

_Request = Callable[..., Awaitable[Any]]
"""Sends a request by its method and parameters, and waits for the answer, so many seconds at most."""


def hands_on_questions(capabilities: Mapping[str, Any]) -> bool:
    """Return whether the capabilities of a language server say that TypeScript's can be asked through it."""
    provider = capabilities.get("executeCommandProvider")
    commands = provider.get("commands") if isinstance(provider, Mapping) else None
    return isinstance(commands, list) and _COMMAND in commands


async def ask_report(request: _Request, uri: str, *, of_tsserver: bool) -> Any:
    """Return the answer to `textDocument/diagnostic` on a file, or what says the same; None for none of this form."""
    if not of_tsserver:
        return await request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    items: list[Any] = []
    for question in _QUESTIONS:
        params = {"command": _COMMAND, "arguments": [question, {"file": uri}]}
        answer = await request("workspace/executeCommand", params, _SECONDS)
        found = answer.get("body") if isinstance(answer, Mapping) else None
        if not isinstance(found, list):
            return None
        items += [_item(each) for each in found if isinstance(each, Mapping)]
    return {"items": items}


def _item(found: Mapping[str, Any]) -> Mapping[str, Any]:
    category, source = found.get("category"), found.get("source")
    return {
        "range": {"start": _position(found.get("start")), "end": _position(found.get("end"))},
        "severity": _SEVERITIES.get(category, 1) if isinstance(category, str) else 1,
        "message": found.get("text", ""),
        "code": found.get("code"),
        "source": source if isinstance(source, str) else "typescript",
    }


def _position(place: Any) -> Mapping[str, int]:
    """Return a position, which tsserver counts from 1."""
    line, column = (place.get(name) if isinstance(place, Mapping) else None for name in ("line", "offset"))
    return {"line": _from_zero(line), "character": _from_zero(column)}


def _from_zero(number: Any) -> int:
    return number - 1 if is_number(number) and number > 0 else 0
