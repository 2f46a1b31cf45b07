"""What bubblewrap mounts for an unknown command, which on trial writes a folder but for some entries in it."""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path, PurePath

from planact.adapters.sandbox.limits.lasting_home import make_caches
from planact.adapters.sandbox.spawner import Start
from planact.base.own_folders import TRIAL_TMP, is_real_folder, temporary_beside
from planact.model.rights.jail import JailProfile

Options = tuple[str, ...]


def mounts_of_unknown(profile: JailProfile, start: Start, own: Mapping[str, Options]) -> Iterator[str]:
    """Yield the options, with those of its `own` files: folders before their entries, and of one path the strictest."""
    view = start.view
    mounts: dict[str, Options] = {}
    for path in map(str, view.readable or ()):
        if not is_made(path):
            mounts[path] = ("--ro-bind-try", path, path)
    for path in map(str, (*start.scratch, *profile.writable)):
        mounts[path] = ("--bind-try", path, path)
    for path in view.held:
        mounts[path] = ("--bind-try", path, path)
    own_folders = (path for path in profile.kept if any(path.is_relative_to(folder) for folder in profile.writable))
    for path in (*view.fixed, *map(str, own_folders)):
        mounts[path] = ("--ro-bind-try", path, path)
    empty = []
    for path in (*map(str, view.closed), *view.hidden):
        if os.path.isdir(path):
            empty.append(path)
            mounts[path] = ("--tmpfs", path)
        else:
            mounts[path] = ("--ro-bind-try", os.devnull, path)
    found = {path: options for path, options in mounts.items() if os.path.lexists(path)}
    # What is opened itself isn't made anew.
    opened = {*map(str, (*(view.readable or ()), *profile.writable))}
    found |= {path: ("--tmpfs", path) for path in (*view.empty, *map(str, profile.temporary)) if path not in opened}
    if TRIAL_TMP not in opened:
        found |= dict(_session_tmp(profile, start, found))
    found |= {**dict(_home(profile)), **own}
    yield from in_order(with_ways(found, view.ways))
    for path in (*(path for path in empty if PurePath(path) not in profile.temporary), "/"):
        yield from ("--remount-ro", path)


def is_made(path: str) -> bool:
    """Return whether bubblewrap makes what is at a path, such as the devices, instead of mounting it."""
    is_shared = path == "/dev/shm" or path.startswith("/dev/shm/")  # noqa: S108 - looked at, not written
    return path == "/proc" or (path.startswith("/dev/") and not is_shared)


def in_order(mounts: Mapping[str, Options]) -> Iterator[str]:
    """Yield the options of paths, folders before their entries."""
    for path in sorted(mounts, key=lambda path: path.count("/")):
        yield from mounts[path]


def with_ways(mounts: Mapping[str, Options], ways: Iterable[tuple[str, str]]) -> Mapping[str, Options]:
    """Return the mounts with the links `ways` that stand in none of them, but in what is empty."""
    found = dict(mounts)
    for path, named in ways:
        above = next((mounts[folder] for folder in map(str, PurePath(path).parents) if folder in mounts), None)
        is_free = path not in mounts and path.count("/") > 1 and not path.startswith(("/dev/", "/proc/"))
        if is_free and (above is None or above[0] == "--tmpfs") and os.path.islink(path):
            found[path] = ("--symlink", named, path)
    return found


def _session_tmp(profile: JailProfile, start: Start, mounted: Collection[str]) -> Iterator[tuple[str, Options]]:
    """Yield the session's `/tmp`, but where it would hide or keep what is opened there, or lead a mount elsewhere; and
    in it empty folders on the way to each mount, which no command can replace.
    """
    opened = [path for path in start.view.readable or () if path.is_relative_to(TRIAL_TMP)]
    if all(any(path.is_relative_to(folder) for folder in profile.writable) for path in opened):
        for tmp in filter(is_real_folder, map(temporary_beside, start.scratch)):
            if all(_is_free(tmp, path) for path in mounted):
                yield TRIAL_TMP, ("--bind", str(tmp), TRIAL_TMP)
                ways = {"/".join(path.split("/")[:3]) for path in mounted if path.startswith(f"{TRIAL_TMP}/")}
                yield from ((way, ("--tmpfs", way)) for way in ways.difference(mounted))


def _is_free(tmp: Path, path: str) -> bool:
    """Return whether `path` can be mounted in the folder `tmp`, where commands may have left links and files."""
    below = PurePath(path).parts[len(PurePath(TRIAL_TMP).parts) :] if path.startswith(f"{TRIAL_TMP}/") else ()
    way = [Path(tmp, *below[: count + 1]) for count in range(len(below))]
    return all(not os.path.lexists(each) or (each.is_dir() and not each.is_symlink()) for each in way)


def _home(profile: JailProfile) -> Iterator[tuple[str, Options]]:
    """Yield the caches of earlier commands and the links to the user's, in the home of this one."""
    if profile.lasting is None:
        return
    for folder in map(str, make_caches(profile.lasting, [name for name, _ in profile.links])):
        yield folder, ("--bind-try", folder, folder)
    for name, target in profile.links:
        path = str(Path(profile.lasting, name))
        yield path, ("--symlink", str(target), path)
