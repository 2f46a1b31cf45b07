"""Encoded forms of a secret: escaped in JSON or in an address, or in base64."""

import base64
import json
import re
from collections.abc import Iterator
from urllib.parse import quote

_SHORTEST_IN_BASE64 = 12
_ESCAPED = re.compile(r"(?<!\\)\\++(?:u00([2-7][0-9A-Fa-f])|(/))")
_IN_KEYS = re.compile(r"[A-Za-z0-9_.~:@%+/=-]")


def disguises(value: str) -> set[str]:
    """Return the forms in which `value` is searched, itself among them."""
    return {value, quote(value, safe=""), *_escaped(value), *_base64(value.encode("utf-8", "replace"))}


def as_plain(text: str) -> str:
    r"""Return `text` with the characters of keys unescaped where JSON escaped them (`\u0041`, `\/`), at any depth of
    JSON within JSON.
    """
    return _ESCAPED.sub(_plain, text) if "\\u00" in text or "\\/" in text else text


def _plain(match: re.Match[str]) -> str:
    code, slash = match.groups()
    plain = slash or chr(int(code, 16))
    return plain if _IN_KEYS.fullmatch(plain) else match[0]  # a quote or a backslash would end or break a JSON text


def _escaped(value: str) -> Iterator[str]:
    for is_ascii in (True, False):
        once = json.dumps(value, ensure_ascii=is_ascii)[1:-1]
        yield once
        yield json.dumps(once)[1:-1]


def _base64(value: bytes) -> Iterator[str]:
    """Return the part that every base64 text around `value` shares, for each of its three alignments."""
    if len(value) < _SHORTEST_IN_BASE64:
        return
    for before, mixed in ((0, 0), (1, 2), (2, 3)):
        whole = (before + len(value)) * 8 // 6
        coded = base64.b64encode(bytes(before) + value)[mixed:whole].decode()
        yield coded
        yield coded.translate(str.maketrans("+/", "-_"))
