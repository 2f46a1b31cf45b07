"""The jail of this machine, probed once and shared by all workspace folders of a process."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from planact.adapters.sandbox.choose import Jail, JailSupport, probe
from planact.adapters.sandbox.limits.guard_record import GuardRecord
from planact.adapters.sandbox.limits.profiles import JailEnvironment, daemon_sockets, make_profiles
from planact.adapters.sandbox.limits.readable import FoundReadableFolders, at_home
from planact.adapters.sandbox.runner.descendants import Descendants
from planact.adapters.sandbox.runner.jailed_runner import JailedRunner
from planact.model.rights.jail import Confinement, JailProfile, SandboxSetting
from planact.model.rights.rule import Rule
from planact.model.settings import Settings

JAIL_SETTINGS = ("sandbox", "commands", "workspace")
"""The settings that a runner is made from."""


class Jails:
    """`environment` and `home` are the user's; `redact` returns a text without secrets. The first command probes the
    machine.
    """

    def __init__(self, environment: Mapping[str, str], home: Path, redact: Callable[[str], str]) -> None:
        self._environment = environment
        # A path that holds the text of some secret is needed all the same.
        values = ((name, value) for name, value in environment.items() if not value.startswith("/"))
        self._secrets = frozenset(name for name, value in values if redact(value) != value)
        self._home = home
        self._descendants = Descendants()
        self._abilities: JailSupport | None = None
        self._chosen: dict[SandboxSetting, Jail] = {}

    def runner(
        self,
        root: Path,
        kept: Sequence[Path],
        settings: Settings,
        readable: FoundReadableFolders,
        guarded: Path,
        tracks_runs: Callable[[], bool] = lambda: False,
    ) -> JailedRunner:
        """Return the runner of a folder's commands by its settings. No jail may write planact's own folders, `kept`,
        and jails that read may read the folders `readable` at the time. The file `guarded` tells a later process what a
        command on trial must leave as it is. `tracks_runs` tells whether git tracks the records of runs.
        """
        commands = settings.commands
        writable = [root / at_home(path, self._home) for path in commands.writable]

        def profiles(folders: Sequence[Path]) -> Mapping[Confinement, JailProfile]:
            sources = readable.sources()
            return make_profiles(
                JailEnvironment(
                    environment=self._environment,
                    home=self._home,
                    workspace=root,
                    kept=kept,
                    sockets=daemon_sockets(self._environment, self._home),
                    network=commands.network,
                    writable=writable,
                    readable=[folder for folder in folders if folder not in sources],
                    sources=sources,
                    secrets=self._secrets,
                    can_mount=self.mounts_in(root, settings.sandbox),
                    tracks_runs=tracks_runs(),
                )
            )

        return JailedRunner(
            str(root),
            self._environment,
            self._descendants,
            lambda: self._jail(settings.sandbox),
            profiles,
            readable.now,
            GuardRecord(guarded),
            tracks_runs,
        )

    def readable(self, root: Path, settings: Settings, rules: Callable[[], Sequence[Rule]]) -> FoundReadableFolders:
        """Return the folders besides `root` that commands there may read without a question."""
        return FoundReadableFolders(self._environment, self._home, root, settings.workspace.readable, rules)

    def mounts_in(self, root: Path, setting: SandboxSetting) -> bool:
        """Return whether what an unknown command sees in a folder is mounted for it, with a `/tmp` of its session's."""
        return self._jail(setting).mounts_in(root)

    def _jail(self, setting: SandboxSetting) -> Jail:
        if self._abilities is None:
            self._abilities = probe()
        if setting not in self._chosen:
            self._chosen[setting] = Jail(self._abilities, setting)
        return self._chosen[setting]
