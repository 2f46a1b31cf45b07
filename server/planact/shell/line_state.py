"""The state at one point of a command line: where it is, and what its variables hold."""

import posixpath
from dataclasses import dataclass, field

from planact.shell.words import ShellWord

_MOST_DIRECTORIES = 8


@dataclass(slots=True)
class LineState:
    """The state in a line that began in the folder `start`, whose path has no link.

    Attributes:
        directories: where a `cd` may have run or not, there are several.
        is_lost: the line may be elsewhere, too: a `cd` before may have failed, or ran more than once.
        before: where it was before its last `cd`; empty where that isn't known.
    """

    start: str
    directories: tuple[str, ...]
    variables: dict[str, ShellWord] = field(default_factory=dict)
    is_lost: bool = False
    before: tuple[str, ...] = ()

    def copy(self) -> "LineState":
        """Return a state that changes apart from this one."""
        return LineState(self.start, self.directories, dict(self.variables), self.is_lost, self.before)

    def may_be(self, other: "LineState") -> None:
        """Take in where `other` is; with too many directories the line may be anywhere."""
        directories = tuple(dict.fromkeys((*self.directories, *other.directories)))
        self.directories = directories if len(directories) <= _MOST_DIRECTORIES else ("/",)
        self.is_lost = self.is_lost or other.is_lost
        self.before = self.before if self.before == other.before else ()

    def leads_elsewhere(self, path: str, *, is_by_text: bool = False) -> bool:
        """Return whether a path may lead elsewhere from here than its text says. Only the shell itself goes up
        `is_by_text`; for all others `..` is the folder around the one that a link led to.
        """
        if path.startswith("/"):
            return False
        goes_up = ".." in path.split("/") and not is_by_text
        return self.is_lost or (goes_up and not all(map(self._is_real, self.directories)))

    def go_to(self, path: str) -> None:
        """Be in another folder, if that is there."""
        places = tuple(dict.fromkeys(posixpath.normpath(posixpath.join(place, path)) for place in self.directories))
        is_sure = all(map(self._is_real, places))
        if path.startswith("/"):
            self.is_lost = False
        self.is_lost = self.is_lost or not (is_sure or places == self.directories)
        self.before, self.directories = self.directories, places

    def go_back(self) -> bool:
        """Be where the line was before its last `cd`; return False where that isn't known. Had that one failed, it
        would be where the shell was before the line.
        """
        if not self.before:
            return False
        self.before, self.directories, self.is_lost = self.directories, self.before, True
        return True

    def _is_real(self, directory: str) -> bool:
        """The folder is there, and no link: the line began in or below it."""
        return self.start == directory or self.start.startswith(f"{directory.rstrip('/')}/")
