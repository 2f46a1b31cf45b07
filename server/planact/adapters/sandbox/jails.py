"""What holds commands on this machine: one for all workspace folders of a process, so that it is looked up once."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from planact.adapters.sandbox.choose import Abilities, Jail, probe
from planact.adapters.sandbox.descendants import Descendants
from planact.adapters.sandbox.jailed_runner import JailedRunner
from planact.adapters.sandbox.profiles import Surroundings, daemon_sockets, make_profiles
from planact.model.jail import Confinement, JailProfile, SandboxSetting
from planact.model.settings import Settings


class Jails:
    """`environment` and `home` are the user's. Nothing is looked up before the first command."""

    def __init__(self, environment: Mapping[str, str], home: Path) -> None:
        self._environment = environment
        self._home = home
        self._descendants = Descendants()
        self._abilities: Abilities | None = None
        self._chosen: dict[SandboxSetting, Jail] = {}

    def runner(self, root: Path, kept: Sequence[Path], settings: Settings) -> JailedRunner:
        """What runs a folder's commands as its settings have it; no jail may write planact's own folders, `kept`."""
        commands = settings.commands
        writable = [root / (self._home / path[2:] if path[:2] == "~/" else path) for path in commands.writable]

        def profiles() -> Mapping[Confinement, JailProfile]:
            return make_profiles(
                Surroundings(
                    environment=self._environment,
                    home=self._home,
                    workspace=root,
                    kept=kept,
                    sockets=daemon_sockets(self._environment, self._home),
                    network=commands.network,
                    writable=writable,
                )
            )

        return JailedRunner(
            str(root), self._environment, self._descendants, lambda: self._jail(settings.sandbox), profiles
        )

    def _jail(self, setting: SandboxSetting) -> Jail:
        if self._abilities is None:
            self._abilities = probe()
        if setting not in self._chosen:
            self._chosen[setting] = Jail(self._abilities, setting)
        return self._chosen[setting]
