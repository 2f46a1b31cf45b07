"""A program that finds matching lines in files, where ripgrep is missing or doesn't know a pattern.

It is a process of its own because a regular expression can run for ever, and only the end of its process stops it:
Python's engine holds the interpreter's lock meanwhile.
"""

import codecs
import os
import re
import sys
from collections.abc import Iterator
from typing import BinaryIO

LONGEST_SEEN = 50_000
"""Characters of a line in which the part that matched is shown."""


def main() -> None:
    """Read NUL-separated paths from standard input, and write hits as `ripgrep --null --line-number --column` does.

    The arguments are the pattern and the most lines to show of one file.
    """
    pattern, most = re.compile(sys.argv[1]), int(sys.argv[2])
    for path in filter(None, sys.stdin.buffer.read().split(b"\0")):
        try:
            with open(path, "rb") as file:  # noqa: PTH123 - a path in bytes
                hits = 0
                for number, line in enumerate(_lines(file), 1):
                    if found := pattern.search(line.removesuffix("\r")):
                        hits += 1
                        column = len(line[: found.start()].encode("utf-8", "replace")) + 1
                        shown = line[:LONGEST_SEEN].encode("utf-8", "replace")
                        sys.stdout.buffer.write(b"%s\0%d:%d:%s\n" % (path, number, column, shown))
                    if hits == most:
                        break
        except OSError:
            continue
    sys.stdout.buffer.flush()
    os._exit(0)


def _lines(file: BinaryIO) -> Iterator[str]:
    """Yield line by line, since the file may be large; UTF-16 is read at once. An empty file has one line."""
    first = file.readline()
    for mark, encoding in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if first.startswith(mark):
            text = (first + file.read())[len(mark) :].decode(encoding, "replace")
            yield from text.removesuffix("\n").split("\n")
            return
    yield first.decode("utf-8-sig", "replace").removesuffix("\n")
    for line in file:
        yield line.decode("utf-8", "replace").removesuffix("\n")


if __name__ == "__main__":
    main()
