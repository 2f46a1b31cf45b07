"""Find the definitions and uses of a name, by an index that is made as far as it is needed and checked on each use.

Changed files are read again before an answer. While many have no outline yet, those without the name in their text
wait: ripgrep tells them apart, and after the answer, some of them are read. Outlines are stored after the answer, too,
since that waits for the disk. Files are read in processes of their own, a few at once, and those that don't come to an
end are ended.
"""

import asyncio
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path, PurePosixPath
from typing import get_args

from planact.adapters.store.disk.walk import ListedFolder
from planact.adapters.store.files import DiskFiles
from planact.adapters.store.search.files_with import FilesWith
from planact.adapters.store.search.portions import shown_of
from planact.adapters.store.symbols.kept_outlines import KeptOutlines, OutlinedFile
from planact.adapters.store.symbols.languages import language_of
from planact.adapters.store.symbols.outline import LARGEST_SOURCE, REFERENCE, defined, places
from planact.adapters.store.symbols.readers import Answer, Task, outlines_of, read_outlines
from planact.adapters.store.symbols.sources import SourceFiles
from planact.base.paths import Place
from planact.model.symbol import Definition, SymbolHit, SymbolKind, SymbolQuery, SymbolResult

_MOST_SPARE = 5_000
"""Files that are looked at after an answer: more than are read in that time."""

_SHORT = 3
_MOST_SIMILAR = 5
_KINDS: dict[str, SymbolKind] = {kind: kind for kind in get_args(SymbolKind)}


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """Limits of one search: files, seconds until it must have an answer and for one file, and seconds after which it
    makes no more outlines than it needs. Up to `few` files are read whether they have the name or not.
    """

    files: int = 200_000
    seconds: float = 25.0
    file_seconds: float = 10.0
    spare_seconds: float = 2.0
    few: int = 300


class SymbolIndex:
    """`ports.Symbols`; its outlines lie in the file `database`.

    Attributes:
        filling: what makes outlines of further files for a while after an answer, if anything does.
    """

    def __init__(self, files: DiskFiles, database: Path, limits: SearchLimits | None = None) -> None:
        self._files = files
        self._kept = KeptOutlines(database)
        self._limits = limits or SearchLimits()
        self.filling: asyncio.Task[None] | None = None
        self._storing: list[asyncio.Future[None]] = []

    async def find(
        self, sought: SymbolQuery, place: Place, *, skip: Sequence[str], unsaved: Mapping[str, str]
    ) -> SymbolResult:
        sought = replace(sought, name=sought.name.encode("utf-8", "replace").decode())
        until = asyncio.get_running_loop().time() + self._limits.seconds
        listed = self._files.listed(place, sought.glob, skip)
        await self._stored()
        known = await asyncio.to_thread(self._kept.known)
        sources = SourceFiles(known, unsaved.keys(), self._limits.files)
        read, waiting = await self._with_name(sought.name, sources, sources.to_search(listed))
        is_much = self._is_much(sources)
        is_whole = not (sources.left_out or sought.glob) and place.relative == PurePosixPath()
        open_files = sources.examine(path for path in unsaved if path in sources.languages)
        typed = [Task(path, sources.languages[path], text=unsaved[path]) for path in open_files]
        wanted = [*typed, *sources.tasks(read)]
        answers = await read_outlines(
            self._files.root, wanted, sought.name if is_much else "", until, self._limits.file_seconds
        )
        gone = known.keys() - sources.languages.keys() if is_whole else ()
        on_disk = [(path, answer) for path, answer in answers.items() if path not in unsaved]
        made = {path: answer.outline for path, answer in answers.items() if answer.state == "read"}
        kept = {*sources.fresh, *(path for path, answer in answers.items() if answer.state == "same")}
        answered = sum(answer.state != "unreadable" for answer in answers.values())
        unread = sources.left_out + len(wanted) - answered
        unread += sum(not known[path].sha256 for path in kept if path in known)
        result = await asyncio.to_thread(self._result, sought, kept, made, unread, unsaved)
        storing = asyncio.get_running_loop().run_in_executor(None, self._keep, sources, on_disk, gone)
        self._storing = [*(each for each in self._storing if not each.done()), storing]
        skipped = [*waiting, *(path for path in read if _state(answers, path) == "skipped")]
        if skipped and (self.filling is None or self.filling.done()):
            tasks = sources.tasks(skipped[:_MOST_SPARE])
            self.filling = asyncio.create_task(self._fill(sources, tasks))
        return result

    async def definitions(self, path: str, text: str) -> Sequence[Definition] | None:
        language = language_of(path)
        if language is None or len(text) > LARGEST_SOURCE:
            return None
        task = Task(path, language, text=text.encode("utf-8", "replace").decode())
        async with aclosing(outlines_of(self._files.root, [task], None, self._limits.file_seconds)) as answers:
            async for answer in answers:
                found = json.loads(answer.outline)
                return [Definition(tuple(names), first, last, frozenset(words)) for names, first, last, words in found]
        return None

    async def close(self) -> None:
        """End what fills the index, and wait until what was found is stored. An event loop that cancels the first at
        its own end, while a reader starts, would wait for ever.
        """
        if self.filling is not None and not self.filling.done():
            self.filling.cancel()
            await asyncio.wait({self.filling})
        await self._stored()

    async def _stored(self) -> None:
        """Wait until the outlines of earlier searches are stored."""
        if storing := [each for each in self._storing if not each.done()]:
            await asyncio.wait(storing)

    async def _with_name(
        self, name: str, sources: SourceFiles, places: Iterator[str | ListedFolder]
    ) -> tuple[Sequence[str], Sequence[str]]:
        """Return the stale and new files to read now, and the first that can wait, since they lack the name: none where
        they are few. `places` yields where to seek them and has then added all `sources`.
        """
        having: FilesWith | None = None
        first = await asyncio.to_thread(self._until_much, sources, places)
        if self._is_much(sources):
            having = await self._files.containing(name, chain(first, places), LARGEST_SOURCE)
        if having is None:
            await asyncio.to_thread(list, places)
            return await asyncio.to_thread(sources.examine, [*sources.stale, *sources.new]), ()
        paths = [*sources.stale, *sources.new]
        unsure = {file.path for folder in having.unsure for file in folder.files()}
        some = [path for path in paths if path in having.paths or path in unsure]
        looked = {*await asyncio.to_thread(sources.examine, some)}
        lacking = (path for path in paths if path not in having.paths and (path in looked or path not in unsure))
        return [path for path in some if path in looked and path in having.paths], [*islice(lacking, _MOST_SPARE)]

    def _is_much(self, sources: SourceFiles) -> bool:
        return len(sources.stale) + len(sources.new) > self._limits.few

    def _until_much(self, sources: SourceFiles, places: Iterator[str | ListedFolder]) -> Sequence[str | ListedFolder]:
        found = []
        while not self._is_much(sources) and (place := next(places, None)) is not None:
            found.append(place)
        return found

    async def _fill(self, sources: SourceFiles, tasks: Sequence[Task]) -> None:
        """Make outlines of files that the next search would have to look into."""
        limits = self._limits
        until = asyncio.get_running_loop().time() + limits.spare_seconds
        small = {*await asyncio.to_thread(sources.examine, [task.path for task in tasks])}
        tasks = [task for task in tasks if task.path in small]
        answers = await read_outlines(self._files.root, tasks, "", until, limits.file_seconds)
        await asyncio.to_thread(self._keep, sources, answers.items(), ())

    def _keep(self, sources: SourceFiles, answers: Iterable[tuple[str, Answer]], gone: Collection[str]) -> None:
        made, same = [], []
        for path, answer in answers:
            stamp = sources.stamps[path]
            if answer.state in ("read", "unreadable"):
                made.append((path, OutlinedFile(stamp, answer.sha256), answer.outline))
            elif answer.state == "same":
                same.append((path, stamp))
        if made or same or gone:
            self._kept.keep(made, same, gone)

    def _result(
        self,
        sought: SymbolQuery,
        kept: Collection[str],
        made: Mapping[str, str],
        unread: int,
        unsaved: Mapping[str, str],
    ) -> SymbolResult:
        found = []
        outlines, unsearched = self._outlines(f"\n{sought.name}\t", kept, made)
        for path, outlined in sorted(outlines.items(), key=lambda item: item[0].split("/")):
            found += [(path, line, _KINDS[kind]) for kind, line in places(outlined, sought.name)]
        wanted = [place for place in found if _is_wanted(place[2], sought.kind)]
        wanted.sort(key=lambda place: place[2] == REFERENCE)
        page = wanted[sought.skip : sought.skip + sought.limit]
        references = sum(kind == REFERENCE for _, _, kind in wanted)
        similar = () if found else self._similar(sought.name, kept, made)
        hits = tuple(self._hits(page, sought.name, unsaved))
        return SymbolResult(hits, len(wanted) - references, references, unread + unsearched, similar)

    def _outlines(self, text: str, kept: Collection[str], made: Mapping[str, str]) -> tuple[dict[str, str], int]:
        """Return the outlines that have `text`, by path, and the number of files without an outline."""
        containing = self._kept.containing(text)
        found = {path: outlined for path, outlined in made.items() if text in outlined}
        if containing is None:
            return found, len(kept)
        return found | {path: outlined for path, outlined in containing.items() if path in kept}, 0

    def _similar(self, name: str, kept: Collection[str], made: Mapping[str, str]) -> tuple[str, ...]:
        part = name[1:] if len(name) > _SHORT else name
        outlines, _ = self._outlines(part, kept, made)
        names = {other for outlined in outlines.values() for other in defined(outlined) if part in other}
        return tuple(sorted(names, key=lambda other: (len(other), other))[:_MOST_SIMILAR])

    def _hits(
        self, page: Sequence[tuple[str, int, SymbolKind]], name: str, unsaved: Mapping[str, str]
    ) -> Iterator[SymbolHit]:
        texts: dict[str, list[str]] = {}
        for path, line, kind in page:
            if path not in texts:
                texts[path] = self._files.text_of(unsaved, path).split("\n")
            text = texts[path][line - 1].strip() if line <= len(texts[path]) else ""
            found = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)
            yield SymbolHit(path, line, kind, shown_of(text, found.start() if found else 0))


def _state(answers: Mapping[str, Answer], path: str) -> str | None:
    return answers[path].state if path in answers else None


def _is_wanted(kind: SymbolKind, wanted: str) -> bool:
    return wanted in ("", kind) or (wanted == "definition" and kind != REFERENCE)
