"""Runs command lines as planact's runner does, without planact's jail, and has strace write down what they do.

They run in a container of bubblewrap, so that nothing can come of it: the system is read-only, the workspace a copy,
and there is no network and no process but their own. What they try is seen all the same.
"""

import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath

from planact.adapters.sandbox.limits.find_credentials import CredentialFinder
from planact.adapters.sandbox.limits.profiles import JailEnvironment, make_profiles
from planact.adapters.sandbox.runner.command_runner import CommandRunner
from planact.adapters.sandbox.runner.descendants import Descendants
from planact.adapters.sandbox.shfmt import Shfmt, find_shfmt
from planact.adapters.sandbox.spawner import Start, Started
from planact.adapters.store.git.servers import git_servers
from planact.base.paths import Place
from planact.model.rights.jail import Confinement, JailProfile
from planact.tools.commands.reader import LineReader
from tests.oracle.trace import CALLS, Bounds, offences, programs
from tests.oracle.traps import lay_traps

_CONTAINER = (
    *("bwrap", "--unshare-all", "--die-with-parent", "--cap-drop", "ALL", "--ro-bind", "/", "/"),
    *("--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--tmpfs", "/var/tmp", "--tmpfs", "/run"),
)
_STRACE = (
    *("strace", "-f", "-qq", "-yy", "-s", "4096", "--seccomp-bpf", "-e", "signal=none"),
    *("-e", "trace=" + ",".join(f"?{name}" for name in CALLS)),
)
_MAX_TRACE = 32_000_000
_RESOLVERS = {"arp", "lsof", "netstat", "route"}
"""Programs that look up the names of addresses which the kernel shows them, by the C library."""
_SYSTEM_PATH = ("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin")
SECONDS = 4.0


@dataclass(frozen=True, slots=True)
class Observation:
    """What came of a line: the calls it must not make, the programs that started, its output, and strace's."""

    line: str
    offences: Sequence[str]
    programs: frozenset[str]
    output: str
    trace: str

    @property
    def is_started(self) -> bool:
        """Whether the line ran: one shell closes the trace, and another one, which is the runner's, gets the line."""
        return self.trace.count('execve("/bin/bash"') >= 2


_DESCENDANTS = Descendants()
"""Of all posts, as in planact: those of one would take another's command, just begun, for one of its own strays."""


@dataclass(slots=True)
class _Tracer:
    """`Spawner` that starts a shell in the container, below strace. The trace goes to memory, which no line can see."""

    profile: JailProfile
    folders: Sequence[Path]
    seconds: float
    trace: int = -1
    home: str = ""

    def start(self, start: Start) -> Started:
        """Start it. Raises what Popen raises."""
        (scratch,) = start.scratch
        self.home = str(scratch)
        self.trace = os.memfd_create("trace")
        binds = [part for path in (*self.folders, scratch) for part in ("--bind", str(path), str(path))]
        without_trace = ("/bin/bash", "-c", f'exec {self.trace}>&-; exec "$@"', "-")
        strace = (*_STRACE, "-o", f"/proc/self/fd/{self.trace}", "--", *without_trace)
        # Only strace that is asked to end, and not killed, writes down what is still under way.
        limited = ("timeout", "-k", "1", str(self.seconds), *strace)
        prefix = [*_CONTAINER, *binds, "--chdir", str(start.directory), "--", *limited]
        return Started(start.open(prefix, pass_fds=(self.trace,)))

    def take(self) -> str:
        """Return what strace wrote, and forget it."""
        text = os.pread(self.trace, _MAX_TRACE, 0).decode(errors="replace")
        os.close(self.trace)
        self.trace = -1
        return text


class Post:
    """A place to observe from: a workspace full of traps and a user's home, both of its own. One line at a time.

    Lines get the environment of the class's `jail`.
    """

    jail: Confinement = "local-read"

    def __init__(self) -> None:
        self.base = Path(tempfile.mkdtemp(prefix="oracle-", dir="/var/tmp"))
        self.workspace, self.home = self.base / "work", self.base / "home"
        self._reader = make_reader(self.workspace)
        self._finder = CredentialFinder()
        self._lay()

    def remove(self) -> None:
        """Remove all of it."""
        shutil.rmtree(self.base, ignore_errors=True)

    def reads(self, line: str) -> bool:
        """Whether planact holds that the line only reads."""
        return self._reader.read_now(line, str(self.workspace)).cls == "local-read"

    async def observe(self, line: str, *, seconds: float = SECONDS) -> Observation:
        """Run the line for at most so many seconds. Lays the traps anew when one was sprung."""
        observation = await self._try(line, seconds)
        if not observation.is_started:  # on a busy machine strace alone can take longer
            observation = await self._try(line, 10 * seconds)
        assert observation.is_started, f"not observed: {line}\n{observation.output}\n{observation.trace[-2000:]}"
        if observation.offences:
            self._lay()
        return observation

    async def _try(self, line: str, seconds: float) -> Observation:
        tracer = _Tracer(self._profile, [self.workspace, self.home], seconds)
        runner = CommandRunner(str(self.workspace), self.environment(), _DESCENDANTS, tracer, self._finder)
        place = Place(".", self.workspace, PurePosixPath(), exists=True, is_directory=True)
        result = await runner.run(line, place, seconds + 10, 40_000, lambda _: None)
        trace = tracer.take()
        found, started = offences(trace, Bounds(str(self.workspace), tracer.home)), programs(trace)
        if started & _RESOLVERS:
            found = [each for each in found if "sin_port=htons(53)" not in each]
        return Observation(line, found, frozenset(started), result.output, trace)

    def environment(self) -> Mapping[str, str]:
        """Return the user's environment."""
        return user_environment(self.home)

    def _lay(self) -> None:
        for folder in (self.workspace, self.home):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
        lay_traps(self.workspace, self.home)
        around = JailEnvironment(self.environment(), home=self.home, workspace=self.workspace, kept=[])
        self._profile = make_profiles(around)[self.jail]


def make_reader(workspace: Path) -> LineReader:
    """Return the judge of command lines as planact puts it together."""
    shfmt = find_shfmt(Path(sys.executable))
    assert shfmt is not None, "shfmt is a dependency"
    return LineReader(str(workspace), Shfmt(shfmt), partial(git_servers, workspace), is_windows=False)


def user_environment(home: Path) -> Mapping[str, str]:
    """Return the environment of a user with that home, who has the PATH of this machine and the administrator's."""
    here = os.environ.get("PATH", "").split(os.pathsep)
    path = os.pathsep.join(dict.fromkeys([*filter(None, here), *_SYSTEM_PATH]))
    return {"PATH": path, "HOME": str(home), "LANG": "C.UTF-8", "USER": "user", "SHELL": "/bin/bash"}


async def observe_all(lines: Sequence[str], posts: Sequence[Post]) -> list[Observation]:
    """Observe them from all posts at once; what comes back is in the order of the lines."""
    found: dict[int, Observation] = {}
    waiting = iter(enumerate(lines))

    async def work(post: Post) -> None:
        for number, line in waiting:
            found[number] = await post.observe(line)

    await asyncio.gather(*map(work, posts))
    return [found[number] for number in range(len(lines))]
