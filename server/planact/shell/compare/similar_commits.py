"""Lines that stage files and commit them, for a rule that covers all of them: each stages by name or all that is there,
and gives its message as it stands in the line. What stands beside them only shows the repository's state, or is another
command of git's, for which a rule by its text is needed as well. What may bring files comes after the last commit: that
might run a hook among them that nobody had seen.

No option here names a program, a place to write to or another repository, leaves out hooks or changes a commit that is
there.
"""

import re
import unicodedata
from collections.abc import Sequence

from planact.base.text import word_set
from planact.model.rights.rule import COMMITS
from planact.shell.compare.similar_requests import is_aside
from planact.shell.compare.without_filters import exact_words, is_filter
from planact.shell.parse.plain import plain_commands

_FILE = re.compile(r"[\w.][\w./+@-]*")
_STAGING = re.compile(r"-A|--all|-u|--update|-v|--verbose|--")
_COMMITTING = re.compile(r"-[aqsv]+|--all|--quiet|--signoff|--verbose")
_MESSAGE = re.compile(r"-[aqsv]*m|--message")
_SHOWING = {
    "status": re.compile(r"-s|-b|-sb|--short|--branch|--porcelain"),
    "log": re.compile(r"--oneline|--stat|-n?\d{1,3}|-n|--max-count=\d{1,3}"),
    "diff": re.compile(r"--stat|--cached|--staged|--name-only|--name-status|--"),
}
_STAYING = word_set("add branch commit fetch push tag")
"""Commands of git's that change no file of the workspace."""

_MOVING = word_set("checkout cherry-pick merge mv pull reset restore revert rm stash switch")
"""Those that may bring a hook with them, where settings name a folder of the workspace for hooks."""

_MOST_BESIDE, _LONGEST_BESIDE = 3, 120
"""Other commands, and characters of all: the rules by their texts are to be read whole before they are made."""

_HERE_TEXT = re.compile(r"\"\$\(cat <<'(?P<end>\w+)'\n(?P<body>(?:.*\n)*?)(?P=end)\n[ \t]*\)\"")
_HIDING = frozenset("'\"`\\#")
"""Characters that may hide a bracket from a shell that looks for the end of `$(` in a text."""

_PIPED = re.compile(r"(?<!\|)\|(?!\|)")
_QUOTES = re.compile(r"['\"`\\]")

_SEEN = ("L", "M", "N", "P", "S")
"""Categories of characters that no shell reads as more than a part of a word, where they aren't in ASCII."""


def similar_commits(line: str, directory: str = "") -> tuple[str, ...]:
    """Return the words with which all calls begin that are like those of a line; empty where one does more. It runs in
    `directory` (an absolute POSIX path), which may be named, as by `git -C`.
    """
    return () if _beside(line, directory) is None else (COMMITS,)


def beside_commits(line: str, directory: str = "") -> tuple[str, ...]:
    """Return the texts of the other commands of git's in a line of `similar_commits`, such as `git push`."""
    return tuple(_beside(line, directory) or ())


def _beside(line: str, directory: str) -> Sequence[str] | None:
    """Return the texts of what a line does with git beside commits; None where it does more, or has none."""
    shorter = _without_texts(line)
    plain = "".join(map(_in_ascii, shorter))
    beside: list[str] = []
    has_commits, has_moved, before = False, False, 0
    for command in plain_commands(plain) or ():
        first, end = command[0].start, command[-1].end
        text, words = shorter[first:end], _from_there(exact_words(command), directory)
        if words is None:
            return None
        if _commits(words):
            if has_moved:
                return None
            has_commits = True
        elif words[:1] == ["git"] and not (_STAYING | _MOVING).isdisjoint(words[1:2]):
            if not text.isascii() or _PIPED.search(plain, before, first):
                return None
            beside.append(text)
            has_moved = has_moved or words[1] in _MOVING
        elif not (_shows(words) or is_aside(words) or is_filter(command)):
            return None
        before = end
    is_read = len(beside) <= _MOST_BESIDE and len("".join(beside)) <= _LONGEST_BESIDE
    return beside if has_commits and is_read else None


def _commits(words: Sequence[str]) -> bool:
    match words:
        case ["git", "add", *left]:
            return bool(left) and _are_files(left, _STAGING)
        case ["git", "commit", *left]:
            return _gives_message(left)
        case _:
            return False


def _shows(words: Sequence[str]) -> bool:
    match words:
        case ["git", "status" | "log" | "diff" as name, *left]:
            return _are_files(left, _SHOWING[name])
        case _:
            return False


def _from_there(words: Sequence[str] | None, directory: str) -> Sequence[str] | None:
    """Return a command's words, of git as they would be without the name of the folder that it runs in. What the name
    of a command or an option would be without it stays: git takes neither for one.
    """
    if words is None or not directory or words[0] != "git":
        return words
    left = words[3:] if words[1:2] == ["-C"] and words[2:3] in ([directory], ["."]) else words[1:]
    return ["git", *left[:1], *(_below(word, directory) for word in left[1:])]


def _below(word: str, directory: str) -> str:
    path = word.removeprefix(f"{directory}/") or "."
    return word if path.startswith("-") else path


def _are_files(words: Sequence[str], options: re.Pattern[str]) -> bool:
    return all(options.fullmatch(word) or (_FILE.fullmatch(word) and ".." not in word.split("/")) for word in words)


def _gives_message(words: Sequence[str]) -> bool:
    left, has_message = list(words), False
    while left:
        word = left.pop(0)
        if _MESSAGE.fullmatch(word) and left:
            left.pop(0)
        elif not word.startswith("--message="):
            if not _COMMITTING.fullmatch(word):
                return False
            continue
        has_message = True
    return has_message


def _without_texts(line: str) -> str:
    """Return the line with its texts behind `<<'END'` as words with a letter that isn't in ASCII."""
    texts = [found["body"] for found in _HERE_TEXT.finditer(line)]
    if not _HIDING.isdisjoint("".join(texts)) and (len(texts) > 1 or _QUOTES.search(_HERE_TEXT.sub("", line))):
        return line
    return _HERE_TEXT.sub(
        lambda found: "'\N{LATIN SMALL LETTER O WITH DIAERESIS}'" if _is_calm(found) else found[0], line
    )


def _is_calm(found: re.Match[str]) -> bool:
    """Return whether an old bash, which looks for the end of `$(` in the text, finds it where others do, too."""
    lines = found["body"].splitlines()
    return found["end"] not in lines and all(map(_is_balanced, lines))


def _is_balanced(line: str) -> bool:
    depth = 0
    for character in line:
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return False
    return depth == 0 and ("(" not in line or _HIDING.isdisjoint(line))


def _in_ascii(character: str) -> str:
    """Return `x` for a letter that isn't in ASCII."""
    is_seen = not character.isascii() and unicodedata.category(character).startswith(_SEEN)
    return "x" if is_seen else character
