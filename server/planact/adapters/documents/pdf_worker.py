"""A program that reads the text of a PDF file, whose bytes it gets on its standard input: it opens no file.

It imports nothing of planact, so that its jail need not show it more than Python and pypdf.
"""

import contextlib
import json
import os
import sys
from typing import Any

_MOST_MEMORY = 1_000_000_000
_MOST_SECONDS = 20
_MOST_CHARACTERS = 200_000
_MOST_FILE_BYTES = 100_000_000


def main() -> None:
    """Read a line of JSON (`bytes`, `first` and `last` page from 1, null = the last one) and the bytes; write a line of
    JSON: `count` of pages and `texts` of those asked for, as many as fit, or the `problem`.
    """
    _limit()
    asked = json.loads(sys.stdin.buffer.readline())
    data = sys.stdin.buffer.read(min(asked["bytes"], _MOST_FILE_BYTES))
    try:
        answer = _read(data, asked["first"], asked["last"])
    except MemoryError:
        answer = {"problem": "takes too much memory to read"}
    except RecursionError:
        answer = {"problem": "is nested too deeply"}
    except Exception as error:  # noqa: BLE001  whatever a broken file makes of the library
        answer = {"problem": f"is broken: {type(error).__name__}"}
    sys.stdout.write(f"{json.dumps(answer)}\n")
    sys.stdout.flush()
    os._exit(0)


def _read(data: bytes, first: int, last: int | None) -> dict[str, Any]:
    import io
    import logging

    from pypdf import PdfReader
    from pypdf.errors import DependencyError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    reader = PdfReader(io.BytesIO(data))
    try:
        if reader.is_encrypted and not reader.decrypt(""):
            return {"problem": "is encrypted"}
    except DependencyError:
        return {"problem": "is encrypted"}
    count = len(reader.pages)
    texts: list[str] = []
    room = _MOST_CHARACTERS
    for number in range(first, min(last or count, count) + 1):
        text = reader.pages[number - 1].extract_text()
        if texts and len(text) > room:
            break
        texts.append(text[:_MOST_CHARACTERS])
        room -= len(text)
    return {"count": count, "texts": texts}


def _limit() -> None:
    if sys.platform != "win32":
        import resource

        limits = ((resource.RLIMIT_AS, _MOST_MEMORY), (resource.RLIMIT_CPU, _MOST_SECONDS), (resource.RLIMIT_CORE, 0))
        for limit, most in limits:
            with contextlib.suppress(OSError, ValueError):  # it is lower already, or can't be set
                resource.setrlimit(limit, (most, most))


if __name__ == "__main__":
    main()
