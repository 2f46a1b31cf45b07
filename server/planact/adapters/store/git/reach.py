"""Tell whether git opens files beyond the repositories that it is asked in, by their files alone, not by git."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from planact.adapters.store.git.servers import is_surely_repository, settings_of
from planact.base.git_settings import git_path

_MOST_ENTRIES = 20_000
_LARGEST = 100_000
_NOT_READ = ("hooks", "lfs", "modules", "worktrees")
_OBJECTS_ELSEWHERE = ("objects/info/alternates", "objects/info/http-alternates")


def keeps_to_repositories(root: Path, paths: Iterable[str]) -> bool:
    """Return whether git opens nothing outside the repositories around `paths` (absolute, or relative to `root`), as it
    does by a link, by settings that include others, or where another repository keeps the objects. False also for one
    that is too large to look at.
    """
    root = Path(os.path.realpath(root))
    places = dict.fromkeys(Path(os.path.realpath(root / path)) for path in paths)
    return all(_keeps_to(git, root) for git in dict.fromkeys(git for place in places for git in _marks(place)))


def _marks(place: Path) -> Iterator[Path]:
    """Yield each `.git` around a place, to the first that git is sure to take for one."""
    for git in (folder / ".git" for folder in (place, *place.parents)):
        if os.path.lexists(git):
            yield git
            if not os.path.isdir(git) or is_surely_repository(git):
                return


def _keeps_to(git: Path, root: Path) -> bool:
    try:
        own = git if git.is_dir() else Path(os.path.realpath(git.parent / _path_in(git)))
        # That git links back from the folder that it keeps of a worktree, only git can have done.
        is_worktree = git.is_file() and own.parent.name == "worktrees" and not own.is_relative_to(root)
        if is_worktree and os.path.realpath(_path_in(own / "gitdir")) == str(git):
            return True
        common = own / _path_in(own / "commondir") if os.path.lexists(own / "commondir") else own
        folders = {own, Path(os.path.realpath(common))}
        is_here = all(folder.is_relative_to(root) or folder.is_relative_to(git.parent) for folder in folders)
        return is_here and not git.is_symlink() and all(map(_is_closed, folders))
    except (OSError, ValueError):
        return False


def _path_in(file: Path) -> str:
    return git_path(file.read_bytes()[:_LARGEST])


def _is_closed(folder: Path) -> bool:
    """Raises OSError."""
    if any(os.path.lexists(folder / name) for name in _OBJECTS_ELSEWHERE):
        return False
    if any(each.section in ("include", "includeif") for each in settings_of(folder)):
        return False
    count, waiting = 0, [str(folder)]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                count += 1
                if entry.is_symlink() or count > _MOST_ENTRIES:
                    return False
                is_read = entry.name not in _NOT_READ or Path(entry.path).parent != folder
                waiting += [entry.path] if is_read and entry.is_dir() else []
    return True
