"""Classify command lines, off the event loop and one at a time: a parser isn't shared between threads.

The parsers are loaded with the first line. On Windows only whole lines are known.
"""

import asyncio
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from types import MappingProxyType
from typing import Protocol

from planact.base.own_folders import TRIAL_TMP, path_left_in_tmp
from planact.base.paths import Place
from planact.model.rights.classification import Classification, CommandTrait
from planact.model.rights.rule import COMMITS
from planact.policy.commands import only_names, only_reads
from planact.shell.parse.second_parser import SecondParser

_LED: Mapping[CommandTrait, str] = {"beside-git": "git", "composes": "docker"}
"""Programs that settings of a repository lead to further files, in lines whose jail sees the home."""


_NO_WAY_UP = re.compile(r"(?<![^\s])(?:(?:\.|[\w-]+)(?:/[\w-]+)*/\.\.\.|\{\d+\.\.\d+\})(?![^\s;|&)])")
"""Go's name of all packages below a folder, `./...`, and a word that is a range of numbers."""


class IsUnasked(Protocol):
    """Says whether a command needs no question for naming a path outside, a folder with all below it if `is_opened`."""

    def __call__(self, path: str, *, is_opened: bool, only_reads: bool) -> bool: ...


class IsForOwnFiles(Protocol):
    """Says whether a command with temporary folders of its own finds there all that it can mean by a path."""

    def __call__(self, path: str, *, only_reads: bool) -> bool: ...


class LineReader:
    """`ports.CommandReader` for the workspace folder `root`. `second` is the parser that confirms the first one's
    result; `git_servers` returns the servers that the repositories around some paths name; `readable` returns the
    folders outside that may be read now; `home` is the folder that a tilde stands for; paths outside
    that are `is_unasked` need no question, and those that are `is_for_own_files` none for a command on trial;
    `keeps_within` tells by a trait whether a program that a repository's settings lead, asked at some paths, opens
    nothing outside;
    `has_own_tmp` tells whether contained commands have a `/tmp` of their session's own, `commits_run_more` whether to
    commit at some paths runs more than git.
    """

    def __init__(
        self,
        root: str,
        second: SecondParser | None,
        git_servers: Callable[[Iterable[str]], tuple[str, ...] | None],
        *,
        is_windows: bool,
        readable: Callable[[], Sequence[PurePath]] = tuple,
        home: str = "",
        is_unasked: IsUnasked | None = None,
        is_for_own_files: IsForOwnFiles | None = None,
        has_own_tmp: Callable[[], bool] = lambda: False,
        keeps_within: Mapping[CommandTrait, Callable[[Iterable[str]], bool]] = MappingProxyType({}),
        commits_run_more: Callable[[Iterable[str]], bool] = lambda _: False,
    ) -> None:
        self._root = root
        self._git_servers = git_servers
        self._readable = readable
        self._home = home
        self._is_unasked = is_unasked
        self._is_for_own_files = is_for_own_files
        self._has_own_tmp = has_own_tmp
        self._keeps_within = keeps_within
        self._commits_run_more = commits_run_more
        self._second = second
        self._is_windows = is_windows
        self._classify: Callable[[str, str, str], Classification] | None = None
        self._one_at_a_time = asyncio.Lock()

    async def read(self, command: str, directory: Place, scratch: str = "") -> Classification:
        """Return the classification of a command line, worked out in a thread."""
        async with self._one_at_a_time:
            return await asyncio.to_thread(self.read_now, command, str(directory.real), scratch)

    def read_now(self, command: str, directory: str, scratch: str = "") -> Classification:
        """Return the classification of a command line, in this thread; takes a few milliseconds."""
        if self._classify is None:
            self._classify = self._load()
        found = self._classify(command, directory, scratch)
        if self._reads_nothing_private(command, found):
            found = replace(found, traits=found.traits - {"outside"}, outside=())
        elif self._is_for_temporary_files(command, found, scratch):
            found = replace(found, traits=found.traits | {"temporary"})
        if self._changes_own_tmp_alone(command, directory, found, scratch):
            # a repository that lies there isn't that of the workspace
            found = replace(found, traits=found.traits - {"repository"} | {"own-tmp"})
        if only_reads(found) and not found.traits.isdisjoint(_LED):
            found = self._held_within(found, directory)
        if COMMITS in found.similar and self._commits_run_more((directory,)):
            found = replace(found, similar=())  # one yes to commits would be one to whatever these run later
        if "remote" not in found.traits:
            return found
        servers = self._git_servers((directory, *found.reads, *found.begins))
        if servers == ():  # there is none to ask
            return replace(found, traits=found.traits - {"remote"})
        return replace(found, servers=tuple(sorted({*found.servers, *servers})) if servers else ())

    def _held_within(self, found: Classification, directory: str) -> Classification:
        paths = (directory, *found.reads, *found.begins)
        for trait, program in _LED.items():
            if trait in found.traits and not (trait in self._keeps_within and self._keeps_within[trait](paths)):
                reason = f"settings there lead {program} to files outside, which may not be read beside the network"
                return replace(found, cls="unknown", rule="mixed", reason=reason)
        return found

    def _reads_nothing_private(self, command: str, found: Classification) -> bool:
        """Return whether all that a command names outside is unasked; never of one that could tell others of it."""
        is_unasked = self._is_unasked
        return is_unasked is not None and self._are_outside(
            *(command, found),
            lambda path: is_unasked(path, is_opened=not only_names(found), only_reads=only_reads(found)),
        )

    def _is_for_temporary_files(self, command: str, found: Classification, scratch: str) -> bool:
        """Return whether a command on trial finds all that it names outside in temporary folders of its own."""
        is_own = self._is_for_own_files
        return is_own is not None and self._are_outside(
            *(command, found),
            lambda path: bool(path_left_in_tmp(path, scratch)) or is_own(path, only_reads=only_reads(found)),
        )

    def _changes_own_tmp_alone(self, command: str, directory: str, found: Classification, scratch: str) -> bool:
        """Return whether a contained command would neither change nor read more outside than its session's `/tmp`."""
        if TRIAL_TMP not in command or _may_go_up(command) or not (scratch and self._has_own_tmp()):
            return False
        # Where something in the system's is opened, the session's doesn't take its place.
        if any(path.is_relative_to(TRIAL_TMP) for path in (PurePath(self._root), *self._readable())):
            return False
        if "outside" in found.traits and "temporary" not in found.traits:
            return False
        assert self._classify is not None
        there = self._classify(command, directory, TRIAL_TMP)
        if there.cls not in ("local-read", "unknown"):
            return False
        return "outside" not in there.traits or self._reads_nothing_private(command, there)

    @staticmethod
    def _are_outside(command: str, found: Classification, is_fine: Callable[[str], bool]) -> bool:
        if not found.outside or found.cls in ("net-read", "daemon-read"):
            return False
        # A path is followed to its end before a `..`, which its words don't tell. Quotes may hide one in the line, and
        # a pipe may bring one to a path that isn't known.
        return not found.goes_up and not _may_go_up(command) and all(map(is_fine, found.outside))

    def _load(self) -> Callable[[str, str, str], Classification]:
        if self._is_windows:
            from planact.shell.static import classify_static

            return lambda command, *_: classify_static(command)
        from planact.shell.classify import Classifier
        from planact.shell.compare.similar_calls import similar_calls
        from planact.shell.compare.similar_commits import beside_commits
        from planact.shell.compare.without_filters import without_filters
        from planact.shell.judge import LineContext
        from planact.shell.package_managers import fetches_packages
        from planact.shell.parse.bash import BashParser
        from planact.shell.started_programs import started_programs

        classifier, parser = Classifier(), BashParser()

        def classify(command: str, directory: str, scratch: str) -> Classification:
            context = LineContext(directory, (self._root, *map(str, self._readable())), scratch, self._home)
            found = classifier.classify(command, second=self._second, context=context)
            bare = without_filters(command, directory)
            fetching: frozenset[CommandTrait] = frozenset({"packages"} if fetches_packages(bare) else ())
            starts = None if only_reads(found) else started_programs(command, parser)
            traits = found.traits | fetching
            similar = similar_calls(bare, directory)
            beside = beside_commits(bare, directory) if similar == (COMMITS,) else ()
            return replace(found, bare=bare, similar=similar, beside=beside, traits=traits, starts=starts)

        return classify


def _may_go_up(command: str) -> bool:
    return ".." in _NO_WAY_UP.sub("", command)
