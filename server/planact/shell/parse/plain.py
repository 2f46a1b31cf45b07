"""Reads lines that need no interpretation, without a grammar: the second opinion that costs no process.

A plain line is made of words of `[A-Za-z0-9_./:=,@%+^~?*-]`, `{}`, backslashed characters and closed quotes without
expansions; commands joined by `;` `|` `&&` `||`; and redirections to /dev/null or between descriptors. Other lines
aren't plain, nor those with a reserved word, an assignment or a declaration in front.
"""

import re

from planact.base.text import word_set
from planact.shell.parse.read_words import merge_texts
from planact.shell.parse.syntax import Block, RawWord, Simple, Text, WordPart, walk_tree

Commands = tuple[tuple[RawWord, ...], ...]

_PIECE = re.compile(
    r"""(?P<bare>[\w./:=,@%+^~?*-]+|\{\})
    | \\(?P<escaped>[^\n])
    | '(?P<single>[^']*)'
    | "(?P<double>(?:[^"$`\\]|\\[^\n]|\$(?="))*)"
    """,
    re.VERBOSE | re.ASCII,
)
_REDIRECT = re.compile(r"(?:&>>?|[12]?>>?)[ \t]*/dev/null(?=[ \t;|]|$)|[12]?>&[12](?=[ \t;|]|$)")
_JOINT = re.compile(r";|\|\||\||&&")
_BLANKS = re.compile(r"[ \t]*")
_NOT_FIRST = word_set(
    "if then else elif fi for while until do done case esac in select function time coproc ! { } [[ ]] "
    "declare typeset export readonly local unset unsetenv let {}"
)


def plain_commands(line: str) -> Commands | None:
    """The words of each command with spans in bytes, or None where the line isn't plain."""
    if not line.isascii():
        return None
    commands: list[tuple[RawWord, ...]] = []
    words: list[RawWord] = []
    at, is_open = _skip(line, 0), False
    while at < len(line):
        if joint := _JOINT.match(line, at):
            if not words or line.startswith(("|&", ";;"), at):
                return None
            commands.append(tuple(words))
            words, is_open = [], joint[0] != ";"
            at = joint.end()
        elif redirect := _REDIRECT.match(line, at):
            if not words:
                return None
            at = redirect.end()
        elif (word := _word(line, at)) and (words or _may_be_first(word, line)):
            words.append(word)
            at = word.end
            if line[at : at + 1] not in ("", " ", "\t", ";", "|", "&") or line.startswith("&>", at):
                return None
        else:
            return None
        at = _skip(line, at)
    if words:
        return (*commands, tuple(words))
    return tuple(commands) if commands and not is_open else None


def commands_of(tree: Block) -> Commands:
    """The words of each command of a tree, for comparison."""
    return tuple(node.words for node in walk_tree(tree) if isinstance(node, Simple))


def _skip(line: str, at: int) -> int:
    found = _BLANKS.match(line, at)
    return found.end() if found else at


def _may_be_first(word: RawWord, line: str) -> bool:
    text = line[word.start : word.end]
    return text not in _NOT_FIRST and "=" not in text


def _word(line: str, start: int) -> RawWord | None:
    parts: list[WordPart] = []
    at = start
    while piece := _PIECE.match(line, at):
        at = piece.end()
        kind = piece.lastgroup
        text = piece[kind] if kind else ""
        if kind == "double":
            text = re.sub(r'\\([$`"\\])', r"\1", text)
        parts.append(Text(text, is_quoted=kind != "bare"))
    return RawWord(merge_texts(iter(parts)), start, at) if parts else None
