"""Find the definitions and uses of a name, by an index that is made as far as it is needed and checked on each use.

Changed files are read again before an answer. While many have no outline yet, those without the name in their text
wait: ripgrep tells them apart, and after the answer, some of them are read. Files are read in processes of their own, a
few at once, and those that don't come to an end are ended.
"""

import asyncio
import json
import os
import re
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncGenerator, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Literal, NamedTuple, get_args

from planact.adapters.store.files import DiskFiles
from planact.adapters.store.search.portions import shown_of
from planact.adapters.store.symbols.kept_outlines import KeptOutlines, OutlinedFile
from planact.adapters.store.symbols.languages import language_of
from planact.adapters.store.symbols.outline import LARGEST_SOURCE, REFERENCE, defined, places
from planact.base.paths import Place
from planact.model.symbol import Definition, SymbolHit, SymbolKind, SymbolQuery, SymbolResult

_MOST_PROCESSES = 4
_LEAST_SECONDS = 0.5  # or no process would come to read anything
_FILES_WORTH_A_PROCESS = 100
_LONGEST_ANSWER = 64_000_000


class Task(NamedTuple):
    """A file to outline: `known` is its SHA-256 at its last outline, `text` its text in the editor, if that differs
    from the disk.
    """

    path: str
    language: str
    known: str = ""
    text: str | None = None


class Answer(NamedTuple):
    """The result of a task: `same` = unchanged, `skipped` = the name isn't in its text."""

    state: Literal["read", "same", "skipped", "unreadable"]
    sha256: str
    outline: str


async def read_outlines(
    root: Path, tasks: Sequence[Task], name: str, until: float, file_seconds: float
) -> dict[str, Answer]:
    """Return the answers by path that exist at `until` (in the loop's time). Files without `name` in their text are
    skipped; a file that takes more than `file_seconds` is unreadable.
    """
    answers: dict[str, Answer] = {}
    if not tasks or until - asyncio.get_running_loop().time() < _LEAST_SECONDS:
        return answers
    most = min(_MOST_PROCESSES, max(1, (os.cpu_count() or 2) // 2 + 1))
    count = min(most, 1 + len(tasks) // _FILES_WORTH_A_PROCESS)
    with suppress(TimeoutError):
        async with asyncio.timeout_at(until), asyncio.TaskGroup() as group:
            for at in range(count):
                group.create_task(_share(root, tasks[at::count], name, file_seconds, answers))
    return answers


async def _share(root: Path, tasks: Sequence[Task], name: str, file_seconds: float, answers: dict[str, Answer]) -> None:
    while tasks:
        done = 0
        async with aclosing(_run(root, tasks, name, file_seconds)) as found:
            async for answer in found:
                answers[tasks[done].path] = answer
                done += 1
        if done < len(tasks):  # the process ended, or had to be ended, over this one
            answers[tasks[done].path] = Answer("unreadable", "", "")
        tasks = tasks[done + 1 :]


async def _run(
    root: Path, tasks: Sequence[Task], name: str | None, file_seconds: float
) -> AsyncGenerator[Answer, None]:
    """Yield the answers of one process, which is gone when this ends, however it ends."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", "-m", "planact.adapters.store.symbols.worker"),
        cwd=root, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, limit=_LONGEST_ANSWER,
    )  # fmt: skip
    telling = asyncio.create_task(_notify(process, tasks, name))
    assert process.stdout
    try:
        for _ in tasks:
            async with asyncio.timeout(file_seconds):
                line = await process.stdout.readline()
            if not line.endswith(b"\n"):
                break
            yield Answer(*json.loads(line))
        async with asyncio.timeout(
            file_seconds
        ):  # it ends by itself; killing an ended process would take its exit code
            await process.wait()
    except (TimeoutError, ValueError):
        return
    finally:
        telling.cancel()
        with suppress(asyncio.CancelledError):
            await telling
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
        await process.wait()


async def _notify(process: Process, tasks: Sequence[Task], name: str | None) -> None:
    assert process.stdin
    with suppress(ConnectionError):
        process.stdin.write(f"{json.dumps(name)}\n".encode())
        for task in tasks:
            line = json.dumps((task.path, task.language, task.known, task.text))
            process.stdin.write(f"{line}\n".encode())
            await process.stdin.drain()
    process.stdin.close()


_SETTLED_AFTER_NS = 2_000_000_000
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


class _Source(NamedTuple):
    stamp: str
    language: str


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

    async def find(
        self, sought: SymbolQuery, place: Place, *, skip: Sequence[str], unsaved: Mapping[str, str]
    ) -> SymbolResult:
        sought = replace(sought, name=sought.name.encode("utf-8", "replace").decode())
        sources, left_out = await asyncio.to_thread(self._sources, place, sought.glob, skip)
        known = await asyncio.to_thread(self._kept.known)
        typed = [Task(path, sources[path].language, text=text) for path, text in unsaved.items() if path in sources]
        fresh, stale = await asyncio.to_thread(_compared, sources, known, unsaved)
        answers, waiting = await self._read(sought.name, stale, typed)
        is_whole = not (left_out or sought.glob) and place.relative == PurePosixPath()
        gone = known.keys() - sources.keys() if is_whole else ()
        on_disk = [(path, answer) for path, answer in answers.items() if path not in unsaved]
        await asyncio.to_thread(self._keep, sources, on_disk, gone)
        skipped = [*waiting, *(task for task in stale if _state(answers, task.path) == "skipped")]
        if skipped and (self.filling is None or self.filling.done()):
            self.filling = asyncio.create_task(self._fill(sources, skipped))
        made = {path: answer.outline for path, answer in answers.items() if answer.state == "read"}
        kept = {*fresh, *(path for path, answer in answers.items() if answer.state == "same")}
        answered = sum(answer.state != "unreadable" for answer in answers.values())
        unread = left_out + len(stale) + len(typed) - len(waiting) - answered
        unread += sum(not known[path].sha256 for path in kept if path in known)
        return await asyncio.to_thread(self._result, sought, kept, made, unread, unsaved)

    async def definitions(self, path: str, text: str) -> Sequence[Definition] | None:
        language = language_of(path)
        if language is None or len(text) > LARGEST_SOURCE:
            return None
        task = Task(path, language, text=text.encode("utf-8", "replace").decode())
        async with aclosing(_run(self._files.root, [task], None, self._limits.file_seconds)) as answers:
            async for answer in answers:
                found = json.loads(answer.outline)
                return [Definition(tuple(names), first, last, frozenset(words)) for names, first, last, words in found]
        return None

    def _sources(self, place: Place, glob: str, skip: Sequence[str]) -> tuple[dict[str, _Source], int]:
        """Return the source files, and how many others were left out."""
        sources: dict[str, _Source] = {}
        left_out = 0
        now = time.time_ns()
        for file in self._files.listed(place, glob, skip):
            language = language_of(file.path)
            status = file.status() if language is not None else None
            if language is None or status is None:
                continue
            if status.st_size > LARGEST_SOURCE or len(sources) == self._limits.files:
                left_out += 1
                continue
            sources[file.path] = _Source(_stamp(status, now), language)
        return sources, left_out

    async def _read(
        self, name: str, stale: Sequence[Task], typed: Sequence[Task]
    ) -> tuple[dict[str, Answer], Sequence[Task]]:
        """Return the answers that came in time, and the tasks that can wait, since their files lack the name."""
        limits = self._limits
        until = asyncio.get_running_loop().time() + limits.seconds
        is_much = len(stale) > limits.few
        having = await self._files.containing(name, [task.path for task in stale]) if is_much else None
        wanted = stale if having is None else [task for task in stale if task.path in having]
        waiting = () if having is None else [task for task in stale if task.path not in having]
        tasks, name = [*typed, *wanted], name if is_much else ""
        return await read_outlines(self._files.root, tasks, name, until, limits.file_seconds), waiting

    async def _fill(self, sources: Mapping[str, _Source], tasks: Sequence[Task]) -> None:
        """Make outlines of files that the next search would have to look into."""
        limits = self._limits
        until = asyncio.get_running_loop().time() + limits.spare_seconds
        answers = await read_outlines(self._files.root, tasks, "", until, limits.file_seconds)
        await asyncio.to_thread(self._keep, sources, answers.items(), ())

    def _keep(
        self, sources: Mapping[str, _Source], answers: Iterable[tuple[str, Answer]], gone: Collection[str]
    ) -> None:
        made, same = [], []
        for path, answer in answers:
            stamp = sources[path].stamp
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


def _compared(
    sources: Mapping[str, _Source], known: Mapping[str, OutlinedFile], unsaved: Collection[str]
) -> tuple[list[str], list[Task]]:
    """Return the paths of which the outline that is kept is up to date, and a task for each other file on disk."""
    fresh, stale = [], []
    for path, source in sources.items():
        kept = known.get(path)
        if path in unsaved:
            continue
        if source.stamp and kept is not None and kept.stamp == source.stamp:
            fresh.append(path)
        else:
            stale.append(Task(path, source.language, kept.sha256 if kept else ""))
    return fresh, stale


def _state(answers: Mapping[str, Answer], path: str) -> str | None:
    return answers[path].state if path in answers else None


def _is_wanted(kind: SymbolKind, wanted: str) -> bool:
    return wanted in ("", kind) or (wanted == "definition" and kind != REFERENCE)


def _stamp(status: os.stat_result, now: int) -> str:
    """Return a value that changes whenever the file does; empty for a file written just now, whose changes can't be
    seen.
    """
    if max(status.st_mtime_ns, status.st_ctime_ns) > now - _SETTLED_AFTER_NS:
        return ""
    return f"{status.st_ino}:{status.st_size}:{status.st_mtime_ns}:{status.st_ctime_ns}"
