"""Texts of others, made safe to show and to hand on."""

import json
import unicodedata


def one_line(text: str, limit: int) -> str:
    """`text` in one line of at most `limit` characters, without controls and what is invisible."""
    kept = " ".join("".join(" " if _is_odd(character) else character for character in text[: 4 * limit]).split())
    return kept if len(kept) <= limit else f"{kept[: limit - 1]}…"


def named(path: str) -> str:
    """A path as a list of such shows it: in quotes where it has line breaks or what else can't be seen."""
    return path if path.isprintable() else json.dumps(path)


def counted(number: int, noun: str) -> str:
    """A number of things: `1 process`, `2 processes`."""
    ending = "" if number == 1 else "es" if noun.endswith(("s", "ch")) else "s"
    return f"{number} {noun}{ending}"


def capped(text: str, limit: int) -> str:
    """`text`, or as much of both ends as `limit` characters allow, with a line on what is missing."""
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[: limit - half]}\n[… {len(text) - limit} characters left out …]\n{text[len(text) - half :]}"


def _is_odd(character: str) -> bool:
    return unicodedata.category(character)[0] == "C"
