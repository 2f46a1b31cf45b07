"""Find the files that contain a text, by ripgrep, without their lines."""

import asyncio
import os
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Sequence, Set
from contextlib import suppress
from pathlib import Path

from planact.adapters.store.search.portions import PORTION_CHARACTERS, portion

_OPTIONS = ("--no-config", "--no-ignore", "--no-messages", "--text", "--null", "--files-with-matches")


async def files_with(root: Path, text: str, paths: Sequence[str], ripgrep: str) -> Set[str] | None:
    """Return those of `paths` (relative to `root`) whose files contain a text; None where ripgrep can't tell."""
    found: set[str] = set()
    left = iter(paths)
    while some := portion(left, PORTION_CHARACTERS):
        told = await _told(
            root, [ripgrep, *_OPTIONS, "--fixed-strings", f"--regexp={text}", "--", *(f"./{path}" for path in some)]
        )
        if told is None:
            return None
        found |= {os.fsdecode(path).removeprefix("./").replace(os.sep, "/") for path in told.split(b"\0")[:-1]}
    return found


async def _told(root: Path, line: Sequence[str]) -> bytes | None:
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
