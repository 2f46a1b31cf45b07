"""The possible values of a word of the command line when the program gets it, given the known variables.

A word that isn't known exactly may still be known not to be an option: it begins with another character.
"""

import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import dropwhile

from planact.shell.parse.syntax import (
    Block,
    ForLoop,
    Number,
    RawWord,
    Simple,
    Substitution,
    Text,
    Variable,
    WordPart,
    walk_tree,
)

_GLOB = re.compile(r"[*?]|\[(?!\Z)|(?<=.)\[")
# A bracket may close in another part of the word. In a word of one part it must, behind a character: not in `.[]`.
_GLOB_IN_ITSELF = re.compile(r"[*?]|\[.[^\]]*\]", re.DOTALL)
_BRACES = re.compile(r"\{[^{}]*(?:,|\.\.)[^{}]*\}|\{.*[{,].*\}", re.DOTALL)
# git prints unknown names unchanged, so they must not look like options either.
_HASHES = re.compile(
    r"git (?:merge-base|rev-parse(?: --short(?:=\d+)?| --verify)*|rev-list(?: -1| -n 1| --max-parents=0)+)"
    r"(?: [\w./^~@][\w./^~@{}-]*)+"
)
# The shell puts a home in its place where a word looks like an assignment, or is the value of one.
_TILDE_WITHIN = re.compile(r"(?<=[=:])~")
_ALWAYS_NUMBERS = {"?", "#", "$", "!"}
_SOLID = re.compile(r"[\w./:,@%+=-]+")
_RANGE = re.compile(r"\{\d+\.\.\d+\}")
_COUNTS = re.compile(r"seq(?: \d+){1,3}")
_TELLS_TIME = re.compile(r"date(?: -u)? \+%[FHMNSTYdjms](?:[\w:.-]|%[FHMNSTYdjms])*")
_MAKES_TEMPORARY = re.compile(
    r"mktemp(?: (?:-[dq]+|--directory|--quiet))*(?: (?P<below>-t )?(?P<name>[\w./-]*?)X{3,}[\w.-]*)?"
)


@dataclass(frozen=True, slots=True)
class ShellWord:
    """One word of the source.

    Attributes:
        text: the word, or as much of its beginning as is known.
        is_exact: `text` is all of it.
        is_many: a pattern or braces; it may become several words, each beginning with `text`.
        is_open: it may become any words at all, options too.
        is_solid: it isn't all known, but stays one word without quotes, having no blank and no pattern, and what isn't
            known of it goes up to no other folder.
        start, end: where it stands, in bytes.
    """

    text: str
    is_exact: bool = True
    is_many: bool = False
    is_open: bool = False
    start: int = 0
    end: int = 0
    is_solid: bool = False

    @property
    def is_one(self) -> bool:
        """The word becomes exactly one word of the call."""
        return not self.is_many and not self.is_open

    @property
    def may_be_option(self) -> bool:
        """The word could begin with a dash, though that isn't known."""
        return self.is_open or (not self.is_exact and not self.text)


PIPE = "/dev/fd/\0"
"""The text of a substitution that is read as a file. No line has this character, so no word passes for one."""

_MOST_ROUNDS = 8
"""Values of a loop's variable that are looked at one by one."""

_DESCRIPTOR = re.compile(r"/dev/fd/\d+")

_NUMBER = ShellWord("0", is_exact=False, is_solid=True)
ANYTHING = ShellWord("", is_exact=False)
ANY_WORDS = ShellWord("", is_exact=False, is_open=True)


def is_descriptor(word: ShellWord) -> bool:
    """Return whether a path is a file that is open already."""
    return word.text == PIPE or (word.is_exact and _DESCRIPTOR.fullmatch(word.text) is not None)


def is_unsure(word: ShellWord) -> bool:
    """Return whether a path may lead elsewhere than its text says: its end isn't known, or it goes up again from a
    folder that it names, which may be a link.
    """
    parts = (part for part in word.text.split("/") if part not in ("", "."))
    return not word.is_exact or ".." in dropwhile("..".__eq__, parts)


def evaluate(word: RawWord, variables: Mapping[str, ShellWord]) -> ShellWord:
    """Return the word as far as it is known. `variables` holds those set in this line; others may have any
    value.
    """
    text, is_exact, is_many, is_open, is_solid = "", True, False, False, True
    for part in word.parts:
        glob = _GLOB_IN_ITSELF if len(word.parts) == 1 else _GLOB
        value = _value(part, variables, glob, is_first=part is word.parts[0])
        if is_exact:
            text += value.text
        is_exact = is_exact and value.is_exact
        is_many = is_many or value.is_many
        is_open = is_open or value.is_open
        is_solid = is_solid and _is_solid(value)
    if _has_braces(word):
        text, is_exact, is_many = evaluate(_before_brace(word), variables).text, False, True
    is_solid = is_solid and not (is_exact or is_many or is_open)
    return ShellWord(text, is_exact, is_many, is_open, word.start, word.end, is_solid)


def _is_solid(value: ShellWord) -> bool:
    return value.is_solid or (value.is_exact and bool(_SOLID.fullmatch(value.text)) and ".." not in value.text)


def value_in_loop(word: RawWord, value: ShellWord) -> ShellWord:
    """Return each value that a word of a loop gives its variable: a number, where it is a range of these."""
    bare = "".join(part.value if isinstance(part, Text) and not part.is_quoted else "?" for part in word.parts)
    match word.parts:
        case _ if _RANGE.fullmatch(bare):
            return _NUMBER
        case [Substitution(is_quoted=False, is_pipe=False) as part] if _COUNTS.fullmatch(_only_call(part)):
            return _NUMBER
        case _:
            return value


def each_or_any(values: Sequence[ShellWord], body: Block) -> Sequence[ShellWord]:
    """Return the values that a loop's variable has one after the other, where they are few and stand there, and no loop
    within the body would have it judged many times; else the one possible value that tells of all of them.
    """
    is_short = 1 < len(values) <= _MOST_ROUNDS and all(value.is_exact and value.is_one for value in values)
    is_innermost = is_short and not any(isinstance(node, ForLoop) for node in walk_tree(body))
    return values if is_innermost else [any_of(values)]


def any_of(values: Sequence[ShellWord]) -> ShellWord:
    """Return the possible value of a loop's variable: the beginning that all values have in common."""
    if len(values) == 1 and values[0].is_exact:
        return values[0]
    if not values or any(value.may_be_option for value in values):
        return ANYTHING
    known = posixpath.commonprefix([value.text for value in values]) or "?"
    return (
        ShellWord(known, is_exact=False, is_solid=all(map(_is_solid, values)))
        if not any(value.text.startswith("-") for value in values)
        else ANYTHING
    )


def _has_braces(word: RawWord) -> bool:
    # Quoted or expanded text can't make a brace, but may stand between two.
    bare = "".join(part.value if isinstance(part, Text) and not part.is_quoted else "x" for part in word.parts)
    return bool(_BRACES.search(bare))


def _before_brace(word: RawWord) -> RawWord:
    """Return what begins each of the words that braces make. They are made first: `$x{a,b}` is `$xa` and `$xb`."""
    parts: list[WordPart] = []
    for part in word.parts:
        if isinstance(part, Text) and not part.is_quoted and "{" in part.value:
            if part.value.startswith("{") and parts and isinstance(parts[-1], Variable):
                parts.pop()
            parts.append(Text(part.value.partition("{")[0], is_quoted=False))
            break
        parts.append(part)
    return RawWord(tuple(parts), word.start, word.end)


def _value(part: WordPart, variables: Mapping[str, ShellWord], glob: re.Pattern[str], *, is_first: bool) -> ShellWord:
    match part:
        case Text() if not part.is_quoted and is_first and part.value.startswith("~/") and "~" in variables:
            return _bare(variables["~"].text + part.value[1:], glob, is_first=False)
        case Text():
            return ShellWord(part.value) if part.is_quoted else _bare(part.value, glob, is_first=is_first)
        case Variable():
            return _variable(part, variables)
        case Number():
            return ANYTHING
        case Substitution() if part.is_pipe:
            return ShellWord(PIPE, is_exact=False)
        case Substitution() if _prints_hashes(part):
            return ShellWord("0", is_exact=False, is_many=not part.is_quoted)
        case Substitution() if _TELLS_TIME.fullmatch(_only_call(part)):
            return _NUMBER
        case Substitution() if made := _made_temporary(part, variables):
            return ShellWord(made, is_exact=False, is_solid=True)
        case Substitution():
            return ANYTHING if part.is_quoted else ANY_WORDS


def _prints_hashes(part: Substitution) -> bool:
    """The command prints names of git's objects alone: no option could come of it."""
    return bool(_HASHES.fullmatch(_only_call(part)))


def _made_temporary(part: Substitution, variables: Mapping[str, ShellWord]) -> str:
    """Return how the path begins that the command makes for a temporary file, and prints; empty for another command."""
    made = _MAKES_TEMPORARY.fullmatch(_only_call(part))
    if made is None or not (made["below"] or made["name"] is None):
        return made["name"] if made and made["name"].startswith("/") and ".." not in made["name"] else ""
    folder = variables.get("TMPDIR", ANYTHING).text
    return f"{folder}/{made['name'] or 'tmp.'}" if folder and "/" not in (made["name"] or "") else ""


def _only_call(part: Substitution) -> str:
    """Return the words of the one call that a substitution consists of, empty for anything else."""
    match part.body.items:
        case [Simple(assignments=(), words=words, redirects=())]:
            return " ".join(_literal(word) or "?" for word in words)
        case _:
            return ""


def _literal(word: RawWord) -> str:
    return "".join(part.value if isinstance(part, Text) else "?" for part in word.parts)


def _bare(text: str, glob: re.Pattern[str], *, is_first: bool) -> ShellWord:
    found = glob.search(text)
    if is_first and text.startswith("~"):
        return ShellWord("/~", is_exact=False, is_many=found is not None)
    tilde = _TILDE_WITHIN.search(text)
    if found or tilde:
        known = min(each.start() for each in (found, tilde) if each)
        return ShellWord(text[:known], is_exact=False, is_many=found is not None)
    return ShellWord(text)


def _variable(part: Variable, variables: Mapping[str, ShellWord]) -> ShellWord:
    if part.name in _ALWAYS_NUMBERS:
        return _NUMBER
    known = variables.get(part.name)
    if known is not None and known.is_solid and not part.is_derived:
        return ShellWord(known.text, is_exact=False, is_solid=True)
    if part.is_derived or known is None or (known.is_open and not part.is_quoted):
        return ANYTHING if part.is_quoted else ANY_WORDS
    if part.is_quoted:
        return ShellWord(known.text, known.is_exact)
    if known.is_exact and _SOLID.fullmatch(known.text):
        return ShellWord(known.text)
    return ANY_WORDS
