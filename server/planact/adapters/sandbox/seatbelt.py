"""Commands under macOS's own sandbox. Its rules come last to first: a later one outranks the earlier."""

from collections.abc import Iterable, Iterator
from pathlib import PurePath

from planact.adapters.sandbox.spawner import Start, Started
from planact.model.jail import JailProfile

_DEVICES = ("/dev/null", "/dev/zero", "/dev/dtracehelper")

# Others could be asked to do what the sandbox forbids: by events, through the launcher, or as jobs of the system.
_ASKING_OTHERS = """(deny appleevent-send)
(deny lsopen)
(deny job-creation)
(deny mach-register)"""

_SIGNALS = """(deny signal)
(allow signal (target same-sandbox))"""


class SeatbeltSpawner:
    """`Spawner` for macOS with `sandbox-exec`. Everything may be read."""

    def __init__(self, sandbox_exec: str, profile: JailProfile) -> None:
        self.profile = profile
        self._sandbox_exec = sandbox_exec

    def start(self, start: Start) -> Started:
        """Start it in the sandbox; where that fails, `sandbox-exec` itself starts nothing."""
        scratch = (start.scratch,) if start.scratch else ()
        return Started(start.open([self._sandbox_exec, "-p", sandbox_profile(self.profile, scratch)]))


def sandbox_profile(profile: JailProfile, scratch: Iterable[PurePath] = ()) -> str:
    """The rules as `sandbox-exec` reads them."""
    return "\n".join(["(version 1)", "(allow default)", *_rules(profile, scratch), _ASKING_OTHERS, _SIGNALS])


def _rules(profile: JailProfile, scratch: Iterable[PurePath]) -> Iterator[str]:
    yield "(deny file-write*)"
    for device in _DEVICES:
        yield f"(allow file-write* (literal {_quoted(device)}))"
    for path in (*profile.writable, *scratch):
        yield f"(allow file-write* (subpath {_quoted(path)}))"
    for path in profile.kept:
        yield f"(deny file-write* (subpath {_quoted(path)}))"
    if profile.network == "all":
        return
    yield "(deny network*)"
    if profile.network == "inet":
        yield "(allow network* (local ip) (remote ip))"
        # Names are looked up by a daemon.
        yield '(allow network-outbound (remote unix-socket (path-literal "/private/var/run/mDNSResponder")))'
    for path in profile.sockets:
        yield f"(allow network-outbound (remote unix-socket (path-literal {_quoted(path)})))"


def _quoted(path: PurePath | str) -> str:
    text = str(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'
