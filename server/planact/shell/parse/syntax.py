"""The part of the shell's language that can be judged, as a tree. A construct without a place here is unknown.

Quotes are gone and spans remain: two parsers that read a line alike build equal trees.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from planact.model.rights.classification import Reading


@dataclass(frozen=True, slots=True)
class Text:
    """Characters as the program gets them. Unquoted ones may still be a pattern, braces or a tilde."""

    value: str
    is_quoted: bool


@dataclass(frozen=True, slots=True)
class Variable:
    """`$name`. `is_derived`: only a part or the length of its value, or a default for it."""

    name: str
    is_quoted: bool
    is_derived: bool = False


@dataclass(frozen=True, slots=True)
class Number:
    """`$((…))` of numbers and the variables named, which must hold numbers too."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Substitution:
    """`$(…)`, or the pipe of a `<(…)`."""

    body: "Block"
    is_quoted: bool
    is_pipe: bool = False


WordPart = Text | Variable | Number | Substitution


@dataclass(frozen=True, slots=True)
class RawWord:
    """A word before its variables are known. Span in bytes."""

    parts: tuple[WordPart, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Assignment:
    """`name=value`."""

    name: str
    value: RawWord
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Redirect:
    """A redirection; the word of a here-document is its text."""

    operator: str
    word: RawWord
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Simple:
    """One command, or only assignments. `keyword` is `export` where it declares."""

    assignments: tuple[Assignment, ...]
    words: tuple[RawWord, ...]
    redirects: tuple[Redirect, ...]
    start: int
    end: int
    keyword: str = ""


@dataclass(frozen=True, slots=True)
class Test:
    """`[[ … ]]`; operands of arithmetic operators apart, since the shell evaluates those."""

    words: tuple[RawWord, ...]
    numbers: tuple[RawWord, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ForLoop:
    """`for name in words; do body; done`."""

    name: str
    words: tuple[RawWord, ...]
    body: "Block"


BlockKind = Literal["sure", "maybe", "then", "loop", "pipe"]


@dataclass(frozen=True, slots=True)
class Block:
    """Commands one after another. `sure`: all of them run, in this shell, so that the variables they set hold
    afterwards. `then`: they run only after what stands before the block has succeeded; `loop`: perhaps several times;
    `pipe`: each reads what the one before it prints.
    """

    kind: BlockKind
    items: tuple["Node", ...]
    redirects: tuple[Redirect, ...] = ()


Node = Simple | Test | ForLoop | Block


def reading(node: Node) -> Reading:
    """Return the tree in the form by which parsers are compared."""
    commands: set[tuple[tuple[int, int], ...]] = set()
    assignments: set[tuple[int, int]] = set()
    redirects: set[tuple[str, int, int]] = set()
    tests: set[tuple[int, int]] = set()
    for found in walk_tree(node):
        match found:
            case Simple():
                if found.words:
                    commands.add(tuple((word.start, word.end) for word in found.words))
                assignments |= {(each.start, each.end) for each in found.assignments}
                redirects |= {_redirect(each) for each in found.redirects}
            case Block():
                redirects |= {_redirect(each) for each in found.redirects}
            case Test():
                tests.add((found.start, found.end))
            case ForLoop():
                pass
    return Reading(frozenset(commands), frozenset(assignments), frozenset(redirects), frozenset(tests))


def _redirect(redirect: Redirect) -> tuple[str, int, int]:
    is_document = redirect.operator in ("<<", "<<-")
    return (redirect.operator, *((0, 0) if is_document else (redirect.word.start, redirect.word.end)))


def walk_tree(node: Node) -> Iterator[Node]:
    """The node and all below it, also those inside words."""
    yield node
    match node:
        case Simple():
            words = [*node.words, *(each.value for each in node.assignments), *(each.word for each in node.redirects)]
        case Test():
            words = [*node.words, *node.numbers]
        case ForLoop():
            words = [*node.words]
            yield from walk_tree(node.body)
        case Block():
            words = [each.word for each in node.redirects]
            for item in node.items:
                yield from walk_tree(item)
    for word in words:
        for part in word.parts:
            if isinstance(part, Substitution):
                yield from walk_tree(part.body)


def bound_names(tree: Block) -> list[str]:
    """Return the names of the variables that a tree sets, each as often as it does."""
    found: list[str] = []
    for node in walk_tree(tree):
        if isinstance(node, ForLoop):
            found.append(node.name)
        elif isinstance(node, Simple) and not node.words:
            found += [assignment.name for assignment in node.assignments]
        elif isinstance(node, Simple):
            words = [part.value for word in node.words for part in word.parts if isinstance(part, Text)]
            found += words if "read" in words else []
    return found


def has_input(redirects: Sequence[Redirect]) -> bool:
    """Return whether one of the redirections gives a command something else to read."""
    return any(redirect.operator.startswith("<") for redirect in redirects)


def is_sure_number(raw: RawWord) -> bool:
    """Return whether a word is a number whatever the line has done before: an exit code or a count."""
    return all(isinstance(part, Variable) and part.name in ("?", "#") for part in raw.parts) and bool(raw.parts)
