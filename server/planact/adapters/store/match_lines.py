"""A program that finds matching lines in files, for where ripgrep isn't installed or doesn't know a pattern.

It is a process of its own because a regular expression can run for ever and nothing else can stop it: Python's
engine holds the interpreter's lock while it does.
"""

import codecs
import os
import re
import sys

LONGEST_SHOWN = 2000


def main() -> None:
    """Read NUL-separated paths from standard input, and write hits as `ripgrep --null --line-number` does.

    The arguments are the pattern and the most lines to show of one file.
    """
    pattern, most = re.compile(sys.argv[1]), int(sys.argv[2])
    for path in filter(None, sys.stdin.buffer.read().split(b"\0")):
        try:
            with open(path, "rb") as file:  # noqa: PTH123 - a path in bytes
                text = _decode(file.read())
        except OSError:
            continue
        hits = 0
        for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
            if hits < most and pattern.search(line.removesuffix("\r")):
                hits += 1
                shown = line[:LONGEST_SHOWN].encode("utf-8", "replace")
                sys.stdout.buffer.write(b"%s\0%d:%s\n" % (path, number, shown))
    sys.stdout.buffer.flush()
    os._exit(0)


def _decode(data: bytes) -> str:
    for mark, encoding in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    return data.decode("utf-8-sig", "replace")


if __name__ == "__main__":
    main()
