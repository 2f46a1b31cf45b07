"""Names in source files: where they are defined, and where they are used."""

from dataclasses import dataclass
from typing import Literal

SymbolKind = Literal["type", "function", "variable", "module", "reference"]
"""Kind of a name in one place; `reference` = a use of it."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A definition in one text.

    Attributes:
        names: its name, behind those of the definitions around it.
        first_line, last_line: from 1, the last one included, with comments right before it.
        words: those of its head and of the heads around it, such as the type that it is a method of.
    """

    names: tuple[str, ...]
    first_line: int
    last_line: int
    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class SymbolQuery:
    """A name as it stands in the text, of any kind where none is given. At most `limit` places behind the first `skip`
    are wanted, in files that `glob` doesn't leave out.
    """

    name: str
    limit: int
    skip: int = 0
    kind: SymbolKind | Literal["", "definition"] = ""
    glob: str = ""


@dataclass(frozen=True, slots=True)
class SymbolHit:
    """A place of a name; `line` counts from 1, and `text` is what stands there."""

    path: str
    line: int
    kind: SymbolKind
    text: str


@dataclass(frozen=True, slots=True)
class SymbolResult:
    """Places, definitions before references, in the order of paths and lines.

    Attributes:
        definitions, references: how many there are, shown or not.
        unread: files that were left out, since they are too large, can't be parsed, or time was over.
        similar: names that are defined and look like the one sought, where there is no place of that.
    """

    hits: tuple[SymbolHit, ...]
    definitions: int
    references: int
    unread: int = 0
    similar: tuple[str, ...] = ()
