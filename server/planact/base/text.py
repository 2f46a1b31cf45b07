"""Texts of others, made safe to show and to hand on."""

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence

_UNSEEN = ("Cc", "Cf", "Zl", "Zp", "Zs")
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]"
)
"""Letters, marks and symbols that show nothing; programs take some of them for a part of a name."""

_HALVES = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_EMOJI = re.compile("(?<=[\u00a9\u00ae\u2000-\u27ff\u2900-\u2bff\u3000-\u32ff\U0001f000-\U0001faff])\ufe0f")


def one_line(text: str, limit: int) -> str:
    """Return `text` in one line of at most `limit` characters, without controls and invisible characters."""
    kept = " ".join("".join(" " if _is_odd(character) else character for character in text[: 4 * limit]).split())
    return kept if len(kept) <= limit else f"{kept[: limit - 1]}…"


def ends_in_one_line(text: str, limit: int) -> str:
    """Return `text` as `one_line` does, but of a long one the beginning and more of the end, where programs tell their
    error.
    """
    line = one_line(text, len(text))
    head = limit // 3
    return line if len(line) <= limit else f"{line[:head]} … {line[len(line) - (limit - head - 3) :]}"


def visible(text: str) -> str:
    """Return `text` with invisible, reordering and blank-like characters spelled out, so that the user says yes to the
    real text.
    """
    if text.isascii() and text.isprintable():
        return text
    shown = {found.start() for found in _EMOJI.finditer(text)}
    return "".join(
        f"\\u{ord(each):04x}" if each not in " \n\t" and at not in shown and _is_unseen(each) else each
        for at, each in enumerate(text)
    )


def _is_unseen(character: str) -> bool:
    return unicodedata.category(character) in _UNSEEN or _BLANK.match(character) is not None


def with_whole_characters(text: str) -> str:
    """Return `text` with two halves of a character (surrogates) that follow each other as one; others stay halves."""
    if not _HALVES.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def path_as_text(path: str) -> str:
    """Return a path for people and records, also one whose bytes are no text."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


def word_starts(text: str, word: str) -> list[int]:
    """Return where a word stands in a text, and isn't a part of a longer one."""
    return [found.start() for found in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", text)]


def named(path: str) -> str:
    """Return a path for a list of paths: in quotes where it has line breaks or other invisible characters."""
    return path if path.isprintable() and visible(path) == path else json.dumps(path)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 process`, `2 processes`."""
    ending = "" if number == 1 else "es" if noun.endswith(("s", "ch")) else "s"
    return f"{number} {noun}{ending}"


def first_few(texts: Sequence[str], most: int, noun: str = "more") -> str:
    """Return a list of at most `most` of the texts, and how many are left out: `a, b and 3 more`."""
    left = f" and {len(texts) - most} {noun}" if len(texts) > most else ""
    return ", ".join(texts[:most]) + left


def time_taken(seconds: float) -> str:
    """Return a time that something took, for people: `40 s`, `2 min`."""
    return f"{seconds:.0f} s" if seconds < 60 else f"{seconds / 60:.0f} min"


def number_ranges(numbers: Iterable[int]) -> str:
    """Return numbers in order, neighbours together: `1-3, 5`."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][-1] + 1:
            parts[-1] = [parts[-1][0], number]
        else:
            parts.append([number])
    return ", ".join("-".join(map(str, part)) for part in parts)


def capped(text: str, limit: int) -> str:
    """Return `text`, or as much of both ends as `limit` characters allow, with a line on the omitted part."""
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[: limit - half]}\n[… {len(text) - limit} characters left out …]\n{text[len(text) - half :]}"


def _is_odd(character: str) -> bool:
    return unicodedata.category(character)[0] == "C"


def without_controls(text: str) -> str:
    """Return `text` without controls and invisible characters, but with its line breaks and tabs."""
    return "".join(character for character in text if character in "\n\t" or not _is_odd(character))


def shortened(text: str, limit: int) -> str:
    """Return at most about `limit` characters of `text`, from its beginning and its end."""
    if len(text) <= limit:
        return text
    head = limit * 2 // 3
    return f"{text[:head]}\n[planact: {len(text) - limit} characters left out]\n{text[len(text) - limit + head :]}"


def fair_limit(lengths: Iterable[int], room: int) -> int:
    """Return how much may stay of each text so that all fit into `room`: short ones stay whole, long ones are cut."""
    ordered = sorted(lengths)
    for at, length in enumerate(ordered):
        share = room // (len(ordered) - at)
        if length > share:
            return share
        room -= length
    return ordered[-1] if ordered else 0


_QUALIFIERS = re.compile(r"::|->|\.|#|\\(?=\w)")


def parts_of_name(name: str) -> tuple[str, ...]:
    """Return the parts of a name of a program, the innermost last: `Class.method`, `space::Class`."""
    return tuple(_QUALIFIERS.split(name.removesuffix("()")))
