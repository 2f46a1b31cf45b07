"""All sources of settings merged, with the rule that an untrusted repository can only tighten.

The values of an untrusted repository are put on top of all others, so that its `commands.deny` and other limits hold. A
value that can't be used leaves all others in force, and one of the user's own keeps models from being asked.
"""

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any, assert_never, get_args

from planact.model.layer import KNOWN_SETTINGS, KnownSetting, Layer, SettingProblem, Source
from planact.model.settings import Settings
from planact.policy import mcp, model_settings

_TABLES: Mapping[str, Callable[[Any], tuple[Mapping[str, Any], list[tuple[str, str]]]]] = {
    mcp.SERVERS_KEY: mcp.read_servers,
    model_settings.MODELS_KEY: model_settings.read_models,
}
"""Settings that are read entry by entry, and never shown."""

_SHOWN = 80
_BY_KEY = {setting.key: setting for setting in KNOWN_SETTINGS}
_GROUPS = {setting.key.partition(".")[0] for setting in KNOWN_SETTINGS if "." in setting.key}


@dataclass(frozen=True, slots=True)
class MergedSettings:
    """The settings that count, and the problems of those that don't.

    `tightened` are keys that an untrusted repository made stricter, so that no later source may loosen them.
    """

    settings: Settings
    problems: tuple[SettingProblem, ...]
    tightened: frozenset[str] = frozenset()

    @property
    def unclear(self) -> str:
        """The first problem of what the user has set; empty where all of it can be read."""
        return next((problem.message for problem in self.problems if problem.is_unclear), "")


def merge(layers: Sequence[Layer]) -> MergedSettings:
    """Return the merged settings of all sources, given in any order.

    Flags win over the environment, that over the editor, a trusted repository, the user's file and the defaults; an
    untrusted repository tightens the result.
    """
    values = {setting.key: _default(setting) for setting in KNOWN_SETTINGS}
    problems: list[SettingProblem] = []
    tightened: set[str] = set()
    for layer in sorted(layers, key=_rank):
        problems += layer.problems
        said, wrong = _read(layer)
        problems += wrong
        if layer.source == "repository":
            problems += _leave_out_the_users(said, layer)
        if layer.is_trusted:
            tables = {key: {**values[key], **said.get(key, {})} for key in _TABLES}  # each source adds to them
            values |= said | tables
        else:
            loose = _tighten(values, said, layer)
            problems += loose
            tightened |= said.keys() - {problem.key for problem in loose}
    return MergedSettings(_built(values), tuple(problems), frozenset(tightened))


def unknown(layer: Source, name: str, key: str, known: Iterable[str]) -> SettingProblem:
    """Return the problem of an unknown key, with the nearest known one."""
    near = difflib.get_close_matches(key, tuple(known), n=1, cutoff=0.5)
    advice = f"did you mean '{near[0]}'?" if near else "remove it, or correct its name"
    return SettingProblem(layer, key, f"no setting named {_shown(key)} in {name}; {advice}")


def _rank(layer: Layer) -> int:
    order = get_args(Source)
    return order.index(layer.source) if layer.is_trusted else len(order)


def _read(layer: Layer) -> tuple[dict[str, Any], list[SettingProblem]]:
    """The values of a layer by key, checked one by one."""
    said: dict[str, Any] = {}
    problems: list[SettingProblem] = []
    for key, value in _flat(layer.values):
        setting = _BY_KEY.get(key)
        if setting is None:
            problem = unknown(layer.source, layer.name, key, _BY_KEY)
            problems.append(replace(problem, is_unclear=key in _GROUPS and layer.source != "repository"))
        elif key in _TABLES and value is not None:
            said[key], wrong = _TABLES[key](value)
            is_unclear = key == model_settings.MODELS_KEY and layer.source != "repository"
            problems += [
                SettingProblem(layer.source, at, f"{at} in {layer.name} {text}", is_unclear) for at, text in wrong
            ]
        elif value is not None:
            try:
                said[key] = _checked(setting, value)
            except ValueError:
                message = f"{key} in {layer.name} is {_shown(value)}; expected {_expected(setting)}"
                problems.append(SettingProblem(layer.source, key, message, layer.source != "repository"))
    return said, problems


def _flat(values: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    for key, value in values.items():
        if key in _GROUPS and isinstance(value, Mapping):
            yield from ((f"{key}.{name}", item) for name, item in value.items())
        else:
            yield key, value


def _checked(setting: KnownSetting, value: Any) -> Any:
    """The value as the model has it. Raises ValueError, also as pydantic's."""
    name = setting.path[-1]
    checked = getattr(setting.group.model_validate({name: value}, strict=True), name)
    return _folder(checked) if setting.key == "plansDirectory" else checked


def _folder(text: str) -> str:
    path = PurePosixPath(text)
    is_odd = "\\" in text or "\0" in text or text.startswith("~") or PureWindowsPath(text).drive
    if is_odd or path.is_absolute() or ".." in path.parts or path == PurePosixPath() or path.parts[0].lower() == ".git":
        raise ValueError(text)
    return str(path)


def _leave_out_the_users(said: dict[str, Any], layer: Layer) -> list[SettingProblem]:
    """Remove settings that no repository may make, trusted or not: commands that run without a question."""
    found = [key for key in said if _BY_KEY[key].from_repository == "user"]
    for key in found:
        del said[key]
    return [
        SettingProblem(
            layer.source, key, f"{key} in {layer.name} is ignored: only you may set it. Set it in your own settings"
        )
        for key in found
    ]


def _tighten(values: dict[str, Any], said: Mapping[str, Any], layer: Layer) -> list[SettingProblem]:
    """Put the values that tighten into `values`, and return the problems of the others."""
    problems = []
    for key, value in said.items():
        setting = _BY_KEY[key]
        tighter = _tighter(setting, values[key], value)
        if tighter is None:
            message = (
                f"{key} in {layer.name} is ignored: {_why(setting, values[key])}. "
                "Set it in your own settings, or trust the folder"
            )
            problems.append(SettingProblem(layer.source, key, message))
        else:
            values[key] = tighter
    return problems


def _tighter(setting: KnownSetting, now: Any, said: Any) -> Any:
    """Return `now` as tightened by the repository's value; None where that would not tighten."""
    match setting.from_repository:
        case "never" | "user":
            return None
        case "adds":
            takes_back = setting.key == "ignore" and any(item.startswith("!") for item in said)
            return None if takes_back else [*now, *(item for item in said if item not in now)]
        case "lowers":
            return said if (said or inf) <= (now or inf) else None
        case "stricter":
            return said if setting.choices.index(said) <= setting.choices.index(now) else None
    assert_never(setting.from_repository)


def _why(setting: KnownSetting, now: Any) -> str:
    match setting.from_repository:
        case "never" | "user":
            return "only you may set it"
        case "adds":
            return "it may only be added to, and a pattern that begins with ! takes away"
        case "lowers":
            return f"a repository may only lower it, and it is {now or 'without a limit'}"
        case "stricter":
            return f"a repository may only make it stricter, and it is {_shown(now)}"
    assert_never(setting.from_repository)


def _default(setting: KnownSetting) -> Any:
    return setting.group.model_fields[setting.path[-1]].get_default(call_default_factory=True)


def _built(values: Mapping[str, Any]) -> Settings:
    tree: dict[str, Any] = {}
    for key, value in values.items():
        *groups, name = _BY_KEY[key].path
        into = tree
        for group in groups:
            into = into.setdefault(group, {})
        into[name] = value
    return Settings.model_validate(tree)


def _expected(setting: KnownSetting) -> str:
    if setting.key == "plansDirectory":
        return "a relative path inside the workspace, without `..`"
    if setting.choices:
        return "one of " + ", ".join(f"'{choice}'" for choice in setting.choices)
    word = {
        bool: "true or false",
        int: "a whole number",
        float: "a number",
        str: "a text",
        list: "a list of texts",
        dict: "a table",
    }
    least = [item.ge for item in setting.group.model_fields[setting.path[-1]].metadata if hasattr(item, "ge")]
    return word[setting.kind] + "".join(f" of at least {number}" for number in least)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
