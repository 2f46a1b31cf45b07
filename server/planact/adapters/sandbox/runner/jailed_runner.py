"""Run each command in the jail of its verdict: one runner for each kind, made at its first use.

A command whose jail is missing here is refused before any process starts.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from pathlib import Path

from planact.adapters.sandbox.choose import Jail
from planact.adapters.sandbox.limits.find_credentials import CredentialFinder
from planact.adapters.sandbox.limits.guard_record import GuardRecord
from planact.adapters.sandbox.runner.background import BackgroundCommand
from planact.adapters.sandbox.runner.command_runner import CommandRunner
from planact.adapters.sandbox.runner.descendants import Descendants
from planact.adapters.sandbox.runner.program import PipedProgram
from planact.adapters.sandbox.runner.shell import shell_name
from planact.adapters.sandbox.unavailable import unavailable
from planact.base.paths import Place
from planact.model.rights.command import CommandResult
from planact.model.rights.jail import Confinement, JailProfile


class JailedRunner:
    """`ports.Runner` of a workspace folder. `make_profiles` is called with the first command or question about jails,
    and again when the folders of `readable` change or the answer of `tracks_runs`, which is asked for each command.
    `record` keeps what commands on trial must not change.
    """

    def __init__(
        self,
        folder: str,
        environment: Mapping[str, str],
        descendants: Descendants,
        make_jail: Callable[[], Jail],
        make_profiles: Callable[[Sequence[Path]], Mapping[Confinement, JailProfile]],
        readable: Callable[[], Sequence[Path]] = tuple,
        record: GuardRecord | None = None,
        tracks_runs: Callable[[], bool] = lambda: False,
    ) -> None:
        self._folder = folder
        self._environment = environment
        self._descendants = descendants
        self._make_jail = make_jail
        self._make_profiles = make_profiles
        self._readable = readable
        self._record = record
        self._tracks_runs = tracks_runs  # it may wait for the disk
        self._are_runs_tracked = False
        self._known_as: tuple[tuple[Path, ...], bool] = ((), False)
        self._profiles: Mapping[Confinement, JailProfile] | None = None
        self._finder = CredentialFinder()
        self._runners: dict[Confinement, CommandRunner] = {}
        self._trials = asyncio.Lock()

    def enforced(self) -> frozenset[Confinement]:
        """Return the jails that this machine can hold a command in, with the user's setting."""
        jail = self._make_jail()
        if jail.rung == "none":
            return frozenset()
        return frozenset(name for name, profile in self._known().items() if jail.refusal(profile) is None)

    def hides_credentials(self) -> bool:
        return self._make_jail().hides_credentials

    def describe(self) -> str:
        """Return one line for the user on the jail of commands here."""
        return self._make_jail().summary

    def shell(self) -> str:
        return shell_name()

    async def run(
        self,
        command: str,
        directory: Place,
        confinement: Confinement,
        timeout: float,
        limit: int,
        on_output: Callable[[str], None],
        variables: Mapping[str, str] | None = None,
        outside: Sequence[str] = (),
        scratch: str = "",
        kept: int = 0,
        unchangeable: Sequence[str] = (),
    ) -> CommandResult:
        self._are_runs_tracked = await asyncio.to_thread(self._tracks_runs)
        runner = self._runner(confinement)
        # What one on trial left is put back while no other can exchange folders below.
        async with self._trials if confinement == "trial" else nullcontext():
            return await runner.run(
                command, directory, timeout, limit, on_output, variables, outside, scratch, kept, unchangeable
            )

    def put_back_killed(self, aside: str) -> tuple[tuple[str, ...], int | None]:
        return self._runner("trial").put_back_killed(aside) if "trial" in self.enforced() else ((), None)

    def start(
        self, command: str, directory: Place, confinement: Confinement, kept: int, outside: Sequence[str] = ()
    ) -> BackgroundCommand:
        if confinement == "trial":
            raise unavailable("a trial ends with its command, and what it did is judged then")
        runner = self._runner(confinement)
        return BackgroundCommand(lambda log: runner.follow(command, directory, log, outside), kept)

    def open(
        self, program: Sequence[str], directory: Place, variables: Mapping[str, str], parts: Sequence[str], scratch: str
    ) -> AbstractAsyncContextManager[PipedProgram]:
        return self._runner("contain").open(program, directory, variables, parts, scratch)

    def left_behind(self, *, end: bool) -> int:
        return self._descendants.left_behind(self._folder, end=end)

    def _runner(self, confinement: Confinement) -> CommandRunner:
        profile = self._known().get(confinement)
        if confinement not in self._runners:
            if profile is None:
                raise unavailable("the workspace holds the home directory, which would have to be hidden")
            spawner = self._make_jail().spawner(profile)
            self._runners[confinement] = CommandRunner(
                *(self._folder, self._environment, self._descendants, spawner, self._finder),
                record=self._record if confinement == "trial" else None,
            )
        return self._runners[confinement]

    def _known(self) -> Mapping[Confinement, JailProfile]:
        readable = tuple(self._readable())
        known_as = (readable, self._are_runs_tracked)
        if self._profiles is None or known_as != self._known_as:
            self._profiles, self._known_as = self._make_profiles(readable), known_as
            self._runners.clear()
        return self._profiles
