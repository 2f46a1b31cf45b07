"""Search a portion of the files with one process: ripgrep, or planact's own program where that can't do it."""

import asyncio
import os
import re
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections import Counter, deque
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from planact.adapters.store.disk.walk import ListedFolder
from planact.adapters.store.search.large_files import LARGEST_FILE, SearchedFiles
from planact.adapters.store.search.match_lines import LONGEST_SEEN
from planact.adapters.store.search.own_lines import LinesOnDisk
from planact.adapters.store.search.query import Search
from planact.model.file import SearchHit

LONGEST_LINE = 300
"""Characters of a line that are shown."""

# What a command line holds on every system, and on those that hold more. A path takes a pointer there, too.
_FIRST_CHARACTERS = 20_000
PORTION_CHARACTERS = 20_000 if os.name == "nt" else 400_000
_BESIDE_PATH = 11
# So much of a line in the longest UTF-8 there is: ripgrep ends a line that it cuts with a remark.
_MOST_COLUMNS = 4 * LONGEST_SEEN
_COUNT = re.compile(rb"^(\d+) files searched$", re.MULTILINE)

_AT_ONCE = min(4, os.cpu_count() or 1)

Listed = TypeVar("Listed", str, str | ListedFolder)
_Found = TypeVar("_Found")


def portion_sizes() -> Iterator[int]:
    """Yield how many characters of paths the portions may have: few at first, for early hits."""
    room = _FIRST_CHARACTERS
    while True:
        yield room
        room = min(4 * room, PORTION_CHARACTERS)


def portion(files: Iterator[Listed], room: int) -> list[Listed]:
    """Return the next files, with some `room` characters of their paths, as many as a command line holds."""
    batch: list[Listed] = []
    for one in files:
        batch.append(one)
        room -= len(one) + _BESIDE_PATH if isinstance(one, str) else _characters(one)
        if room < 0:
            break
    return batch


async def each_portion(
    files: Iterator[Listed], sizes: Iterator[int], search: Callable[[list[Listed]], Coroutine[Any, Any, _Found]]
) -> AsyncGenerator[_Found, None]:
    """Yield the result of each portion, in order. The second one begins when the caller asks for it; from then on a few
    run at once, while further files are listed.
    """
    running: deque[asyncio.Task[_Found]] = deque()

    def list_next() -> asyncio.Task[list[Listed]]:
        return asyncio.create_task(asyncio.to_thread(portion, files, next(sizes)))

    listing, at_once = list_next(), 1
    try:
        while True:
            while len(running) < at_once and (batch := await listing):
                running.append(asyncio.create_task(search(batch)))
                if at_once > 1:
                    listing = list_next()
            if not running:
                return
            yield await running[0]
            running.popleft()
            if at_once == 1:
                listing, at_once = list_next(), _AT_ONCE
    finally:
        for task in (listing, *running):
            task.cancel()
        await asyncio.gather(listing, *running, return_exceptions=True)


def _characters(folder: ListedFolder) -> int:
    return sum(map(len, folder.names)) + len(folder.names) * (len(folder.path) + _BESIDE_PATH)


def ripgrep_arguments(batch: Sequence[str | ListedFolder]) -> list[str]:
    """Return the arguments by which ripgrep searches files and folders."""
    return [f"./{one if isinstance(one, str) else one.path}" for one in batch]


def are_searched(batch: Sequence[str | ListedFolder], statistics: bytes) -> bool:
    """Return whether ripgrep, by its `--stats`, searched as many files as there are, those in folders included."""
    told = _COUNT.search(statistics)
    return told is not None and int(told[1]) == sum(1 if isinstance(one, str) else len(one.names) for one in batch)


@dataclass(frozen=True, slots=True)
class PortionSearch:
    """A search of portions of what was chosen; without `ripgrep`, by planact's own program."""

    chosen: SearchedFiles
    wanted: Search
    ripgrep: str | None

    async def hits(self, batch: Sequence[str | ListedFolder]) -> Sequence[SearchHit]:
        """Return the hits in a portion, or so many that no more are wanted."""
        folders = [one for one in batch if isinstance(one, ListedFolder)]
        if folders and self.ripgrep:
            with suppress(_UnusableError):
                return await self._hits_in_folders(batch, folders)
        left = iter(await asyncio.to_thread(self.chosen.paths, batch))
        hits: list[SearchHit] = []
        while some := portion(left, PORTION_CHARACTERS):
            hits += await self._hits_in_files(some)
        return hits

    async def _hits_in_folders(
        self, batch: Sequence[str | ListedFolder], folders: Sequence[ListedFolder]
    ) -> Sequence[SearchHit]:
        """Search without a look at each file. Raises _UnusableError where ripgrep has left out some."""
        files = {one for one in batch if isinstance(one, str)}
        names = {one.path: one.names for one in folders}

        def is_listed(path: str) -> bool:
            """Return False for a file that came into a folder since."""
            folder, _, name = path.rpartition("/")
            return path in files or name in names.get(folder, ())

        hits, is_cut = await self._matching(self.ripgrep, batch, is_listed)
        if is_cut and not await asyncio.to_thread(self.chosen.are_plain, folders):
            raise _UnusableError
        return hits

    async def _hits_in_files(self, files: Sequence[str]) -> Sequence[SearchHit]:
        for engine in dict.fromkeys((self.ripgrep, None)):
            with suppress(_UnusableError):  # look-around and the like; ripgrep says so before any hit
                hits, _ = await self._matching(engine, files)
                return hits
        return ()

    async def _matching(
        self,
        engine: str | None,
        batch: Sequence[str | ListedFolder],
        is_listed: Callable[[str], bool] = lambda _: True,
    ) -> tuple[Sequence[SearchHit], bool]:
        """Return the hits in text files, and whether there are more than are wanted. Lines are left out that aren't in
        the file itself, to which a link led on the way to another one.
        """
        hits: list[SearchHit] = []
        counted: Counter[str] = Counter()
        room = self.wanted.limit
        async with (
            aclosing(_run(self.chosen.root, batch, self.wanted, engine)) as found,
            LinesOnDisk(self.chosen.root) as own,
        ):
            async for printed in found:
                path = printed.path
                if not is_listed(path):
                    continue
                if not await own.is_text(path):
                    self.chosen.skipped.add("binary", path)
                    continue
                if not printed.is_in(await own.line(printed.line)):
                    continue
                hits.append(printed.hit())
                counted[path] += 1
                room -= counted[path] <= self.wanted.per_file
                if room < 0:
                    return hits, True
        return hits, False


class _UnusableError(Exception):
    """Ripgrep can't be started, can't read the pattern, or hasn't searched all files."""


async def _run(
    root: Path, batch: Sequence[str | ListedFolder], wanted: Search, ripgrep: str | None
) -> AsyncGenerator["_PrintedHit", None]:
    """Return the hits in a portion, from one process that is gone when this ends, however it ends. Raises
    _UnusableError; at the end, where not all files in folders were searched.
    """
    has_folders = any(isinstance(one, ListedFolder) for one in batch)
    if ripgrep:
        options = [*_ripgrep_options(wanted), *(_FOLDER_OPTIONS if has_folders else ())]
        line = [ripgrep, *options, "--", *ripgrep_arguments(batch)]
    else:
        pattern = re.escape(wanted.pattern) if wanted.is_literal else wanted.pattern
        program = "planact.adapters.store.search.match_lines"
        line = [sys.executable, "-I", "-m", program, pattern, str(wanted.per_file + 1)]
    try:
        process = await asyncio.create_subprocess_exec(
            *line,
            cwd=root,
            env={name: value for name, value in os.environ.items() if name != "RIPGREP_CONFIG_PATH"},
            stdin=DEVNULL if ripgrep else PIPE,
            stdout=PIPE,
            stderr=PIPE,
        )
    except OSError as error:
        if ripgrep:
            raise _UnusableError from error
        raise
    assert process.stdout
    assert process.stderr
    try:
        if process.stdin:
            with suppress(ConnectionError):
                process.stdin.write(os.fsencode("\0".join(ripgrep_arguments(batch))))
                await process.stdin.drain()
            process.stdin.close()
        rest = b""
        while chunk := await process.stdout.read(2**16):
            hits, rest = _hits_in(rest + chunk)
            for hit in hits:
                yield hit
        complaint = await process.stderr.read(2**16)
        if await process.wait() == 2 and ripgrep and complaint:
            raise _UnusableError
        if has_folders and not are_searched(batch, rest):
            raise _UnusableError
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        # The rest is read and thrown away: with a pipe that is full, older Pythons see no end of the process.
        await process.communicate()


# As for files that are named: also hidden ones, in their order. Larger ones are left out, and the statistics tell.
_FOLDER_OPTIONS = ("--hidden", "--max-depth=1", "--sort=path", f"--max-filesize={LARGEST_FILE}", "--stats")


def _ripgrep_options(wanted: Search) -> Sequence[str]:
    return (
        *("--no-config", "--no-ignore", "--no-messages", "--no-mmap", "--text", "--crlf", "--color=never"),
        *("--no-heading", "--with-filename", "--line-number", "--column", "--null", "--threads=1", "--case-sensitive"),
        *(f"--max-count={wanted.per_file + 1}", f"--max-columns={_MOST_COLUMNS}", "--max-columns-preview"),
        *(["--fixed-strings"] if wanted.is_literal else []),
        f"--regexp={wanted.pattern}",
    )


def _hits_in(printed: bytes) -> tuple[Sequence["_PrintedHit"], bytes]:
    """Return the hits, and the incomplete rest. The name of a file may have line breaks, and ends at its NUL."""
    hits: list[_PrintedHit] = []
    start = 0
    while (name := printed.find(b"\0", start)) >= 0 and (end := printed.find(b"\n", name)) >= 0:
        hits.append(_hit(printed[start:end]))
        start = end + 1
    return hits, printed[start:]


class _PrintedHit(NamedTuple):
    """A line of a file, as a program printed it, and the character in it at which the match begins."""

    path: str
    line: int
    text: str
    at: int

    def is_in(self, own: str | None) -> bool:
        """Return whether `own` is the same line."""
        return own is not None and _beginning(own) == _beginning(self.text)

    def hit(self) -> SearchHit:
        # Of a line without end, where ripgrep's remark stands at the cut, only the beginning is known for certain.
        at = self.at if self.at < LONGEST_SEEN else 0
        return SearchHit(self.path, self.line, shown_of(_beginning(self.text), at))


def _hit(line: bytes) -> _PrintedHit:
    path, _, rest = line.partition(b"\0")
    number, column, text = rest.split(b":", 2)
    name = os.fsdecode(path).removeprefix("./").replace(os.sep, "/")
    at = len(text[: int(column) - 1].decode("utf-8", "replace"))
    return _PrintedHit(name, int(number), text.decode("utf-8", "replace"), at)


def _beginning(line: str) -> str:
    return line.removesuffix("\r")[:LONGEST_SEEN]


def shown_of(line: str, at: int = 0) -> str:
    """Return a line up to a length; of a longer one, as in minified code, the part around the character `at`."""
    if len(line) <= LONGEST_LINE:
        return line
    begin = max(0, at - LONGEST_LINE // 3)
    end = begin + LONGEST_LINE
    return f"{'…' * (begin > 0)}{line[begin:end]}{'…' * (end < len(line))}"
