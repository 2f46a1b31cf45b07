"""Answers of language servers about names in source code: where they stand, and the edits that would change them."""

from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from planact.base.positions import Encoding, Position

PlaceKind = Literal["references", "definition"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """A name in a line of a file of the workspace. `line` counts from 1; `occurrence`, from 0, tells the places of the
    name in that line apart.
    """

    path: str
    line: int
    name: str
    occurrence: int = 0


@dataclass(frozen=True, slots=True)
class CodePlace:
    """A line, from 1, of a file: its path is relative to the workspace, or absolute for one elsewhere."""

    path: str
    line: int


@dataclass(frozen=True, slots=True)
class RangeEdit:
    """Put `new_text` between two positions of a text."""

    start: Position
    end: Position
    new_text: str


@dataclass(frozen=True, slots=True)
class FileEdits:
    """The edits of one file, by a path as in `CodePlace`."""

    path: str
    edits: tuple[RangeEdit, ...]


@dataclass(frozen=True, slots=True)
class WorkspaceEdit:
    """Edits that a server proposes, none of them checked. `problem` says why they can't be made, whatever they are."""

    files: tuple[FileEdits, ...] = ()
    encoding: Encoding = "utf-16"
    problem: str = ""


@dataclass(frozen=True, slots=True)
class CodeAction:
    """A quick fix or the like, by the title that a server gives it."""

    title: str
    edit: WorkspaceEdit


@dataclass(frozen=True, slots=True)
class ServerAnswer(Generic[T]):
    """What a language server answers; `found` is None where it can't, and `trouble` says why."""

    server: str
    found: T | None
    trouble: str = ""
