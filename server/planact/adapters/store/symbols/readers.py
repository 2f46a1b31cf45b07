"""Read source files in processes of their own, a few at once; those that don't come to an end are ended."""

import asyncio
import json
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, suppress
from pathlib import Path
from typing import Literal, NamedTuple

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
        async with aclosing(outlines_of(root, tasks, name, file_seconds)) as found:
            async for answer in found:
                answers[tasks[done].path] = answer
                done += 1
        if done < len(tasks):  # the process ended, or had to be ended, over this one
            answers[tasks[done].path] = Answer("unreadable", "", "")
        tasks = tasks[done + 1 :]


async def outlines_of(
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
