"""The disk below one workspace folder: real paths, contents, and changes that leave no half-written file.

Each change first checks that its place still leads to the path that was judged.
"""

import asyncio
import hashlib
import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path, PurePath, PurePosixPath

from planact.adapters.store.disk import atomic
from planact.adapters.store.disk.digests import Digests, file_stamp, identity_of, remove_identical
from planact.adapters.store.disk.failures import conflict, convert_read_errors, missing
from planact.adapters.store.disk.ignore_rules import LARGEST_IGNORE_FILE, IgnoreRules
from planact.adapters.store.disk.pinned_folder import pinned_entry, pinned_folder
from planact.adapters.store.disk.true_path import folds_case, is_windows_trap, real_path, true_case
from planact.adapters.store.disk.walk import ListedFile, ListedFolder, each_file, files_among, files_that_fit, walk
from planact.adapters.store.git.branch import current_branch
from planact.adapters.store.search.files_with import FilesWith, files_with
from planact.adapters.store.search.large_files import SearchedFiles
from planact.adapters.store.search.own_lines import text_below
from planact.adapters.store.search.query import compile_glob, compile_search
from planact.adapters.store.search.skipped import RECORDS, SkipList
from planact.adapters.store.search.text import excerpt, found_below, search_texts, skipped_below
from planact.base.errors import EditFailure, InvalidInput
from planact.base.paths import Place, path_below
from planact.model.file import FileInfo, FileList, FoundFile, SearchPage, SearchResult
from planact.ports import IsPublic

IGNORE_FILE = ".planactignore"

_LARGEST_EDITED = 256_000_000


class DiskFiles:
    """`ports.Files`.

    Args:
        root: the workspace folder.
        ignore: the user's patterns, as in `.gitignore`.
        ripgrep: the program's path (`search.find_ripgrep`), or None for planact's own program.
        search_seconds: the time limit of a search.
        readable: returns the further readable folders at the time.
        hiding: further patterns that hide files.
    """

    def __init__(
        self,
        root: Path,
        ignore: Sequence[str] = (),
        ripgrep: str | None = None,
        search_seconds: float = 30.0,
        readable: Callable[[], Sequence[PurePath]] = tuple,
        is_public: IsPublic | None = None,
        hiding: Sequence[IgnoreRules] = (),
    ) -> None:
        self.root = Path(os.path.realpath(root))
        self._root = str(self.root)
        self._ripgrep = ripgrep
        self._search_seconds = search_seconds
        self._readable = readable
        self._is_public = is_public
        self._more_hiding = tuple(hiding)
        self._digests = Digests()
        self._folds_case = folds_case(self.root)
        self._hidden: tuple[tuple[int, ...], tuple[IgnoreRules, ...]] = ((), (IgnoreRules(ignore),))

    # --- looking

    def resolve(self, path: str) -> Place:
        """Resolve a path. One that can't be examined (a loop of links, no permission) counts as outside."""
        try:
            name = real_path(os.path.join(self._root, path))  # noqa: PTH118 (speed)
            real = true_case(Path(name)) if self._folds_case else Path(name)
            below = path_below(self._root, str(real))
            relative = None if below is None else PurePosixPath(below)
            if relative is not None and os.name == "nt" and is_windows_trap(str(relative)):
                return Place(path, real, None)
            status = real.lstat()
        except (FileNotFoundError, NotADirectoryError):
            return Place(path, real, relative)
        except (OSError, ValueError):
            return Place(path, PurePath(path), None)
        if stat.S_ISLNK(status.st_mode):
            return Place(path, real, None)
        is_directory = stat.S_ISDIR(status.st_mode)
        return Place(path, real, relative, True, is_directory, is_shared=not is_directory and status.st_nlink > 1)

    def resolve_entry(self, path: str) -> Place:
        asked = Path(path)
        if asked.name in ("", ".."):
            return self.resolve(path)
        folder = self.resolve(str(asked.parent))
        try:
            real = Path(folder.real) / asked.name
            real = true_case(real) if self._folds_case else real
            if folder.relative is None or not stat.S_ISLNK(real.lstat().st_mode):
                return self.resolve(path)
        except (OSError, ValueError):
            return self.resolve(path)
        return Place(path, real, PurePosixPath(real.relative_to(self.root).as_posix()), exists=True, is_link=True)

    def exists(self, path: str) -> bool:
        return os.path.lexists(os.path.join(self._root, path)) if "\0" not in path else False  # noqa: PTH118 (speed)

    def is_hidden(self, place: Place) -> bool:
        """Return True if a pattern hides the path, by `.planactignore` as it is now."""
        path = self._pattern_path(place)
        return bool(path) and _hides(self._hiding(), path, is_directory=place.is_directory)

    def is_public(self, place: Place, *, is_opened: bool) -> bool:
        if self._is_public is None or place.relative is not None:
            return False
        return self._is_public(str(place.real), is_opened=is_opened)

    def _is_hidden_path(self, path: str) -> bool:
        place = self.resolve(path)
        return self.is_hidden(place) or _hides(self._hiding(), path, is_directory=place.is_directory)

    def _reading(self, place: Place) -> AbstractContextManager[None]:
        return convert_read_errors(place, self._is_hidden_path)

    def info(self, place: Place) -> FileInfo:
        with self._reading(place):
            status = Path(place.real).lstat()
        kind = {stat.S_IFREG: "file", stat.S_IFDIR: "directory"}.get(stat.S_IFMT(status.st_mode), "other")
        return FileInfo(kind, status.st_size, status.st_mtime, status.st_mode, (status.st_dev, status.st_ino))

    def read(self, place: Place, limit: int) -> bytes:
        with self._reading(place), pinned_entry(self.root, Path(place.real)) as path:
            self._check_way(place)
            return atomic.read_regular(path, limit)

    def link_target(self, place: Place) -> bytes:
        with self._reading(place), pinned_entry(self.root, Path(place.real)) as path:
            self._check_way(place)
            return os.fsencode(path.readlink())

    def digest(self, place: Place, limit: int) -> str:
        with self._reading(place):
            self._check_way(place)
            return self._digests.of(Path(place.real), limit)

    def stamp(self, path: str) -> Sequence[int]:
        return file_stamp(os.path.join(self._root, path), is_settled=True)  # noqa: PTH118 (speed)

    def identity(self, place: Place) -> str:
        with suppress(OSError):
            return identity_of(Path(place.real).lstat())
        return ""

    def list(self, place: Place) -> Sequence[str]:
        hiding = self._hiding()
        path = self._pattern_path(place)
        base = f"{path}/" if path else ""
        with self._reading(place), pinned_folder(self.root, Path(place.real)) as at, os.scandir(at) as entries:
            names = {entry.name: _is_directory(entry) for entry in entries}
        shown = {
            name: is_directory
            for name, is_directory in names.items()
            if not _hides(hiding, base + name, is_directory=is_directory)
        }
        return [name + "/" * shown[name] for name in sorted(shown)]

    async def search(
        self,
        pattern: str,
        place: Place,
        glob: str,
        page: SearchPage,
        *,
        is_literal: bool,
        skip: Sequence[str],
        unsaved: Mapping[str, str],
    ) -> SearchResult:
        """Search lines. Patterns are Python's, each line is searched alone; `glob` is relative to the root."""
        folder = self._readable_folder(place) if place.relative is None else None
        if folder is not None:
            beyond = self._beyond(folder)
            there = beyond.resolve(str(place.real))
            found = await beyond.search(pattern, there, glob, page, is_literal=is_literal, skip=skip, unsaved={})
            return found_below(folder, found)
        wanted = compile_search(pattern, page, self._search_seconds, is_literal=is_literal)
        credentials, names = IgnoreRules(skip, folds_case=True), compile_glob(glob)
        skipped = SkipList(credentials, names)
        chosen = SearchedFiles(self.root, skipped, "" if place.is_directory else place.shown)
        apart = {path.rpartition("/")[0] for path in unsaved}

        def listed() -> Iterator[str | ListedFolder]:
            with self._reading(place):
                yield from chosen.among(self._listed(place, names, credentials, skipped), apart)

        found = await search_texts(listed(), chosen, unsaved, wanted, self._ripgrep)
        found = replace(found, skipped=tuple(skipped.all()))
        return await asyncio.to_thread(excerpt, found, page, partial(self.text_of, unsaved))

    def text_of(self, unsaved: Mapping[str, str], path: str) -> str:
        """Return the text of a file with hits; empty where the file is gone meanwhile."""
        return unsaved[path] if path in unsaved else text_below(self.root, path)

    def names(
        self,
        place: Place,
        glob: str,
        *,
        skip: Sequence[str],
        fitting: Callable[[Sequence[str]], Sequence[str]] = lambda paths: paths,
    ) -> FileList:
        """List files; `glob` is relative to the root."""
        folder = self._readable_folder(place) if place.relative is None else None
        if folder is not None:
            beyond = self._beyond(folder)
            found = beyond.names(beyond.resolve(str(place.real)), glob, skip=skip, fitting=fitting)
            files = tuple(replace(file, path=f"{folder}/{file.path}") for file in found.files)
            return FileList(files, skipped_below(folder, found.skipped))
        credentials, wanted = IgnoreRules(skip, folds_case=True), compile_glob(glob)
        skipped = SkipList(credentials, wanted)
        listed = self._listed(place, wanted, credentials, skipped)
        statuses = ((file.path, file.status()) for one in listed for file in files_among(one, fitting))
        files = tuple(FoundFile(path, status.st_mtime) for path, status in statuses if status is not None)
        return FileList(files, tuple(skipped.all()))

    def find(self, suffix: str, limit: int, below: str = "", *, with_ignored: bool = False) -> Sequence[str]:
        left_out = frozenset({".git", "node_modules"})
        found = walk(self.root, below, self._hiding(), left_out, suffix, heeds_ignore_files=not with_ignored)
        return tuple(islice((file.path for file in each_file(found)), limit))

    def branch(self) -> str:
        return current_branch(self.root)

    # --- changing

    def write(
        self, place: Place, data: bytes, expected: str | None, mode: int | None = None, *, is_apart: bool = False
    ) -> None:
        with self._changing(place, is_made=expected is None) as path:
            if expected is None:
                atomic.create(path, data, mode)
            elif not atomic.replace(path, data, expected, _LARGEST_EDITED, mode, is_apart=is_apart):
                raise conflict(place, "has changed since it was read")

    def rename(self, place: Place, target: Place) -> None:
        self._check_way(place)
        if not os.path.lexists(place.real):
            raise conflict(place, "isn't there any more")
        with self._changing(target, is_made=True) as path, pinned_entry(self.root, Path(place.real)) as source:
            atomic.rename(source, path)

    def delete(self, place: Place, expected: str | None) -> None:
        with self._changing(place) as path:
            if expected is None:
                path.rmdir()
                return
            held = os.fsencode(path.readlink()) if place.is_link else atomic.read_regular(path, _LARGEST_EDITED)
            if hashlib.sha256(held).hexdigest() != expected:
                raise conflict(place, "has changed since it was read")
            path.unlink()

    def remove_special(self, place: Place) -> bool:
        return place.relative is not None and atomic.remove_special(Path(place.real))

    def remove_identical(self, files: Mapping[Place, str]) -> None:
        remove_identical(
            {Path(place.real): identity for place, identity in files.items() if place.relative is not None}
        )

    def make_link(self, place: Place, target: bytes) -> None:
        """Make a link, and the directories that it needs."""
        with self._changing(place, is_made=True) as path:
            path.symlink_to(os.fsdecode(target))

    def make_directory(self, place: Place, mode: int | None = None) -> None:
        """Make a directory; one that exists only gets the permission bits."""
        with self._changing(place, is_made=True) as path:
            path.mkdir(exist_ok=True)
            if mode is not None:
                with pinned_folder(self.root, Path(place.real)) as folder:
                    folder.chmod(mode)

    def abandoned(self, folder: str = "") -> Sequence[str]:
        return self._relative(atomic.abandoned(self.root / folder))

    def remove_abandoned(self, folder: str = "") -> Sequence[str]:
        return self._relative(atomic.remove_abandoned(self.root / folder))

    def _beyond(self, folder: PurePath) -> "DiskFiles":
        """Return the files below a readable folder outside the workspace."""
        return DiskFiles(Path(folder), (), self._ripgrep, self._search_seconds, hiding=self._hiding())

    def _relative(self, paths: Sequence[Path]) -> Sequence[str]:
        return sorted(path.relative_to(self.root).as_posix() for path in paths)

    async def containing(self, text: str, listed: Iterator[str | ListedFolder], largest: int) -> FilesWith | None:
        """Return the files that contain a text, as `files_with`; None without ripgrep, and then nothing is listed."""
        return await files_with(self.root, text, listed, largest, self._ripgrep) if self._ripgrep else None

    def listed(self, place: Place, glob: str, skip: Sequence[str]) -> Iterator[ListedFile | ListedFolder]:
        """Yield the files of a search, in order. Raises the errors of `ports.Files.search`."""
        return self._listed(place, compile_glob(glob), IgnoreRules(skip, folds_case=True), SkipList())

    def _listed(
        self, place: Place, glob: IgnoreRules | None, credentials: IgnoreRules, skipped: SkipList
    ) -> Iterator[ListedFile | ListedFolder]:
        if not place.exists:
            raise missing(place, self._is_hidden_path)
        if place.relative is None:
            message = f"{place.shown} lies outside the workspace"
            raise InvalidInput("PATH_OUTSIDE_WORKSPACE", message, "Search inside it")
        hidden = [*self._hiding(), credentials, RECORDS]
        start = str(place.relative) if place.relative.parts else ""
        hiding = next((each for each in hidden if start and each.hides(start, is_directory=place.is_directory)), None)
        if hiding is not None:
            skipped.add_hidden(start, hiding, is_directory=place.is_directory)
        elif place.is_directory:
            found = walk(self.root, start, hidden, frozenset({".git"}), on_skipped=skipped.add_hidden)
            yield from found if glob is None else files_that_fit(found, glob)
        else:
            file = ListedFile(start, self._root)
            status = file.status()
            if status is not None and stat.S_ISREG(status.st_mode):  # opening a pipe would wait for its other end
                yield file

    def _hiding(self) -> tuple[IgnoreRules, ...]:
        """Return the user's patterns, and those of `.planactignore`, which is read again when it changed. They stay
        apart, so that the file can't reveal a path that the user hides.
        """
        path = self.root / IGNORE_FILE
        seen = file_stamp(path)
        if self._hidden[0] != seen:
            self._hidden = (seen, (self._hidden[1][0], IgnoreRules(_ignore_lines(path) if seen else ())))
        return tuple(rules for rules in (*self._more_hiding, *self._hidden[1]) if not rules.is_empty)

    def _pattern_path(self, place: Place) -> str:
        """Return the path that patterns match: below the root, or below its readable folder; empty for these folders
        and for all paths elsewhere.
        """
        folder = PurePath(self.root) if place.relative is not None else self._readable_folder(place)
        path = place.real.relative_to(folder).as_posix() if folder else "."
        return "" if path == "." else path

    def _readable_folder(self, place: Place) -> PurePath | None:
        named = next((folder for folder in self._readable() if place.real.is_relative_to(folder)), None)
        if named is None and self.is_public(place, is_opened=True):
            return place.real if place.is_directory else place.real.parent
        return named

    def _check_way(self, place: Place) -> None:
        """Raise if a link was put into the path since the place was judged."""
        now = self.resolve_entry(place.asked) if place.is_link else self.resolve(place.asked)
        if now.real != place.real:
            raise conflict(place, "now leads elsewhere")

    @contextmanager
    def _changing(self, place: Place, *, is_made: bool = False) -> Iterator[Path]:
        """Yield a path by which a place is changed, and by no other way; folders above it are made if it `is_made`."""
        self._check_way(place)
        if place.relative is None:
            raise conflict(place, "lies outside the workspace")
        try:
            with pinned_entry(self.root, Path(place.real), is_made=is_made) as path:
                yield path
        except FileExistsError as error:
            raise EditFailure("FILE_EXISTS", f"{place.shown} exists", "Choose another name, or change it") from error
        except FileNotFoundError as error:
            raise conflict(place, "isn't there any more") from error
        except OSError as error:
            cause = (error.strerror or str(error)).lower()
            raise EditFailure(
                "EDIT_REFUSED", f"{place.shown} can't be changed: {cause}", "Check its permissions and the disk's space"
            ) from error


def _is_directory(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a loop of links
        return False


def _hides(hiding: Sequence[IgnoreRules], path: str, *, is_directory: bool) -> bool:
    return any(rules.hides(path, is_directory=is_directory) for rules in hiding)


def _ignore_lines(path: Path) -> Sequence[str]:
    try:
        return atomic.read_regular(path, LARGEST_IGNORE_FILE, follow=True).decode("utf-8-sig", "replace").split("\n")
    except OSError:
        return ["*"]  # an unreadable file may hide any path
