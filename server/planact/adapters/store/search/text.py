"""Search the lines of text files, with ripgrep where it is installed and with planact's own program otherwise.

Both get the list of files (`walk`), and take Python's patterns: so the same tree gives the same hits.
"""

import asyncio
import re
import tempfile
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import replace
from itertools import groupby
from pathlib import Path, PurePath

from planact.adapters.store.disk.walk import ListedFolder
from planact.adapters.store.search.large_files import SearchedFiles
from planact.adapters.store.search.portions import PortionSearch, each_portion, portion_sizes, shown_of
from planact.adapters.store.search.query import Search
from planact.base.errors import InvalidInput
from planact.model.file import SearchHit, SearchPage, SearchResult, Skipped

# Python and ripgrep both know these, and mean different things.
_OTHERWISE_IN_RIPGREP = re.compile(r"\\[<>]")


async def search_texts(
    listed: Iterator[str | ListedFolder],
    chosen: SearchedFiles,
    unsaved: Mapping[str, str],
    wanted: Search,
    ripgrep: str | None,
) -> SearchResult:
    """Return the first lines that match in files as the user sees them: by path, their `unsaved` text. Otherwise as
    `_search_lines`; folders with such files are no part of what was chosen.
    """
    if not unsaved:
        return await _search_lines(listed, chosen, wanted, ripgrep)
    every = await asyncio.to_thread(list, listed)
    open_files = [one for one in every if isinstance(one, str) and one in unsaved]
    on_disk = (one for one in every if isinstance(one, ListedFolder) or one not in unsaved)
    with _texts_on_disk({path: unsaved[path] for path in open_files}) as folder:
        texts = SearchedFiles(folder, chosen.skipped)
        found = await _search_lines(iter(open_files), texts, wanted, ripgrep)
    return _merged(found, await _search_lines(on_disk, chosen, wanted, ripgrep), wanted.limit)


async def _search_lines(
    files: Iterator[str | ListedFolder], chosen: SearchedFiles, wanted: Search, ripgrep: str | None
) -> SearchResult:
    """Return the first lines that match in `files`, which were `chosen`, in the order of files and lines. Binary files
    that match are skipped.

    Raises:
        InvalidInput: INVALID_ARGUMENTS when it takes too long.
    """
    hits: list[SearchHit] = []
    counted: Counter[str] = Counter()
    cut: dict[str, None] = {}
    try:
        async with asyncio.timeout(wanted.seconds), aclosing(_hits(files, chosen, wanted, ripgrep)) as found:
            async for hit in found:
                if counted[hit.path] == wanted.per_file < wanted.limit:
                    cut[hit.path] = None
                    continue
                if len(hits) == wanted.limit:
                    return SearchResult(tuple(hits), True, tuple(cut))
                counted[hit.path] += 1
                hits.append(hit)
    except TimeoutError as error:
        raise InvalidInput(
            "INVALID_ARGUMENTS",
            f"the search for {wanted.pattern[:80]!r} took more than {wanted.seconds:.0f} seconds",
            "Use a simpler pattern without nested repetition, a narrower path or a glob",
        ) from error
    return SearchResult(tuple(hits), False, tuple(cut))


def found_below(folder: PurePath, found: SearchResult) -> SearchResult:
    """Return the hits of a folder, with paths that begin with the folder's."""
    hits = tuple(replace(hit, path=f"{folder}/{hit.path}") for hit in found.hits)
    skipped = skipped_below(folder, found.skipped)
    return replace(found, hits=hits, cut_files=tuple(f"{folder}/{path}" for path in found.cut_files), skipped=skipped)


def skipped_below(folder: PurePath, skipped: Sequence[Skipped]) -> tuple[Skipped, ...]:
    """Return the paths left out of a folder, with paths that begin with the folder's."""
    return tuple(replace(each, paths=tuple(f"{folder}/{path}" for path in each.paths)) for each in skipped)


@contextmanager
def _texts_on_disk(texts: Mapping[str, str]) -> Iterator[Path]:
    """Yield a private folder with these texts at these relative paths."""
    with tempfile.TemporaryDirectory(prefix="planact-search-") as name:
        for path, text in texts.items():
            target = Path(name) / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text.encode("utf-8", "replace"))
        yield Path(name)


def _merged(one: SearchResult, other: SearchResult, limit: int) -> SearchResult:
    """Merge hits in the order of files and lines, up to the limit."""
    hits = sorted((*one.hits, *other.hits), key=lambda hit: (hit.path.split("/"), hit.line))
    is_cut = one.is_cut or other.is_cut or len(hits) > limit
    return SearchResult(tuple(hits[:limit]), is_cut, tuple(sorted((*one.cut_files, *other.cut_files))))


def excerpt(found: SearchResult, page: SearchPage, text_of: Callable[[str], str]) -> SearchResult:
    """Return the lines of the page, with their neighbours in `text_of` their file."""
    hits = found.hits[page.skip :]
    names = {hit.path for hit in hits}
    shown = [
        line
        for path, of_file in groupby(hits, lambda hit: hit.path)
        for line in _with_context(list(of_file), page.context, text_of(path) if page.context else "")
    ]
    cut_files = tuple(path for path in found.cut_files if path in names)
    return SearchResult(tuple(shown), found.is_cut, cut_files, found.skipped)


def _with_context(hits: Sequence[SearchHit], context: int, text: str) -> Sequence[SearchHit]:
    lines = text.removesuffix("\n").split("\n")
    by_line = {
        beside: SearchHit(hit.path, beside, shown_of(lines[beside - 1].removesuffix("\r")), is_context=True)
        for hit in hits
        for beside in range(max(1, hit.line - context), min(len(lines), hit.line + context) + 1)
        if context
    }
    by_line |= {hit.line: hit for hit in hits}
    return [by_line[line] for line in sorted(by_line)]


async def _hits(
    files: Iterator[str | ListedFolder], chosen: SearchedFiles, wanted: Search, ripgrep: str | None
) -> AsyncGenerator[SearchHit, None]:
    is_otherwise = not wanted.is_literal and _OTHERWISE_IN_RIPGREP.search(wanted.pattern)
    search = PortionSearch(chosen, wanted, None if is_otherwise else ripgrep)
    async with aclosing(each_portion(files, portion_sizes(), search.hits)) as portions:
        async for hits in portions:
            for hit in hits:
                yield hit
