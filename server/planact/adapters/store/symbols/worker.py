"""A program that makes outlines of source files.

It is a process of its own because grammars are C code that reads untrusted text: where one never ends, or crashes, only
this process ends, and no other waits for the interpreter's lock meanwhile.
"""

import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from planact.adapters.store.disk.atomic import read_regular
from planact.adapters.store.symbols.outline import LARGEST_SOURCE
from planact.adapters.store.symbols.parse import outline
from planact.base.filetext import decode_text

MOST_MEMORY = 512_000_000
"""Bytes. The largest file that a person wrote takes a tenth of it."""


def main() -> None:
    """Read tasks from standard input, and write an answer to each as soon as there is one; both are lines of JSON.

    First comes a name, or an empty line: files without the name in their text are skipped. Tasks are `[path, language,
    SHA-256 of the file when its outline was made or "", text or null]`; answers are `[state, SHA-256, outline]`.
    """
    _limit()
    name = json.loads(sys.stdin.buffer.readline())
    for line in sys.stdin.buffer:
        sys.stdout.write(f"{json.dumps(_answer(name, *json.loads(line)))}\n")
        sys.stdout.flush()
    os._exit(0)


def _limit() -> None:
    """Limit the memory, since a source text can be made so that a grammar would take gigabytes for it. A crash leaves
    no core dump either, which would lie in the workspace.
    """
    if sys.platform != "win32":
        import resource

        for limit, most in ((resource.RLIMIT_AS, MOST_MEMORY), (resource.RLIMIT_CORE, 0)):
            with suppress(OSError, ValueError):  # it is lower already, or nobody may say
                resource.setrlimit(limit, (most, most))


def _answer(name: str, path: str, language: str, known: str, text: str | None) -> tuple[Any, ...]:
    sha256 = ""
    if text is None:
        try:
            file = decode_text(read_regular(Path(path), LARGEST_SOURCE))
        except OSError:
            return ("unreadable", "", "")
        if file is None:
            return ("unreadable", "", "")
        if file.sha256 == known:
            return ("same", known, "")
        text, sha256 = file.text, file.sha256
    if name not in text:
        return ("skipped", "", "")
    return ("read", sha256, outline(language, text.encode("utf-8", "replace")))


if __name__ == "__main__":
    main()
