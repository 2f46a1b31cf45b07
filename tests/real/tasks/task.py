"""A task on a real package: what is asked, what the model writes, and the mistake that it makes at first."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

ANSWER = "ANSWER"
"""Stands for the user's answer in texts that the model writes."""


@dataclass(frozen=True)
class Change:
    """`new` takes the place of `old` in a file; without `old` it is a new file. `mistake` is written first, if any."""

    path: str
    old: str
    new: str
    mistake: str = ""


@dataclass(frozen=True)
class Rename:
    """A function gets a new name in `files`. `mistake` is the name that it gets first, which variables in so many files
    have, too."""

    path: str
    line: int
    name: str
    new: str
    mistake: str
    files: tuple[str, ...]
    clashes: int


@dataclass(frozen=True)
class Task:
    """Each attribute is a column of the table in `tasks`.

    Attributes:
        server: the language server for the package's files.
        told_by: what tells the mistake: the edit's own result by that server, or a check that fails.
        told: words of which some are in every text that tells the mistake.
        check: the plan's check, which finds the mistake, too.
        question: what the model has to know from the user, and the answer.
    """

    name: str
    package: Literal["itemadapter", "immer", "hiredis"]
    server: str
    told_by: Literal["edit", "check"]
    request: str
    changes: tuple[Change, ...]
    told: tuple[str, ...]
    check: str
    rename: Rename | None = None
    question: tuple[str, str] = ("", "")

    @property
    def files(self) -> Sequence[str]:
        """Return the files that the work changes."""
        return self.rename.files if self.rename else tuple(dict.fromkeys(change.path for change in self.changes))

    @property
    def edits(self) -> Sequence[str]:
        """Return the tools that make the edits: first all with the mistake, then those that repair it."""
        if self.rename:
            return [*["rename_symbol"] * 2, *["update_file"] * self.rename.clashes]
        work = ["update_file" if change.old else "create_file" for change in self.changes]
        return work + ["update_file" for change in self.changes if change.mistake]

    def done(self, texts: Mapping[str, str]) -> dict[str, str]:
        """Return the package's files as they must be in the end, by another way than the model's."""
        texts = dict(texts)
        if rename := self.rename:
            word = re.compile(rf"\b{rename.name}\b")
            return texts | {path: word.sub(rename.new, texts[path]) for path in rename.files}
        for change in self.changes:
            before, end, after = texts.get(change.path, "").partition(change.old) if change.old else ("", "", "")
            assert end == change.old, f"{change.path} is another than it was"
            texts[change.path] = f"{before}{change.new.replace(ANSWER, self.question[1])}{after}"
        return texts
