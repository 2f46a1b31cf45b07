"""What the commands give back that compare texts: of plans, of what plans rest on, and of what steps did to files."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from planact.lsp.convert import kept_uri
from planact.model.revision import Author


class _Result(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True)


class RevisionListed(_Result):
    """A text that the document had. `author` = whose it was."""

    number: int
    author: Author
    time: str


class PlanDifference(_Result):
    """Two texts of a plan, a unified diff between them, and what revisions there are, the oldest first.

    `before_uri` and `after_uri` are documents with these texts, to be opened side by side: the plan's own, and for a
    revision one that nobody can write into.
    """

    path: str
    uri: str
    before_uri: str
    after_uri: str
    before: str
    after: str
    diff: str
    revisions: tuple[RevisionListed, ...]


class FileChanged(_Result):
    """A file that a plan rests on, and what became of it since planning."""

    path: str
    what: Literal["changed", "deleted", "created"]


class PlanChanges(_Result):
    """What changed since planning; `diff` says of each file what is known of its earlier text, for people."""

    path: str
    uri: str
    files: tuple[FileChanged, ...]
    diff: str


class FileCompared(_Result):
    """A file before and after, as documents that nobody can write into; empty in clients that show none such, and where
    nobody knows what it said.
    """

    path: str
    what: Literal["changed", "deleted", "created"]
    before_uri: str
    after_uri: str

    @classmethod
    def of(cls, path: str, before: str, after: str) -> "FileCompared":
        """By the SHA-256 (hex) of what it said; empty = there was no file."""
        what: Literal["changed", "deleted", "created"] = "changed" if before and after else "created"
        what = what if after else "deleted"
        return cls(path=path, what=what, before_uri=kept_uri(path, before), after_uri=kept_uri(path, after))


class StepDifference(_Result):
    """What a step of a run did to files; `diff` says it all in one text, for people."""

    execution_id: str
    step: int
    action: str
    files: tuple[FileCompared, ...]
    diff: str
