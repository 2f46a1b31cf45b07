"""The limits of a jailed command, as data. `adapters.sandbox` enforces them."""

from dataclasses import dataclass
from pathlib import PurePath
from typing import Literal

Confinement = Literal[
    "local-read", "outside-read", "net-read", "registry-read", "daemon-read", "contain", "trial", "act"
]
"""The jails there are: for the classes of read-only commands, for the unknown in Plan and in Act, for Act.
`outside-read` is for what reads outside the workspace by its words, `registry-read` for what asks the network as the
workspace may steer it."""

CHANGING: frozenset[Confinement] = frozenset({"act", "trial"})
"""The jails in which a command may change files of the workspace."""

Network = Literal["none", "inet", "all"]
"""`inet` = the internet protocols, and never a unix socket; `all` = no limit."""

JailNetwork = Network | Literal["loopback"]
"""`loopback` = a network of its own that leads nowhere, with the internet's protocols and unix sockets."""

SandboxSetting = Literal["required", "auto", "off"]
"""`auto` = the best jail this machine offers; `required` = without one, commands are refused; `off` = no jail."""

Containment = Literal["off", "ask", "on"]
"""Run unknown commands contained in Plan: never, after a question, or always."""


@dataclass(frozen=True, slots=True)
class JailProfile:
    """The limits of one kind of command.

    Attributes:
        name: what it is for.
        readable: folders and files it may read, or None for all that the user may read.
        writable: folders and files it may change. With none of them, modes, times and owners can't change either, but
            for what `sets_modes` lets it.
        closed: folders that it may neither list nor read, though their parents are readable; paths in them that are
            `readable` themselves stay open.
        hidden: paths that it may list, but not read.
        searched: folders whose files that usually hold credentials it may not read; of the system's among them, nothing
            that not every user may read.
        shown: folders whose files it may read though not every user may.
        kept: paths that stay as they are, also below writable ones.
        network: the addresses it may connect to.
        sockets: the only unix sockets it may connect to, where `network` is `none`.
        has_own_home: it gets an empty home that is thrown away afterwards, instead of the user's.
        starts_in_home: it starts in that home, and not in the workspace folder.
        variables: environment variables it gets, or (None) doesn't.
        links: links in that home: a path below it, and the user's folder it leads to, which it may read.
        ways: links outside what it reads that lead there, by the paths people use, and what each names.
        caches: environment variables for build and cache folders, with `$TMPDIR` for its folder.
        guards: the writable folder in which stays as it is what programs load by themselves; none of it can be made.
        temporary: folders that are empty for it and its own, in a jail that mounts what it sees.
        lasting: a home of its own, empty but for the caches of earlier commands; also after it, only these are left.
        files: files in that one: a path below it, and the text.
        sets_modes: it may set modes and times of what lies in its throw-away folders, and of what is `writable`.
        is_split: in a writable folder with an entry that stays as it is, or in one above that, no entry can be made,
            removed or renamed.
    """

    name: Confinement
    readable: tuple[PurePath, ...] | None
    closed: tuple[PurePath, ...] = ()
    hidden: tuple[PurePath, ...] = ()
    searched: tuple[PurePath, ...] = ()
    shown: tuple[PurePath, ...] = ()
    writable: tuple[PurePath, ...] = ()
    kept: tuple[PurePath, ...] = ()
    network: JailNetwork = "none"
    sockets: tuple[PurePath, ...] = ()
    has_own_home: bool = False
    starts_in_home: bool = False
    variables: tuple[tuple[str, str | None], ...] = ()
    links: tuple[tuple[str, PurePath], ...] = ()
    ways: tuple[tuple[str, str], ...] = ()
    caches: tuple[tuple[str, str], ...] = ()
    guards: PurePath | None = None
    temporary: tuple[PurePath, ...] = ()
    lasting: PurePath | None = None
    files: tuple[tuple[str, str], ...] = ()
    sets_modes: bool = False
    is_split: bool = False

    @property
    def is_read_only(self) -> bool:
        """The jail may change no file that outlives it."""
        return not self.writable

    @property
    def can_tell(self) -> bool:
        """The jail lets something on this machine or elsewhere hear from the command."""
        return self.network in ("inet", "all") or bool(self.sockets)
