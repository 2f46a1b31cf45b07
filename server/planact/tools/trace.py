"""Files and commands of a turn's calls: the base of its record and its report."""

from dataclasses import dataclass, field, replace

from planact.model.rights.command import CommandResult
from planact.model.runs.execution import FileChange
from planact.ports import TrialBefore
from planact.tools.edit.known_texts import KnownTexts


@dataclass(frozen=True, slots=True)
class CallDone:
    """A call that ran.

    Attributes:
        tool, about: which tool, and the command, the paths or what else it was for.
        paths: those that it was to touch, as they are shown.
        exit_code: of its command; None where it ran none, or that was ended by us.
        has_succeeded: whether it did what it says; a command that failed did not.
        has_effect: whether it was to do more than read, and did.
    """

    tool: str
    about: str
    exit_code: int | None
    has_succeeded: bool
    has_effect: bool
    paths: frozenset[str]


@dataclass(frozen=True, slots=True)
class CallTime:
    """When a call began to run, ISO 8601, and on a clock of seconds; how many `seconds` it ran, once it is over."""

    started_at: str
    began: float
    seconds: float = 0.0

    def ended(self, now: float) -> "CallTime":
        """Return the time of a call that is over, by the same clock."""
        return replace(self, seconds=now - self.began)


@dataclass(frozen=True, slots=True)
class ChangeRefused:
    """A refused call that was to change something; `is_edit` = files, else it was a command or an MCP server's tool."""

    reason: str
    is_edit: bool


@dataclass(slots=True)
class Trace:
    """Files and commands that the calls of one turn read, changed and ran.

    Attributes:
        read: SHA-256 of the files that were read, by path, as they were first seen.
        changed: files that were changed, by path: the first state before and the last one after.
        as_before: those of them that are as they were before the first change.
        commands: how the commands ended, in order.
        calls: those that were carried out, in order.
        touched: files that earlier steps of the run changed; the editor may still hold them unsaved.
        rests_on: files in which no change by others may be missed: what commands do to them is written down.
        loose: the commands and the tools of MCP servers that ran and might change any file, in order.
        beside: files that changed while commands went on beside the work.
        known: the texts of files as the model knows them, also from earlier turns.
        refused: calls that were refused and would have changed something, in order.
        rejected: files that the user wants unchanged: they rejected its change in a review.
        waits_for_judgement: commands on trial have run since the last judgement of what they changed.
        before_trial: the files before the first of them, as far as it ran in this process.
        put_back: what the model is to know of changes that were put back, and hasn't been told yet.
        discarded_alone: the sentence on changes of commands that were put back because nobody could be asked.
        not_given: commands on trial, with what they wanted and the user didn't give them.
        opened: paths that the user gave commands on trial.
        answered: ids of questions that ended in a call whose result the model hasn't been given yet.
        times: when calls ran, by their ids, until their results are told.
    """

    read: dict[str, str] = field(default_factory=dict)
    changed: dict[str, FileChange] = field(default_factory=dict)
    as_before: set[str] = field(default_factory=set)
    commands: list[CommandResult] = field(default_factory=list)
    calls: list[CallDone] = field(default_factory=list)
    touched: frozenset[str] = frozenset()
    rests_on: frozenset[str] = frozenset()
    loose: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    known: KnownTexts = field(default_factory=KnownTexts)
    refused: list[ChangeRefused] = field(default_factory=list)
    rejected: set[str] = field(default_factory=set)
    waits_for_judgement: bool = False
    before_trial: TrialBefore | None = None
    put_back: list[str] = field(default_factory=list)
    discarded_alone: str = ""
    not_given: set[tuple[str, str]] = field(default_factory=set)
    opened: dict[str, tuple[str, ...]] = field(default_factory=dict)
    answered: list[str] = field(default_factory=list)
    times: dict[str, CallTime] = field(default_factory=dict)

    def note(self, change: FileChange, *, is_put_back: bool = False) -> None:
        """Merge a change with earlier ones of the same file. Folders, which have no content, are left out."""
        known = self.changed.get(change.path)
        self.as_before.discard(change.path)
        if known is not None:
            is_covered = known.is_covered and change.is_covered
            both = {"before": known.before, "by_command": known.by_command, "is_covered": is_covered}
            self.changed[change.path] = change.model_copy(update=both)
            # Where the content never was another, the permission bits were.
            if known.before == change.after and (is_put_back or known.before != known.after):
                self.as_before.add(change.path)
        elif change.before or change.after or not change.is_covered:
            self.changed[change.path] = change

    def left(self) -> tuple[FileChange, ...]:
        """Return the changes without those of files that are as they were before."""
        return tuple(change for path, change in self.changed.items() if path not in self.as_before)

    def take_put_back(self) -> str:
        """Return the note for the model on changes that were put back, once."""
        told = " ".join(self.put_back)
        self.put_back.clear()
        return told

    def about(self) -> frozenset[str]:
        """Return the files that the work is about, as far as known."""
        return self.rests_on.union(self.touched, self.changed)
