"""Tell whether `docker compose` opens files outside the workspace that a project's own files name: it prints lines that
it can't read, and its jail sees the home.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import yaml

_STEMS = ("compose", "compose.override", "docker-compose", "docker-compose.override")
_PROJECT_FILES = tuple(f"{stem}.{end}" for stem in _STEMS for end in ("yaml", "yml"))
_LARGEST = 200_000
_MOST_FILES = 50
_DEEPEST = 50
_MOST_ALIASES = 30
"""Each may double what the ones before it stand for."""

_STEERS = b"COMPOSE_"
"""Variables by which a file of them names further files."""


class _Unclear(Exception):
    """It isn't known which files are named, or one lies outside."""


def composes_within(root: Path, paths: Iterable[str]) -> bool:
    """Return whether the projects at `paths` name no file outside the workspace folder, those around it none outside
    their own folder. `paths` are absolute, or relative to `root`: folders where docker may start, and files that it is
    told. False also for what can't be read.
    """
    real_root = Path(os.path.realpath(root))
    named = [Path(os.path.realpath(real_root / path)) for path in paths]
    folders = [path for path in named if path.is_dir()]
    projects = [*(path for path in named if path.is_file()), *(file for each in folders for file in _files_for(each))]
    seen: set[Path] = set()
    try:
        for folder in folders:
            _check(folder / ".env", real_root)
        while projects:
            file = projects.pop()
            if file not in seen:
                seen.add(file)
                projects += _check_project(file, folders, real_root)
            if len(seen) > _MOST_FILES:
                return False
    except (_Unclear, OSError, ValueError, RecursionError, yaml.YAMLError):
        return False
    return True


def _files_for(folder: Path) -> Iterator[Path]:
    """Yield the files of the project that docker finds from a folder."""
    for at in (folder, *folder.parents):
        if found := [at / name for name in _PROJECT_FILES if os.path.lexists(at / name)]:
            yield from found
            return


def _check_project(file: Path, folders: Iterable[Path], root: Path) -> list[Path]:
    """Return the projects that a file of one takes in. Raises _Unclear, OSError, ValueError and YAMLError."""
    found: list[Path] = []
    data = _check(file, root)
    for project in _load(data):
        for name, is_project in _named_in(project):
            if not isinstance(name, str) or "$" in name or Path(name).is_absolute():
                raise _Unclear
            places = [folder / name for folder in (file.parent, *folders)]
            for place in places:
                _check(place, root)
            found += [place for place in places if is_project and place.is_file()]
    return found


def _load(data: bytes) -> Iterator[Any]:
    """Return the documents of a file that is neither nested so deeply nor repeated so often that reading it would cost
    the process. Raises _Unclear, ValueError and YAMLError.
    """
    loader = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
    depth = aliases = 0
    for event in yaml.parse(data, loader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        aliases += isinstance(event, yaml.AliasEvent)
        if depth > _DEEPEST or aliases > _MOST_ALIASES:
            raise _Unclear
    return yaml.load_all(data, loader)


def _check(file: Path, root: Path) -> bytes:
    """Return what a file holds, if it is there. Raises _Unclear, and OSError."""
    inside = root if file.is_relative_to(root) else file.parent
    if not Path(os.path.realpath(file)).is_relative_to(inside):
        raise _Unclear
    data = file.read_bytes() if file.is_file() else b""
    if len(data) > _LARGEST or _STEERS in data:
        raise _Unclear
    return data


def _named_in(project: Any) -> Iterator[tuple[Any, bool]]:
    """Yield what a project names as files, with whether they are of projects, too, and not of variables."""
    if not isinstance(project, dict):
        return
    yield from ((name, True) for name in _each(project.get("include")))
    services = project.get("services")
    for service in services.values() if isinstance(services, dict) else ():
        if isinstance(service, dict):
            extends = service.get("extends")
            yield from [(extends["file"], True)] if isinstance(extends, dict) and "file" in extends else []
            yield from ((name, False) for key in ("env_file", "label_file") for name in _each(service.get(key)))


def _each(value: Any) -> Iterator[Any]:
    for entry in value if isinstance(value, list) else [value]:
        if isinstance(entry, dict):
            if "project_directory" in entry:
                raise _Unclear
            yield from _each(entry.get("path"))
            yield from _each(entry.get("env_file"))
        elif entry is not None:
            yield entry
