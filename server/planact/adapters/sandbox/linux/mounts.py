"""What bubblewrap mounts for an unknown command, which on trial writes a folder but for some entries in it."""

import os
from collections.abc import Iterable, Iterator, Mapping
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
        if not path.startswith("/dev/") and path != "/proc":
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
    found |= {path: ("--tmpfs", path) for path in (*view.empty, *map(str, profile.temporary))}
    found |= {**dict(_session_tmp(profile, start, found)), **dict(_home(profile)), **own}
    for path in sorted(found, key=lambda path: path.count("/")):
        yield from found[path]
    for path in (*(path for path in empty if PurePath(path) not in profile.temporary), "/"):
        yield from ("--remount-ro", path)


def _session_tmp(profile: JailProfile, start: Start, mounted: Iterable[str]) -> Iterator[tuple[str, Options]]:
    """Yield the session's `/tmp`, but where it would hide or keep what is opened there, or lead a mount elsewhere."""
    opened = [path for path in start.view.readable or () if path.is_relative_to(TRIAL_TMP)]
    if all(any(path.is_relative_to(folder) for folder in profile.writable) for path in opened):
        for tmp in filter(is_real_folder, map(temporary_beside, start.scratch)):
            if all(_is_free(tmp, path) for path in mounted):
                yield TRIAL_TMP, ("--bind", str(tmp), TRIAL_TMP)


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
