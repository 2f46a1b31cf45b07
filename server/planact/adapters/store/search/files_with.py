"""Find the files that contain a text, by ripgrep, without their lines."""

import asyncio
import os
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Iterator, Sequence, Set
from contextlib import aclosing, suppress
from itertools import repeat
from pathlib import Path
from typing import NamedTuple

from planact.adapters.store.disk.walk import ListedFolder
from planact.adapters.store.search.portions import PORTION_CHARACTERS, are_searched, each_portion, ripgrep_arguments

_OPTIONS = ("--no-config", "--no-ignore", "--no-messages", "--text", "--null", "--files-with-matches")
_IN_FOLDERS = ("--hidden", "--max-depth=1", "--stats")


class FilesWith(NamedTuple):
    """The paths of files that contain a text, and the folders in which perhaps not every file was searched."""

    paths: Set[str]
    unsure: Sequence[ListedFolder]


async def files_with(
    root: Path, text: str, listed: Iterator[str | ListedFolder], largest: int, ripgrep: str
) -> FilesWith | None:
    """Search files (paths relative to `root`), and those of folders that have up to `largest` bytes, also such as came
    into them since. Return None where ripgrep can't tell. All are `listed`, by another thread.
    """
    found: set[str] = set()
    unsure: list[ListedFolder] = []
    is_told = True
    options = (*_OPTIONS, *_IN_FOLDERS, f"--max-filesize={largest}", "--fixed-strings", f"--regexp={text}")

    async def search(some: list[str | ListedFolder]) -> tuple[list[str | ListedFolder], bytes | None]:
        return some, await _run_ripgrep(root, [ripgrep, *options, "--", *ripgrep_arguments(some)])

    async with aclosing(each_portion(listed, repeat(PORTION_CHARACTERS), search)) as portions:
        async for some, told in portions:
            is_told = is_told and told is not None
            *names, statistics = (told or b"").split(b"\0")
            found |= {os.fsdecode(path).removeprefix("./").replace(os.sep, "/") for path in names}
            if not are_searched(some, statistics):
                unsure += [one for one in some if isinstance(one, ListedFolder)]
    return FilesWith(found, unsure) if is_told else None


async def _run_ripgrep(root: Path, line: Sequence[str]) -> bytes | None:
    try:
        process = await asyncio.create_subprocess_exec(*line, cwd=root, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL)
    except (OSError, ValueError):  # a name may have a NUL in it
        return None
    try:
        told, _ = await process.communicate()
        return told if process.returncode in (0, 1) else None
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
