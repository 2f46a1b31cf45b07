"""Runs each command in the jail that its verdict asks for: one runner for each kind, made when it is first needed.

What can't be held here is refused before anything starts.
"""

from collections.abc import Callable, Mapping

from planact.adapters.sandbox.background import BackgroundCommand
from planact.adapters.sandbox.choose import Jail
from planact.adapters.sandbox.descendants import Descendants
from planact.adapters.sandbox.runner import CommandRunner
from planact.adapters.sandbox.spawner import unavailable
from planact.base.paths import Place
from planact.model.command import CommandResult
from planact.model.jail import Confinement, JailProfile


class JailedRunner:
    """`ports.Runner` of a workspace folder; `make_profiles` is called once, with the first command or question about
    jails.
    """

    def __init__(
        self,
        folder: str,
        environment: Mapping[str, str],
        descendants: Descendants,
        make_jail: Callable[[], Jail],
        make_profiles: Callable[[], Mapping[Confinement, JailProfile]],
    ) -> None:
        self._folder = folder
        self._environment = environment
        self._descendants = descendants
        self._make_jail = make_jail
        self._make_profiles = make_profiles
        self._profiles: Mapping[Confinement, JailProfile] | None = None
        self._runners: dict[Confinement, CommandRunner] = {}

    def held(self) -> frozenset[Confinement]:
        """The jails that this machine can hold a command in, with the user's setting."""
        jail = self._make_jail()
        if jail.rung == "none":
            return frozenset()
        return frozenset(name for name, profile in self._known().items() if jail.refusal(profile) is None)

    def describe(self) -> str:
        """One line for the user on what holds commands here."""
        return self._make_jail().summary

    async def run(
        self,
        command: str,
        directory: Place,
        confinement: Confinement,
        timeout: float,
        limit: int,
        on_output: Callable[[str], None],
        variables: Mapping[str, str] | None = None,
    ) -> CommandResult:
        """See `ports.Runner`."""
        return await self._runner(confinement).run(command, directory, timeout, limit, on_output, variables)

    def start(self, command: str, directory: Place, confinement: Confinement, kept: int) -> BackgroundCommand:
        """See `ports.Runner`."""
        runner = self._runner(confinement)
        return BackgroundCommand(lambda log: runner.follow(command, directory, log), kept)

    def left_behind(self, *, end: bool) -> int:
        """See `ports.Runner`."""
        return self._descendants.left_behind(self._folder, end=end)

    def _runner(self, confinement: Confinement) -> CommandRunner:
        if confinement not in self._runners:
            profile = self._known().get(confinement)
            if profile is None:
                raise unavailable("the workspace holds the home directory, which would have to be hidden")
            spawner = self._make_jail().spawner(profile)
            self._runners[confinement] = CommandRunner(self._folder, self._environment, self._descendants, spawner)
        return self._runners[confinement]

    def _known(self) -> Mapping[Confinement, JailProfile]:
        if self._profiles is None:
            self._profiles = self._make_profiles()
        return self._profiles
