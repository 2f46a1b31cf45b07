"""Sources of settings: two TOML files, `PLANACT_*` variables, the editor, flags. `policy.merge_settings` weighs them.

A workspace's `.env` is never read, and an unreadable file affects no other source.
"""

import difflib
import json
import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from planact.model.layer import KNOWN_SETTINGS, KnownSetting, Layer, SettingProblem, Source

_PREFIX = "PLANACT_"
_LARGEST = 1_000_000


def user_config_path(environment: Mapping[str, str], home: Path) -> Path:
    """`~/.config/planact/config.toml`, on every system; XDG_CONFIG_HOME is honoured."""
    base = environment.get("XDG_CONFIG_HOME", "")
    return (Path(base) if Path(base).is_absolute() else home / ".config") / "planact" / "config.toml"


def repository_config_path(workspace: Path) -> Path:
    """Return the path of the workspace's own settings."""
    return workspace / ".planact" / "config.toml"


def read_user(environment: Mapping[str, str], home: Path) -> Layer:
    """Read the user's own file."""
    return _read_file("user", user_config_path(environment, home), is_trusted=True)


def read_repository(workspace: Path, *, is_trusted: bool) -> Layer:
    """Read the workspace's file. Callers ask whether it is trusted (`Records.fingerprint`) before and after."""
    return _read_file("repository", repository_config_path(workspace), is_trusted=is_trusted)


def read_environment(environment: Mapping[str, str]) -> Layer:
    """Read `PLANACT_MODEL`, `PLANACT_LIMITS_MAX_TURNS` and so on; lists are JSON or separated by commas, tables are
    JSON.
    """
    values: dict[str, Any] = {}
    problems: list[SettingProblem] = []
    known = {setting.variable: setting for setting in KNOWN_SETTINGS}
    for name, text in environment.items():
        if not name.startswith(_PREFIX):
            continue
        if name in known:
            values[known[name].key] = _parsed(known[name], text)
        else:
            near = difflib.get_close_matches(name, known, n=1)
            advice = f"did you mean {near[0]}?" if near else "unset it"
            problems.append(SettingProblem("environment", name, f"no setting has the variable {name}; {advice}"))
    return Layer("environment", "the environment", values, problems=tuple(problems))


def editor_layer(settings: Mapping[str, Any]) -> Layer:
    """Return the editor's settings: nested or flat, with or without a leading `planact`. None means that the editor
    sent none.
    """
    inner = settings.get("planact", {})
    values = {key.removeprefix("planact."): value for key, value in settings.items() if key != "planact"}
    if isinstance(inner, Mapping):
        values |= inner
    return Layer("editor", "the editor's settings", values)


def _read_file(source: Source, path: Path, *, is_trusted: bool) -> Layer:
    try:
        values = tomllib.loads(_text(path))
    except (FileNotFoundError, NotADirectoryError):
        return Layer(source, str(path), {}, is_trusted)
    except (OSError, ValueError, RecursionError) as error:
        cause = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        advice = "correct it or remove it"
        if source == "user" and isinstance(error, PermissionError):  # perhaps a HOME that is another user's
            advice = "make it readable, or name another folder by XDG_CONFIG_HOME"
        message = f"{path} is not used: {cause[:200]}; {advice}"
        problem = SettingProblem(source, "", message, is_unclear=source == "user")
        return Layer(source, str(path), {}, is_trusted, (problem,))
    return Layer(source, str(path), values, is_trusted)


def _text(path: Path) -> str:
    # Looked at before it is opened: opening a FIFO that a repository brought along would wait for ever.
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise ValueError("it isn't a plain file")
    if status.st_size > _LARGEST:
        raise ValueError(f"it is larger than {_LARGEST:,} bytes")
    return path.read_bytes().decode("utf-8-sig")


def _parsed(setting: KnownSetting, text: str) -> Any:
    """Parse the text of a variable; a text that can't be parsed stays as it is, and is refused by name later."""
    try:
        if setting.kind in (int, float):
            return setting.kind(text)
        if setting.kind in (bool, dict) or (setting.kind is list and text.lstrip().startswith("[")):
            return json.loads(text)
    except (ValueError, RecursionError):
        return text
    if setting.kind is list:
        return [item.strip() for item in text.split(",") if item.strip()]
    return text
