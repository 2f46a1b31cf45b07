"""MCP servers of a source of settings, checked one by one: a server with a fault is left out, whole.

Values are never shown, since environments and headers hold keys.
"""

import difflib
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import SplitResult, urlsplit

from planact.model.settings import McpServer

SERVERS_KEY = "mcp.servers"

_NAME = re.compile(r"[A-Za-z0-9-]{1,24}")  # no underscore: that one parts the server from its tool in `mcp_<server>_…`
_HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_KNOWN = {field.alias or name: field for name, field in McpServer.model_fields.items()}
_OF_PROGRAM, _OF_ADDRESS = ("args", "env", "cwd"), ("headers",)
_HOW = f"write [{SERVERS_KEY}.NAME] with a command or a url"


def read_servers(value: Any) -> tuple[dict[str, McpServer], list[tuple[str, str]]]:
    """Return the usable servers by name, and the faults of the others: pairs of the key and of cause and next
    step.
    """
    if not isinstance(value, Mapping):
        return {}, [(SERVERS_KEY, f"is no table of servers; {_HOW}")]
    servers: dict[str, McpServer] = {}
    problems: list[tuple[str, str]] = []
    for name, said in value.items():
        found = (
            list(_faults(said))
            if _NAME.fullmatch(name)
            else [("", "needs a name of 1 to 24 letters, digits and hyphens; rename it")]
        )
        if not found:
            servers[name] = McpServer.model_validate(said, strict=True)
        problems += [(".".join(filter(None, (SERVERS_KEY, name[:40], key))), problem) for key, problem in found]
    return servers, problems


def _faults(said: Any) -> Iterator[tuple[str, str]]:
    """Yield the faults of one server, by its keys."""
    if not isinstance(said, Mapping):
        yield "", f"is no table; {_HOW}"
        return
    for key, value in said.items():
        if key not in _KNOWN:
            near = difflib.get_close_matches(str(key), _KNOWN, 1, 0.5)
            yield str(key)[:40], f"is not known; {f'did you mean {near[0]!r}?' if near else 'remove it'}"
        elif not _fits(_KNOWN[key].annotation, value):
            yield key, f"is not {_KINDS[_KNOWN[key].annotation]}; correct it"
        elif problem := _CHECKS.get(key, lambda _: "")(value):
            yield key, problem
    if not said.get("disabled"):
        yield from _kind(said)


def _kind(said: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    has_command, has_url = bool(said.get("command")), bool(said.get("url"))
    if has_command == has_url:
        yield (
            "",
            f"has {'both' if has_command else 'neither'} a command {'and' if has_command else 'nor'} a url; give one",
        )
        return
    for key in _OF_ADDRESS if has_command else _OF_PROGRAM:
        if said.get(key):
            yield key, f"means nothing for a server with a {'command' if has_command else 'url'}; remove it"


def _fits(kind: Any, value: Any) -> bool:
    if kind in (str, bool):
        return isinstance(value, kind)
    if kind == list[str]:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    return isinstance(value, Mapping) and all(isinstance(text, str) for pair in value.items() for text in pair)


_KINDS: dict[Any, str] = {
    str: "a text",
    bool: "true or false",
    list[str]: "a list of texts",
    dict[str, str]: "a table of texts",
}


def _url(text: str) -> str:
    try:
        url = urlsplit(text)
        is_url = url.scheme in ("http", "https") and bool(url.hostname) and (url.port is None or url.port > 0)
    except ValueError:
        url, is_url = SplitResult("", "", "", "", ""), False
    if text and (not is_url or not text.isprintable() or " " in text):
        return "is no http or https address; correct it"
    return "holds a user name or password; put them into headers" if "@" in url.netloc else ""


def _plain(text: str) -> str:
    return "holds a NUL character; remove it" if "\0" in text else ""


def _environment(values: Mapping[str, str]) -> str:
    is_odd = any(not name or "=" in name or "\0" in name + text for name, text in values.items())
    return "holds a name or value that no environment can have; correct it" if is_odd else ""


def _headers(values: Mapping[str, str]) -> str:
    is_odd = any(
        not _HEADER.fullmatch(name) or not text.isascii() or not text.isprintable() for name, text in values.items()
    )
    return "holds a name or value that no HTTP header can have; correct it" if is_odd else ""


_CHECKS: dict[str, Any] = {
    "command": _plain,
    "args": lambda words: _plain("".join(words)),
    "cwd": _plain,
    "env": _environment,
    "url": _url,
    "headers": _headers,
}
