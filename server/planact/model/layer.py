"""One source of settings: what it says, and what is wrong with it. Also the list of all settings by their keys."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel

from planact.model.settings import FromRepository, Settings

Source = Literal["user", "repository", "editor", "environment", "flags"]
"""In the order in which later ones win."""


@dataclass(frozen=True, slots=True)
class SettingProblem:
    """An invalid entry in a source of settings; `message` names it, the cause and the next step.

    Attributes:
        is_unclear: it is the user's own, and may be a limit, or say where their words may go: no model is asked until
            it is corrected.
    """

    source: Source
    key: str
    message: str
    is_unclear: bool = False


@dataclass(frozen=True, slots=True)
class Layer:
    """The settings of one source.

    Attributes:
        name: shown to people, for example the path of its file.
        values: nested (`{"limits": {"maxTurns": 5}}`) or flat (`{"limits.maxTurns": 5}`); None = not set.
        is_trusted: False for a repository's own settings until the user trusts the folder.
        problems: problems found while reading the source.
    """

    source: Source
    name: str
    values: Mapping[str, Any]
    is_trusted: bool = True
    problems: tuple[SettingProblem, ...] = ()


@dataclass(frozen=True, slots=True)
class KnownSetting:
    """A setting as its users name it.

    Attributes:
        key: `limits.maxTurns`.
        variable: `PLANACT_LIMITS_MAX_TURNS`.
        path: names of attributes from `Settings` down.
        group: the model that checks the value.
        kind: the Python type of the value; `choices` are in the order from strict to loose.
    """

    key: str
    variable: str
    path: tuple[str, ...]
    group: type[BaseModel]
    from_repository: FromRepository
    kind: Any
    choices: tuple[str, ...] = ()


def _known(group: type[BaseModel], path: tuple[str, ...], prefix: str) -> tuple[KnownSetting, ...]:
    found: list[KnownSetting] = []
    for name, field in group.model_fields.items():
        key, annotation = prefix + (field.alias or name), field.annotation
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            found += _known(annotation, (*path, name), f"{key}.")
            continue
        extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
        found.append(
            KnownSetting(
                key=key,
                variable="PLANACT_" + re.sub(r"(?<=[a-z])(?=[A-Z])|\.", "_", key).upper(),
                path=(*path, name),
                group=group,
                from_repository=extra.get("fromRepository", "never"),  # type: ignore[arg-type] # JSON, as written there
                kind=str if get_origin(annotation) is Literal else get_origin(annotation) or annotation or str,
                choices=get_args(annotation) if get_origin(annotation) is Literal else (),
            )
        )
    return tuple(found)


KNOWN_SETTINGS: tuple[KnownSetting, ...] = _known(Settings, (), "")
