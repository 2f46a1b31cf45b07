"""Roles as files: Markdown with front matter, one file per role.

Reading one never fails: a fault is a problem that names the file, and the role isn't used; no text of a file gives more
rights than the role's mode does.
"""

import difflib
import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

import yaml

from planact.base.errors import NotFound
from planact.model.mcp import PREFIX
from planact.model.rights.permission import Mode, Permission, Rights, Role, RoleProblem, RoleSource, parse_mode
from planact.policy.rights import DEFAULT_ROLES, mode_rights, narrowed

BUILT_IN = ("planner", "actor", "reviewer", "tester", "designer", "commander", "explorer")

MAX_FILE = 32_000
"""Characters of a role file, bytes on disk: a prompt is paid for with every request."""

_MAX_FRONT, _MAX_PATTERN = 4_000, 200
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_FRONT = re.compile(r"---\n(.*?\n)---(?:\n|$)", re.DOTALL)
_TEXTS, _RIGHTS = ("name", "description", "mode", "model"), ("permissions", "tools", "paths")
_DELEGABLE = {key: f"delegate_{key}" for key in _RIGHTS}
"""Keys of the rights that a role hands out, by the key of its own; one that is missing is as its own."""

_LISTS = (*_RIGHTS, *_DELEGABLE.values())

_Front = Mapping[str, str | tuple[str, ...]]


class _UnreadableError(ValueError):
    """Cause and next step."""


def is_role_name(name: str) -> bool:
    """Return True for small letters, digits, `-` and `_`."""
    return _NAME.fullmatch(name) is not None


def parse_role(
    text: str, name: str, where: str, source: RoleSource, known_tools: Collection[str]
) -> Role | RoleProblem:
    """Return the role that a file describes, or the reason why it isn't used; never raises.

    Args:
        text: of the file.
        name: of the file and of the role, without the ending.
        where: the file's path, for people.
        source: the place of the file: built in, the user's or the repository's.
        known_tools: names that the file can list.
    """
    try:
        return _role(text.removeprefix("\ufeff").replace("\r\n", "\n"), name, source, known_tools)
    except _UnreadableError as error:
        return RoleProblem(name, f"the role file {where} is not used: {error}")


@cache
def built_in_role(name: str) -> Role:
    """The role called `name` that ships with planact.

    Raises:
        NotFound: there is none.
    """
    if name not in BUILT_IN:
        raise NotFound("ROLE_NOT_FOUND", f"there is no role named {name!r}", f"The roles are {', '.join(BUILT_IN)}.")
    text = (files("planact.policy") / "roles" / f"{name}.md").read_text(encoding="utf-8")
    return _role(text, name, "built-in", None)


def reading_role(mode: Mode) -> Role:
    """Return the role for a folder without a usable one: the mode's own role, cut down to reading."""
    return narrowed(built_in_role(DEFAULT_ROLES[mode]), mode_rights(Mode.PLAN))


def _role(text: str, name: str, source: RoleSource, known_tools: Collection[str] | None) -> Role:
    if not is_role_name(name):
        raise _UnreadableError(f"{name!r} can't be the name of a role; use small letters, digits, `-` and `_`")
    if len(text) > MAX_FILE:
        raise _UnreadableError(f"it is longer than {MAX_FILE:,} characters; shorten it")
    match = _FRONT.match(text)
    if match is None or len(match[1]) > _MAX_FRONT:
        raise _UnreadableError(f"it must begin with front matter between `---`, of at most {_MAX_FRONT:,} characters")
    front = _checked(dict(_pairs(match[1])))
    if front.get("name", name) != name:
        raise _UnreadableError(f"it is called {front['name']!r} inside; name file and role alike")
    mode = parse_mode(str(front.get("mode", Mode.PLAN)))
    if mode is None:
        raise _UnreadableError(f"there is no mode {front['mode']!r}; use plan or act")
    handed = {key: front[given] for key, given in _DELEGABLE.items() if given in front}
    role = Role(
        name=name,
        description=" ".join(str(front.get("description", "")).split()),
        mode=mode,
        rights=_rights(front, mode, known_tools),
        prompt=text[match.end() :].strip(),
        model=str(front.get("model", "")),
        source=source,
        delegable=_rights({**front, **handed}, mode, known_tools) if handed else None,
    )
    return narrowed(role, mode_rights(mode))


def _rights(front: _Front, mode: Mode, known_tools: Collection[str] | None) -> Rights:
    permissions = front.get("permissions", (Permission.READ_FILES.value,))
    for word in permissions:
        _check_known("permission", word, [permission.value for permission in Permission])
    for tool in front.get("tools", ()):
        if known_tools is not None and "*" not in tool and not tool.startswith(("mcp:", PREFIX)):
            _check_known("tool", tool, known_tools)
    if "tools" in front:
        tools = frozenset({frozenset(map(_of_server, front["tools"]))})
    else:
        tools = built_in_role(DEFAULT_ROLES[mode]).rights.tools
    for pattern in front.get("paths", ()):
        _check_pattern(pattern)
    paths = frozenset({frozenset(front["paths"])}) if "paths" in front else frozenset()
    return Rights(frozenset(Permission(word) for word in permissions), tools, paths)


def _of_server(tool: str) -> str:
    """`mcp:NAME`, which stands for all tools of that MCP server, as the pattern of their names."""
    return f"{PREFIX}{tool[4:]}_*" if tool.startswith("mcp:") else tool


def _check_known(what: str, word: str, known: Collection[str]) -> None:
    if word not in known:
        near = difflib.get_close_matches(word[:80], known, n=1)
        advice = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"
        raise _UnreadableError(f"there is no {what} {_shown(word)}; {advice}")


def _check_pattern(pattern: str) -> None:
    path = PurePosixPath(pattern)
    is_odd = not pattern or "\\" in pattern or "\0" in pattern or pattern[0] in "!~" or PureWindowsPath(pattern).drive
    if is_odd or path.is_absolute() or ".." in path.parts or len(pattern) > _MAX_PATTERN:
        raise _UnreadableError(
            f"{_shown(pattern)} is no pattern of paths; write them relative to the workspace folder, like `docs/**`"
        )


def _checked(front: dict[str, Any]) -> _Front:
    for key, value in front.items():
        _check_known("key", key, (*_TEXTS, *_LISTS))
        if isinstance(value, tuple) is not (key in _LISTS):
            raise _UnreadableError(f"{key} must be a {'list' if key in _LISTS else 'text'}")
    return front


def _pairs(front: str) -> Iterator[tuple[str, str | tuple[str, ...]]]:
    """Yield keys with texts or lists of texts, from YAML's events one by one: an oversized value is refused
    before it grows.
    """
    events = _events(front)
    for expected in (yaml.StreamStartEvent, yaml.DocumentStartEvent, yaml.MappingStartEvent):
        _plain(next(events, None), expected)
    seen: set[str] = set()
    while not isinstance(event := next(events), yaml.MappingEndEvent):
        key = _plain(event, yaml.ScalarEvent).value
        if key in seen:
            raise _UnreadableError(f"{_shown(key)} is said twice; say it once")
        seen.add(key)
        value = next(events)
        if isinstance(value, yaml.SequenceStartEvent):
            _plain(value, yaml.SequenceStartEvent)
            yield key, tuple(_items(events))
        else:
            yield key, _text(value)
    _plain(next(events), yaml.DocumentEndEvent)
    _plain(next(events), yaml.StreamEndEvent)


def _items(events: Iterator[yaml.Event]) -> Iterator[str]:
    while not isinstance(event := next(events), yaml.SequenceEndEvent):
        yield _text(event)


def _text(event: yaml.Event) -> str:
    return str(_plain(event, yaml.ScalarEvent).value)


def _plain(event: yaml.Event | None, expected: type[yaml.Event]) -> Any:
    if not isinstance(event, expected) or getattr(event, "anchor", None) or getattr(event, "tag", None):
        raise _UnreadableError("its front matter may hold texts and lists of texts only; no anchors, tags or nesting")
    return event


def _events(front: str) -> Iterator[yaml.Event]:
    try:
        yield from yaml.parse(front, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        raise _UnreadableError(f"its front matter is not YAML ({error.problem}); correct it") from None
    except (yaml.YAMLError, ValueError, OverflowError):
        raise _UnreadableError("its front matter has a character that YAML doesn't allow; remove it") from None


def _shown(text: str) -> str:
    return repr(text if len(text) <= 80 else f"{text[:80]}…")
