"""A command line without what only shortens its output, for comparing commands: models vary that from call to call.

Only a closed list of filters counts, with arguments by which none reads or writes a file, or runs a program.
"""

import posixpath
import re
from collections.abc import Sequence
from functools import lru_cache

from planact.shell.parse.plain import plain_commands
from planact.shell.parse.syntax import RawWord, Text

_BLANKS = " \t\n"
_PIPE = re.compile(r"(?:[ \t]*(?:&>>?|[12]?>>?)[ \t]*/dev/null|[ \t]*[12]?>&[12])*[ \t]*\|[ \t]*")
_AND = re.compile(r"[ \t]*&&[ \t]*")
_FOLDER = re.compile(r"[/.][^\0\n]*")
_COUNT = re.compile(r"[+-]?\d+")
_OPTIONS = {
    "cat": re.compile(r"-n"),
    "grep": re.compile(r"-[EFinvwxaco]+|-[ABCm]\d+"),
    "head": re.compile(r"-\d+|-[nc]\d+"),
    "sort": re.compile(r"-[nrufh]+"),
    "tail": re.compile(r"-\d+|-[nc][+-]?\d+"),
    "uniq": re.compile(r"-[cdui]+"),
    "wc": re.compile(r"-[lwcm]+"),
}
"""The options of each filter that stand alone."""

_COUNTING = {"grep": ("-A", "-B", "-C", "-m"), "head": ("-n", "-c"), "tail": ("-n", "-c")}
"""Options whose value, a number, is the next word."""

_EXPANDED = frozenset("*?[{~")


@lru_cache(1_000)  # of the commands that are allowed, each is asked for again with each verdict
def without_filters(line: str, directory: str = "") -> str:
    """Return the line without the filters at its end, without redirections there that merge its output or throw it
    away, and without a `cd` in front to the `directory` where it runs anyway (an absolute POSIX path).
    """
    line = line.strip(_BLANKS)
    while (shorter := _shorter(line, directory)) != line:
        line = shorter
    return line


def _shorter(line: str, directory: str) -> str:
    commands = plain_commands(line)
    if commands is None:
        return line
    first, last = commands[0], commands[-1]
    if len(commands) > 1:
        end, second = commands[-2][-1].end, commands[1][0].start
        if is_filter(last) and _PIPE.fullmatch(line, end, last[0].start):
            return line[:end]
        if directory and _stays(first, directory) and _AND.fullmatch(line, first[-1].end, second):
            return line[second:]
    return line[: last[-1].end]


def is_filter(words: Sequence[RawWord]) -> bool:
    """The command only shortens or sorts what it reads from a pipe."""
    texts = exact_words(words)
    if texts is None or (options := _OPTIONS.get(texts[0])) is None:
        return False
    program, *left = texts
    while left and left[0].startswith("-"):
        if left[0] in _COUNTING.get(program, ()) and len(left) > 1 and _COUNT.fullmatch(left[1]):
            left = left[2:]
        elif options.fullmatch(left[0]):
            left = left[1:]
        else:
            break
    if program == "grep":  # a pattern, and no file
        return len(left[1:] if left[:1] == ["-e"] else left) == 1 and (left[0] == "-e" or left[0][:1] != "-")
    return not left


def _stays(words: Sequence[RawWord], directory: str) -> bool:
    texts = exact_words(words)
    if texts is None or len(texts) != 2 or texts[0] != "cd" or not _FOLDER.fullmatch(texts[1]):
        return False
    return posixpath.normpath(posixpath.join(directory, texts[1])) == directory


def exact_words(words: Sequence[RawWord]) -> Sequence[str] | None:
    """Return the words of a plain command as its program gets them; None where the shell would make others of them."""
    parts = [part for word in words for part in word.parts if isinstance(part, Text)]
    if not all(part.is_quoted or _EXPANDED.isdisjoint(part.value) for part in parts):
        return None
    return ["".join(part.value for part in word.parts if isinstance(part, Text)) for word in words]
