"""The class of a command line, as far as it can be told before the command runs.

Reading classes are given only where every part of the line is positively known; all others are `unknown`.
"""

from dataclasses import dataclass
from typing import Literal

from planact.base.span import Span

CommandClass = Literal["local-read", "net-read", "daemon-read", "unknown", "mutating"]
"""From the mildest to the strictest; a line is as strict as its strictest part."""

CommandTrait = Literal[
    "outside",
    "temporary",
    "own-tmp",
    "fetches",
    "loopback",
    "remote",
    "beside-git",
    "composes",
    "secret",
    "history",
    "plain",
    "registry",
    "packages",
    "infrastructure",
    "repository",
]
"""Facts that policy weighs besides the class:

- `outside`: reads a path outside the workspace; `temporary`: all such paths are below folders for temporary files, of
  which commands on trial have their own, and were left there by these or aren't there at all.
- `own-tmp`: in the jail `contain` of this machine it changes nothing but the session's own `/tmp`, and reads nothing
  else outside that would be asked about.
- `beside-git`: git reads a repository in a line that speaks to others; `composes`: docker reads a project's files.
- `fetches`: downloads from a URL; `loopback`: gets pages of servers of this machine, which can lead to no other;
  `remote`: asks a server that the repository's settings name.
- `secret`: prints or makes credentials.
- `history`: may show the content of files from git's objects, where no jail can hide one.
- `plain`: every program is among the few that run without any jail.
- `registry`: a package manager that asks the network, from outside the workspace.
- `packages`: a package manager that fetches packages, by its words.
- `infrastructure`: changes resources outside the workspace, in a cloud, a cluster, a daemon, a forge or a registry.
- `repository`: changes git's own files.
"""


@dataclass(frozen=True, slots=True)
class Classification:
    """The judgement of one command line.

    Attributes:
        rule: the rule that decided, for example `git log` or `flag`; stable words for programs.
        reason: a sentence for people and models that names the construct.
        span: the part of the line that decided, in code points.
        programs: the names that would be run, in order.
        reads: paths it names for reading, relative to the workspace where they lie in it, else absolute; those that
            only running can tell are missing.
        begins: beginnings of paths of which only running can tell the rest, likewise.
        servers: hosts that the repository's settings name, where the line asks one of them, and servers of this machine
            whose pages it gets; empty = not all are known.
        outside: absolute paths outside the workspace, as far as they are known.
        goes_up: one of them has a `..`, so it may lead elsewhere where a link stands before that.
        is_unread: a part of it may run programs that aren't among `programs`, whichever part decided the class.
        bare: the line without filters at its end (`shell.without_filters`), by which it is compared; empty = as it is.
        similar: the words with which all calls begin that one rule may cover together with this one, the narrowest
            first (`shell.similar_calls`); empty = there are none.
        beside: the commands of the line that such a rule doesn't cover: each needs one by its text as well.
        starts: words that may name programs which it starts (`shell.started_programs`); None = nobody looked.
    """

    cls: CommandClass
    rule: str
    reason: str
    span: Span
    traits: frozenset[CommandTrait] = frozenset()
    programs: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    begins: tuple[str, ...] = ()
    servers: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    goes_up: bool = False
    is_unread: bool = False
    bare: str = ""
    similar: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    starts: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """The structure that a parser found, for comparing parsers: spans in bytes of UTF-8.

    Attributes:
        commands: for each simple command the spans of its words.
        assignments: spans of `name=value`, wherever they stand.
        redirects: the operator and the span of its word, `(0, 0)` for here-documents.
        tests: spans of `[[ … ]]`.
    """

    commands: frozenset[tuple[tuple[int, int], ...]]
    assignments: frozenset[tuple[int, int]]
    redirects: frozenset[tuple[str, int, int]]
    tests: frozenset[tuple[int, int]]
