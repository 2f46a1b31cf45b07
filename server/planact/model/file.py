"""File metadata and problems reported for files."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from planact.base.text import named

ProblemSeverity = Literal["error", "warning", "information", "hint"]


@dataclass(frozen=True, slots=True)
class FileInfo:
    """Metadata of a path on disk; `size` in bytes, `modified` in seconds since 1970, `mode` as `stat` has it. All
    names of one file have the same `identity`.
    """

    kind: str
    size: int
    modified: float
    mode: int
    identity: tuple[int, int]


@dataclass(frozen=True, slots=True)
class EditorProblem:
    """A problem that a linter or a language server reports for a line, counted from 1; `source` names it and `code`
    the kind of problem, if known.
    """

    path: str
    line: int
    severity: ProblemSeverity
    message: str
    source: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class EditedText:
    """A file's text after an edit, and the one `before` it; None = there was no file."""

    path: str
    before: str | None
    after: str


@dataclass(frozen=True, slots=True)
class EditCheck:
    """The answer of the language server `server` on an edited file: `new` errors and the number of those that are gone.

    Attributes:
        new: None = not known.
        trouble: why that will not be known; empty = it comes later.
        is_compared: false = it isn't known which errors were there before the edit, and `new` has all.
        errors: the number of all errors that the file has now.
    """

    path: str
    server: str
    new: tuple[EditorProblem, ...] | None = None
    gone: int = 0
    trouble: str = ""
    is_compared: bool = True
    errors: int = 0


@dataclass(frozen=True, slots=True)
class FileCheck:
    """All problems that the language server `server` has with a file; None = not known, for the reason `trouble`."""

    path: str
    server: str
    problems: tuple[EditorProblem, ...] | None
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class SearchPage:
    """Which of the lines that match are wanted: at most `limit` behind the first `skip`, at most `per_file` of one file
    (0 = all), with `context` lines before and after each.
    """

    limit: int
    skip: int = 0
    per_file: int = 0
    context: int = 0


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A line that a search found, or that stands beside one; `line` counts from 1."""

    path: str
    line: int
    text: str
    is_context: bool = False


SkipReason = Literal["ignored", "hidden", "credentials", "binary", "too large", "unreadable"]
"""Why a search leaves out a file or a folder: `ignored` by ignore files, `hidden` by the user's patterns."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """Files and folders that a search left out for one reason, the first few by path; folders end with a slash."""

    reason: SkipReason
    count: int
    paths: tuple[str, ...] = ()

    @property
    def described(self) -> str:
        """Return the reason with the number and the first paths."""
        more = ", …" if self.paths and self.count > len(self.paths) else ""
        names = f" ({', '.join(map(named, self.paths))}{more})" if self.paths else ""
        return f"{self.count} {_WORDS.get(self.reason, self.reason)}{names}"


_WORDS: dict[SkipReason, str] = {"hidden": "hidden by the user", "credentials": "with credentials"}


def describe_skipped(skipped: Sequence[Skipped]) -> Sequence[str]:
    """Return a line on what a search left out, for the model; none where that is nothing."""
    return (f"left out: {'; '.join(each.described for each in skipped)}",) if skipped else ()


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file below a folder; `modified` in seconds since 1970."""

    path: str
    modified: float


@dataclass(frozen=True, slots=True)
class FileList:
    """The files below a folder that a search covers, in no order, and what it left out."""

    files: tuple[FoundFile, ...]
    skipped: tuple[Skipped, ...]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits in the order of paths and lines; `is_cut` when there were more than the limit, `cut_files` are those with
    more than may be shown of one. `skipped` is whole only where the result isn't cut.
    """

    hits: tuple[SearchHit, ...]
    is_cut: bool
    cut_files: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True)
class PdfText:
    """The texts of some of the `count` pages of a PDF file."""

    count: int
    texts: tuple[str, ...]
