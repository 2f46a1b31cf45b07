"""The text of PDF files, read by a process that can change, reach and keep nothing."""

import asyncio
import json
import os
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path, PurePosixPath

from pydantic import BaseModel, ConfigDict, ValidationError

from planact.base.errors import CommandFailure, InvalidInput
from planact.base.paths import Place
from planact.model.file import PdfText
from planact.ports import Runner

_WORKER = Path(os.path.realpath(__file__)).with_name("pdf_worker.py")
_SECONDS = 30.0
_LONGEST_ANSWER = 4_000_000


class _Answer(BaseModel):
    """What the process says. It read a hostile file, so nothing that it says is believed unchecked."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", defer_build=True)

    count: int = 0
    texts: list[str] = []
    problem: str = ""


class PdfReader:
    """`ports.PdfFiles`, for one workspace folder; the process that reads runs in the jail `contain` of `runner`."""

    def __init__(self, root: Path, runner: Callable[[], Runner], seconds: float = _SECONDS) -> None:
        self._root = root
        self._runner = runner
        self._seconds = seconds

    async def pdf_text(self, data: bytes, name: str, first: int, last: int | None) -> PdfText:
        runner = self._runner()
        if "contain" not in await asyncio.to_thread(runner.enforced):
            message = f"{name} was not read: this system's sandbox doesn't hold the process that would read it"
            raise InvalidInput("FILE_UNREADABLE", message, "Ask the user for its text; planact doctor says more.")
        asked = json.dumps({"bytes": len(data), "first": first, "last": last}).encode() + b"\n" + data
        try:
            async with asyncio.timeout(self._seconds):
                answer = await self._ask(runner, asked)
        except (TimeoutError, OSError, ValidationError):
            answer = _Answer(problem="takes too long or too much to read")
        except CommandFailure as failure:
            answer = _Answer(problem=f"was not read: {failure.message}")
        if answer.problem:
            raise InvalidInput("FILE_UNREADABLE", f"{name} {answer.problem}", "Ask the user for its text.")
        return PdfText(answer.count, tuple(answer.texts))

    async def _ask(self, runner: Runner, asked: bytes) -> _Answer:
        folder = Place(asked=".", real=self._root, relative=PurePosixPath(), exists=True, is_directory=True)
        argv = [sys.executable, "-I", "-B", str(_WORKER)]
        said = b""
        async with runner.open(argv, folder, {}, _parts(), "") as program:
            writing = asyncio.ensure_future(program.write(asked))
            try:
                while not said.endswith(b"\n") and len(said) <= _LONGEST_ANSWER:
                    data = await program.read()
                    if not data:
                        break
                    said += data
            finally:
                writing.cancel()
                await asyncio.gather(writing, return_exceptions=True)
        return _Answer.model_validate_json(said)


def _parts() -> Sequence[str]:
    """Return the files that the process consists of: Python, its environment, pypdf and the program."""
    found = find_spec("pypdf")
    library = [str(Path(found.origin).parent)] if found and found.origin else []
    return [*dict.fromkeys((sys.prefix, sys.base_prefix, *library, str(_WORKER)))]
