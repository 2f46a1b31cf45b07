"""Leave out modules that litellm imports and no conversation needs. Applied before litellm is imported."""

import ast
import importlib
import sys
from importlib.abc import SourceLoader
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import module_from_spec
from types import ModuleType
from typing import Any

from planact.adapters.llm.patches import tokenizers

REEXPORTING = (
    "openai.resources",
    "openai.types",
    "openai.types.audio",
    "openai.types.beta",
    "openai.types.beta.threads",
    "openai.types.chat",
    "openai.types.fine_tuning",
    "openai.types.responses",
    "openai.types.shared",
    "openai.types.shared_params",
)
"""Packages that only re-export the names of their modules, and import all of those for that."""

UNUSED = (
    "litellm.batches.batch_utils",
    "litellm.files.main",
    "litellm.fine_tuning.main",
    "litellm.integrations.agentops",
    "litellm.integrations.clickhouse.clickhouse_spend_logger",
    "litellm.integrations.opentelemetry",
    "litellm.proxy.openai_files_endpoints.common_utils",
    "litellm.rag.main",
    "litellm.realtime_api.main",
    "litellm.router",
    "litellm.types.interactions",
    "openai.lib.streaming._assistants",
)
"""Modules that no conversation uses: other modules import their names for annotations and `isinstance`."""


def leave_out_tokenizers() -> None:
    """Put an empty package in the place of litellm's tokenizers."""
    sys.modules["litellm.litellm_core_utils.tokenizers"] = tokenizers


def leave_out_command_line() -> None:
    """Have httpx find its command line missing; httpx handles that, since its dependencies are optional."""
    sys.modules["httpx._main"] = None  # type: ignore[assignment]


def leave_out_unused() -> None:
    """Have each name of the `UNUSED` modules be a class that can't be instantiated."""
    for name in UNUSED:
        sys.modules.setdefault(name, _Unused(name))


def import_names_late() -> None:
    """Have `REEXPORTING` packages import the module of a name only when that name is asked for."""
    for name in REEXPORTING:
        spec = _spec_of(name)
        if name not in sys.modules and spec is not None and (places := _reexported(spec)):
            sys.modules[name] = _late_package(spec, places)


class _Unused(ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        setattr(self, name, kind := type(name, (_Never,), {"__module__": self.__name__}))
        return kind


class _Never:
    def __class_getitem__(cls, _: Any) -> Any:
        return cls

    def __new__(cls, *_: Any, **__: Any) -> Any:
        raise NotImplementedError(f"planact leaves {cls.__module__}.{cls.__name__} out")


def _spec_of(name: str) -> ModuleSpec | None:
    """Return the spec of a package, without importing the packages above it."""
    above, _, _ = name.rpartition(".")
    spec = _spec_of(above) if above else None
    if above and spec is None:
        return None
    return PathFinder.find_spec(name, spec.submodule_search_locations if spec else None)


def _reexported(spec: ModuleSpec) -> dict[str, tuple[str, str]]:
    """Return the module and the name there of each name that a package re-exports; nothing where it does more."""
    if not isinstance(spec.loader, SourceLoader):
        return {}
    places: dict[str, tuple[str, str]] = {}
    for statement in ast.parse(spec.loader.get_source(spec.name) or "").body:
        match statement:
            case ast.ImportFrom(module=str(module), level=1, names=names):
                places |= {each.asname or each.name: (f"{spec.name}.{module}", each.name) for each in names}
            case ast.ImportFrom(module="__future__") | ast.Assign(targets=[ast.Name(id="__all__")]):
                pass
            case _:
                return {}
    return places


def _late_package(spec: ModuleSpec, places: dict[str, tuple[str, str]]) -> ModuleType:
    package = module_from_spec(spec)

    def find(asked: str) -> Any:
        if asked not in places:
            if below := sys.modules.get(f"{spec.name}.{asked}"):
                return below
            raise AttributeError(asked)
        module, name = places[asked]
        setattr(package, asked, found := getattr(importlib.import_module(module), name))
        return found

    package.__getattr__ = find  # type: ignore[method-assign]
    return package
