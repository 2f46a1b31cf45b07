"""List the files of a folder in order, without following links, by `.gitignore` and `.ignore`."""

import os
from collections.abc import Callable, Container, Iterable, Iterator, Sequence, Set
from pathlib import Path
from typing import NamedTuple, Protocol

from planact.adapters.store.disk.atomic import TEMPORARY_PREFIX, is_temporary, read_regular
from planact.adapters.store.disk.ignore_rules import LARGEST_IGNORE_FILE, IgnoreRules
from planact.adapters.store.disk.scan_below import FolderScanner

_NAMES = (".ignore", ".gitignore")
_FILE, _DIRECTORY, _OTHER = range(3)  # the first one is no kind to tell apart


class ListedFile(NamedTuple):
    """A regular file below a root: its path relative to that, with `/`."""

    path: str
    root: str

    def status(self) -> os.stat_result | None:
        """Return the `stat`, which costs more than all else; None where the file is gone."""
        try:
            return os.lstat(f"{self.root}/{self.path}")
        except OSError:
            return None


class ListedFolder(NamedTuple):
    """A folder in which there are regular files alone, none of them left out: its path relative to the root, empty for
    that, and their names. Most folders are such ones, and a program can be sent there in place of to each file.
    """

    path: str
    names: Set[str]
    root: str

    def files(self) -> Iterator[ListedFile]:
        base = f"{self.path}/" if self.path else ""
        return (ListedFile(base + name, self.root) for name in sorted(self.names))


def each_file(listed: Iterable[ListedFile | ListedFolder]) -> Iterator[ListedFile]:
    """Yield all files, those in folders in their order."""
    for one in listed:
        if isinstance(one, ListedFolder):
            yield from one.files()
        else:
            yield one


def files_among(
    one: ListedFile | ListedFolder, fitting: Callable[[Sequence[str]], Sequence[str]]
) -> Iterator[ListedFile]:
    """Yield those of the files whose paths `fitting` returns of all their paths."""
    if isinstance(one, ListedFile):
        yield from [one] if fitting([one.path]) else ()
        return
    base = f"{one.path}/" if one.path else ""
    for path in fitting([base + name for name in sorted(one.names)]):
        yield ListedFile(path, one.root)


def files_that_fit(listed: Iterable[ListedFile | ListedFolder], glob: IgnoreRules) -> Iterator[ListedFile]:
    """Yield the files whose names pass a filter."""
    for one in listed:
        if isinstance(one, ListedFile) or glob.can_match(one.path, "".join(f"/{name}" for name in one.names)):
            yield from (file for file in each_file([one]) if glob.verdict(file.path, is_directory=False))


class _Rules(NamedTuple):
    """The ignore files that apply to a directory, those above it first; files without rules are left out."""

    ignore: tuple[IgnoreRules, ...] = ()
    gitignore: tuple[IgnoreRules, ...] = ()

    def below(self, root: Path, directory: str, names: Container[str]) -> "_Rules":
        """Add the ignore files of one directory further down, which has entries of these names."""
        found: list[tuple[IgnoreRules, ...]] = []
        for name, above in zip(_NAMES, self, strict=True):
            here = IgnoreRules(_lines(root / directory / name), directory) if name in names else None
            found.append(above if here is None or here.is_empty else (*above, here))
        return _Rules(*found)


class OnSkipped(Protocol):
    """Hears of a path that is left out: by `rules`, or, where they are None, by ignore files of the tree."""

    def __call__(self, path: str, rules: IgnoreRules | None, *, is_directory: bool) -> object: ...


def walk(
    root: Path,
    start: str,
    hidden: Sequence[IgnoreRules],
    left_out: frozenset[str],
    suffix: str = "",
    on_skipped: OnSkipped = lambda path, rules, *, is_directory: None,  # noqa: ARG005
    *,
    heeds_ignore_files: bool = True,
) -> Iterator[ListedFile | ListedFolder]:
    """Yield regular files below the directory `start` (relative to `root`, empty = the root), sorted in each directory,
    with names that end in `suffix`; no `stat` is made. Folders with such files alone come whole.

    Leaves out paths that `hidden` hides, directories named in `left_out`, and, where these are heeded, files that
    ignore files between the root and them ignore. `start` itself isn't matched: a caller that names an ignored
    directory wants it.
    """
    parts = start.split("/") if start else []
    rules = _Rules() if heeds_ignore_files else None
    if rules is not None:
        for count in range(len(parts)):
            rules = rules.below(root, "/".join(parts[:count]), _NAMES)
    hidden = [each for each in hidden if not each.is_empty]
    folders = FolderScanner(root)
    stack = [iter(_entries(root, folders, start, rules, hidden, left_out, suffix, on_skipped))]
    try:
        while stack:
            entry = next(stack[-1], None)
            if entry is None:
                stack.pop()
            elif isinstance(entry, ListedFile | ListedFolder):
                yield entry
            else:
                path, above = entry
                stack.append(iter(_entries(root, folders, path, above, hidden, left_out, suffix, on_skipped)))
    finally:
        folders.close()


def _entries(
    root: Path,
    folders: FolderScanner,
    directory: str,
    above: _Rules | None,
    hidden: Sequence[IgnoreRules],
    left_out: frozenset[str],
    suffix: str,
    on_skipped: OnSkipped,
) -> list[ListedFile | ListedFolder | tuple[str, _Rules | None]]:
    """Return the files of a directory, or itself where that says as much, and its directories with their rules, which
    are None where ignore files aren't heeded.
    """
    try:
        with folders.entries(directory) as scanned:
            kinds = {entry.name: _kind(entry) for entry in scanned}
    except OSError:
        return []
    rules = None if above is None else above.below(root, directory, kinds)
    names = "".join([f"/{name}" for name in kinds])
    hidden = [each for each in hidden if each.can_match(directory, names)]
    is_ruled = any(each.can_match(directory, names) for files in rules or () for each in files)
    has_temporary = f"/{TEMPORARY_PREFIX}" in names
    if not (hidden or is_ruled or has_temporary or suffix) and names.isascii() and not any(kinds.values()):
        return [ListedFolder(directory, kinds.keys(), os.fspath(root))]
    base = f"{directory}/" if directory else ""
    found: list[ListedFile | ListedFolder | tuple[str, _Rules | None]] = []
    for name in sorted(kinds):
        path, is_directory = base + name, kinds[name] == _DIRECTORY
        if not (is_directory or (name.endswith(suffix) and kinds[name] == _FILE)) or not _is_text(path):
            continue
        if (has_temporary and is_temporary(name)) or (is_directory and name in left_out):
            continue
        if hidden or is_ruled:
            hiding = next((each for each in hidden if each.verdict(path, is_directory=is_directory)), None)
            if hiding is not None or (is_ruled and rules and _is_ignored(path, is_directory, rules)):
                on_skipped(path, hiding, is_directory=is_directory)
                continue
        found.append((path, rules) if is_directory else ListedFile(path, os.fspath(root)))
    return found


def _kind(entry: "os.DirEntry[str]") -> int:
    try:
        if entry.is_file(follow_symlinks=False):
            return _FILE
        return _DIRECTORY if entry.is_dir(follow_symlinks=False) else _OTHER
    except OSError:
        return _OTHER


def _is_text(path: str) -> bool:
    """Return False for a name that is no text, which can't be shown or asked for."""
    try:
        return path.isascii() or bool(path.encode())
    except UnicodeEncodeError:
        return False


def _is_ignored(path: str, is_directory: bool, rules: _Rules) -> bool:
    """Return the verdict of the nearest file that has one; `.ignore` files before `.gitignore` files."""
    for files in rules:
        for file in reversed(files):
            verdict = file.verdict(path, is_directory=is_directory)
            if verdict is not None:
                return verdict
    return False


def _lines(path: Path) -> list[str]:
    try:
        return read_regular(path, LARGEST_IGNORE_FILE).decode("utf-8-sig", "replace").split("\n")
    except OSError:
        return []
