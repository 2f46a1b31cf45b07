"""What the disk says of files."""

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "information", "hint"]


@dataclass(frozen=True, slots=True)
class FileInfo:
    """What the disk says of a path; `size` in bytes, `modified` in seconds since 1970, `mode` as `stat` has it."""

    kind: str
    size: int
    modified: float
    mode: int


@dataclass(frozen=True, slots=True)
class Problem:
    """What a linter or a language server says of a line, which counts from 1; `source` is its name, if known."""

    path: str
    line: int
    severity: Severity
    message: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """Which of the lines that match are wanted: at most `limit` behind the first `skip`, at most `per_file` of one file
    (0 = all), with `context` lines before and after each.
    """

    limit: int
    skip: int = 0
    per_file: int = 0
    context: int = 0


@dataclass(frozen=True, slots=True)
class Hit:
    """A line that a search found, or that stands beside one; `line` counts from 1."""

    path: str
    line: int
    text: str
    is_context: bool = False


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits in the order of paths and lines; `is_cut` when there were more than the limit, `cut_files` are those with
    more than may be shown of one.
    """

    hits: tuple[Hit, ...]
    is_cut: bool
    cut_files: tuple[str, ...] = ()
