"""Folders outside the workspace that hold software and no data of the user's, readable without a question.

The classifier, the reading tools and the jails share this list, so that jails allow each path that isn't asked about.
"""

import contextlib
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePath

from planact.model.rights.jail import JailProfile

_SYSTEM = (
    *("/usr/include", "/usr/lib", "/usr/share", "/usr/src"),
    *("/usr/local/include", "/usr/local/lib", "/usr/local/share", "/usr/local/src", "/usr/local/go"),
)
_IN_HOME = (
    *(".cargo/registry", ".cargo/git", ".rustup/toolchains", "go/pkg/mod", ".m2/repository"),
    *(
        ".local/lib",
        ".nvm/versions",
        ".pyenv/versions",
        ".local/share/uv/python",
        ".rbenv/versions",
        ".nodenv/versions",
    ),
    *(".asdf/installs", ".sdkman/candidates", ".local/share/mise/installs", ".bun/install/cache", ".nuget/packages"),
    *(".gem/ruby", ".ivy2/cache", ".pub-cache/hosted"),
)
_BY_VARIABLE = {
    "CARGO_HOME": ("registry", "git"),
    "RUSTUP_HOME": ("toolchains",),
    "GOMODCACHE": ("",),
    "GOPATH": ("pkg/mod",),
    "GOROOT": ("src",),
}
_LIBRARY = re.compile(r"lib(?:64)?/python3\.\d+t?\Z")


def dependency_sources(environment: Mapping[str, str], home: Path, workspace: Path) -> tuple[Path, ...]:
    """Return the existing folders, by the name people use and by the real path; none contains the home or the
    workspace.
    """
    candidates = [*map(Path, _SYSTEM), *(home / name for name in _IN_HOME)]
    candidates += sorted(home.glob(".gradle/caches/modules-*"))
    for variable, names in _BY_VARIABLE.items():
        value = environment.get(variable, "").split(os.pathsep)[0]
        candidates += [Path(value) / name for name in names if Path(value).is_absolute()]
    candidates += _python_libraries(environment, workspace)
    # A link there may be the repository's own, of which the workspace is a part.
    above = (folder / "node_modules" for folder in workspace.parents)
    candidates += [folder for folder in above if not os.path.islink(folder)]
    return usable_folders(candidates, home, workspace)


def usable_folders(folders: Iterable[Path], home: Path, workspace: Path) -> tuple[Path, ...]:
    """Return the existing folders, by the given name and by the real path, without any that contains the home or the
    workspace by any path.
    """
    inner = [Path(os.path.realpath(path)) for path in (home, workspace)]
    found: dict[Path, None] = {}
    for folder in folders:
        real = Path(os.path.realpath(folder))
        if os.path.isdir(real) and not any(each.is_relative_to(real) for each in inner):
            found |= {Path(os.path.normpath(folder)): None, real: None}
    return tuple(found)


def links_in_home(folders: Iterable[Path], home: Path) -> tuple[tuple[str, Path], ...]:
    """Return links for a home that stands for the user's: paths below it, and those of the folders that they lead
    to.
    """
    found: list[tuple[str, Path]] = []
    for folder in sorted(set(folders)):
        is_inside = any(folder.is_relative_to(home / name) for name, _ in found)
        if folder.is_relative_to(home) and folder != home and not is_inside:
            found.append((folder.relative_to(home).as_posix(), Path(os.path.realpath(folder))))
    return tuple(found)


def ways_to(paths: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """Yield the links that lead to absolute paths and to what these lead to in turn, and what each of them names."""
    met: set[Path] = set()
    waiting = [Path(os.path.normpath(path)) for path in paths if path.is_absolute()]
    while waiting:
        path = waiting.pop()
        for above in (path, *path.parents):
            if above in met:
                break
            met.add(above)
            with contextlib.suppress(OSError):
                named = os.readlink(above)  # noqa: PTH115 - as it is written
                link = Path(os.path.realpath(above.parent), above.name)
                waiting.append(Path(os.path.normpath(link.parent / named)))
                yield str(link), named


def outermost(paths: Iterable[PurePath], cuts: Sequence[PurePath]) -> tuple[PurePath, ...]:
    """Return the existing paths that lie in none of the others, without a cut between: each costs time."""
    found: dict[str, PurePath] = {}
    ends = set(map(str, cuts))
    for path in sorted(set(paths)):  # a folder before its entries
        name = str(path)
        if not _is_covered(name, found, ends) and os.path.lexists(name):
            found[name] = path
    return tuple(found.values())


def _is_covered(name: str, found: Collection[str], cuts: Collection[str]) -> bool:
    above = os.path.dirname(name)  # noqa: PTH120 - a path's `parents` take ten times as long
    while not (name in found or name in cuts or name == above):
        name, above = above, os.path.dirname(above)  # noqa: PTH120
    return name in found


def with_links(profile: JailProfile, outside: Iterable[str], environment: Mapping[str, str]) -> JailProfile:
    """Return the profile with links to what it opens of the user's home, where a command looks for it by a tilde."""
    if profile.name != "outside-read":
        return profile
    home = Path(os.path.realpath(environment.get("HOME") or Path.home()))
    linked = (home / name for name, _ in profile.links)
    return replace(profile, links=links_in_home((*linked, *map(Path, outside)), home))


def _python_libraries(environment: Mapping[str, str], workspace: Path) -> Iterator[Path]:
    """Return the libraries of the interpreter in use and of the one below the workspace's environment."""
    names = (Path(folder) / "python3" for folder in environment.get("PATH", "").split(os.pathsep))
    used = next((path for path in names if path.is_absolute() and os.path.isfile(path)), None)
    made_from = workspace / ".venv/bin/python"
    for program in (used, made_from):
        if program is None or not os.path.isfile(program):
            continue
        for prefix in dict.fromkeys((program.parent.parent, Path(os.path.realpath(program)).parent.parent)):
            for library in sorted(prefix.glob("lib*/python3.*")):
                # A repository can make its own environment lead anywhere.
                if _LIBRARY.search(os.path.realpath(library)):
                    yield library
