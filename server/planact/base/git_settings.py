"""Read git's settings, and the files that point to its own folders, exactly as git does: where it read something else,
it could start a program that planact hasn't seen.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

_BLANKS = " \t\r\n"
_MARK = b"\xef\xbb\xbf"
_HEADING = re.compile(r'\[([A-Za-z0-9.-]*)(?:[ \t\r]+"((?:[^"\\\n]|\\[^\n])*)")?\]')
_KEY = re.compile(r"([A-Za-z][A-Za-z0-9-]*)[ \t]*(=?)")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t", "b": "\b", "\n": ""}


@dataclass(frozen=True, slots=True)
class GitSetting:
    """`[section "name"] key = value`, section and key in lower case; without a key, the heading of a section."""

    section: str
    name: str
    key: str = ""
    value: str = ""


def parse_git_settings(data: bytes) -> Iterator[GitSetting]:
    """Yield the headings and settings of a file: all that git reads, and more where git stops at an error, or where its
    versions differ (before 2.45 each blank within a value was read as a space).
    """
    text = os.fsdecode(data.removeprefix(_MARK)).replace("\r\n", "\n")
    at, section, name = 0, "", ""
    while at < len(text):
        if text[at] in _BLANKS:
            at += 1
        elif heading := _HEADING.match(text, at):
            at, written, quoted = heading.end(), heading[1].lower(), heading[2]
            more = "" if quoted is None else "." + _ESCAPE.sub(r"\1", quoted)
            section, _, name = _to_zero(written + more).partition(".")
            yield GitSetting(section, name)
        elif key := _KEY.match(text, at):
            values, at = _read_value(text, key.end()) if key[2] else ([""], key.end())
            yield from (GitSetting(section, name, key[1].lower(), _to_zero(value)) for value in values)
            at = _end_of_line(text, at)
        else:
            at = _end_of_line(text, at)


def git_path(data: bytes) -> str:
    """Return the path that a file of git's names, as the one in the place of a worktree's `.git` does."""
    return _to_zero(os.fsdecode(data.rstrip(b"\r\n").removeprefix(b"gitdir: ")))


def _read_value(text: str, at: int) -> tuple[list[str], int]:
    """Return the readings of a value without its quotes, escapes and the blanks around it, and where it ends."""
    with_spaces, value, blanks, is_quoted = "", "", "", False
    while at < len(text) and text[at] != "\n":
        char = text[at]
        at += 1
        if char in _BLANKS and not is_quoted:
            blanks += char if value else ""
            continue
        if char in "#;" and not is_quoted:
            break
        if char == "\\":
            char = _ESCAPED.get(text[at : at + 1], text[at : at + 1])
            at += 1
        elif char == '"':
            is_quoted, char = not is_quoted, ""
        with_spaces += " " * len(blanks) + char
        value += blanks + char
        blanks = ""
    return list(dict.fromkeys((with_spaces, value))), at


def _end_of_line(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found


def _to_zero(text: str) -> str:
    """Return the text up to the first zero byte, at which git's texts end."""
    return text.partition("\0")[0]
