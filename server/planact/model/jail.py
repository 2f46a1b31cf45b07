"""What a jailed command may touch, as data. How a jail holds it is the matter of `adapters.sandbox`."""

from dataclasses import dataclass
from pathlib import PurePath
from typing import Literal

Confinement = Literal["local-read", "outside-read", "net-read", "registry-read", "daemon-read", "contain", "act"]
"""The jails there are: for the classes of read-only commands, for the unknown, for Act. `outside-read` is for what
reads outside the workspace by its words, `registry-read` for what asks the network as the workspace may steer it."""

Network = Literal["none", "inet", "all"]
"""`inet` = the internet protocols, and never a unix socket; `all` = whatever there is."""

SandboxSetting = Literal["required", "auto", "off"]
"""`auto` = the best jail this machine offers; `required` = without one, commands are refused; `off` = no jail."""

Containment = Literal["off", "ask", "on"]
"""Whether unknown commands run contained in Plan."""


@dataclass(frozen=True, slots=True)
class JailProfile:
    """The limits of one kind of command.

    Attributes:
        name: what it is for.
        readable: folders and files it may read, or None for everything the user may.
        writable: folders and files it may change. With none of them, modes, times and owners can't change either.
        kept: paths that stay as they are, also below writable ones.
        network: what it may connect to.
        sockets: unix sockets it may connect to, and nothing else, where `network` is `none`.
        has_own_home: it gets an empty home that is thrown away afterwards, instead of the user's.
        variables: environment variables it gets, or (None) doesn't.
    """

    name: Confinement
    readable: tuple[PurePath, ...] | None
    writable: tuple[PurePath, ...] = ()
    kept: tuple[PurePath, ...] = ()
    network: Network = "none"
    sockets: tuple[PurePath, ...] = ()
    has_own_home: bool = False
    variables: tuple[tuple[str, str | None], ...] = ()

    @property
    def is_read_only(self) -> bool:
        """Whether it may change nothing that outlives it."""
        return not self.writable
