"""What the disk says of files."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FileInfo:
    """What the disk says of a path; `size` in bytes, `modified` in seconds since 1970, `mode` as `stat` has it."""

    kind: str
    size: int
    modified: float
    mode: int


@dataclass(frozen=True, slots=True)
class Hit:
    """A line that a search found; `line` counts from 1."""

    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits in the order of paths and lines; `is_cut` when there were more than the limit."""

    hits: tuple[Hit, ...]
    is_cut: bool
