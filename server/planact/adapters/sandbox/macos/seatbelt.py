"""Commands under macOS's own sandbox. A later rule outranks an earlier one."""

from collections.abc import Iterable, Iterator
from pathlib import PurePath

from planact.adapters.sandbox.limits.view import View
from planact.adapters.sandbox.spawner import Start, Started
from planact.model.rights.jail import JailProfile

_DEVICES = ("/dev/null", "/dev/zero", "/dev/dtracehelper")

# Others could be asked to do what the sandbox forbids: by events, through the launcher, or as jobs of the system.
_ASKING_OTHERS = """(deny appleevent-send)
(deny lsopen)
(deny job-creation)
(deny mach-register)"""

_SIGNALS = """(deny signal)
(allow signal (target same-sandbox))"""


class SeatbeltSpawner:
    """`Spawner` for macOS with `sandbox-exec`. Names and sizes of unreadable files can still be seen."""

    def __init__(self, sandbox_exec: str, profile: JailProfile) -> None:
        self.profile = profile
        self._sandbox_exec = sandbox_exec

    def start(self, start: Start) -> Started:
        """Start the shell in the sandbox; where that fails, `sandbox-exec` itself starts no command."""
        return Started(start.open([self._sandbox_exec, "-p", sandbox_profile(self.profile, start.scratch, start.view)]))


def sandbox_profile(profile: JailProfile, scratch: Iterable[PurePath] = (), view: View | None = None) -> str:
    """Return the rules as `sandbox-exec` reads them."""
    rules = [*_rules(profile, scratch), *_reading(view or View())]
    return "\n".join(["(version 1)", "(allow default)", *rules, _ASKING_OTHERS, _SIGNALS])


def _reading(view: View) -> Iterator[str]:
    """Yield the rules that deny closed folders, allow readable paths in them, and deny hidden files, in that order."""
    for path in view.closed:
        yield f"(deny file-read-data (subpath {_quoted(path)}))"
    for path in view.readable or ():
        if any(path.is_relative_to(closed) for closed in view.closed):
            yield f"(allow file-read-data (subpath {_quoted(path)}))"
    for name in view.hidden:
        yield f"(deny file-read-data (subpath {_quoted(name)}))"


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
