"""The ladder of jails: the best rung that this machine holds is chosen once, and shown to the user."""

import os
import platform
import shutil
import struct
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, assert_never

from planact.adapters.sandbox.linux.bubblewrap import MOUNTS, NAMESPACES, BubblewrapSpawner
from planact.adapters.sandbox.linux.jailed_thread import JailedThreadSpawner
from planact.adapters.sandbox.linux.kernel import Kernel
from planact.adapters.sandbox.linux.landlock import ABI_OF_NETWORK, NEWEST_ABI, landlock_abi
from planact.adapters.sandbox.linux.letter_case import is_case_ignored
from planact.adapters.sandbox.linux.syscalls import MACHINES
from planact.adapters.sandbox.macos.seatbelt import SeatbeltSpawner
from planact.adapters.sandbox.spawner import PlainSpawner, RefusingSpawner, Spawner
from planact.base.system_path import SYSTEM_PATH
from planact.model.rights.jail import JailProfile, SandboxSetting

Rung = Literal["landlock", "older-landlock", "bubblewrap", "seatbelt", "none"]

# Programs are taken from where the system keeps them, since a repository may have put another on PATH.
_TRY_SECONDS = 10


@dataclass(frozen=True, slots=True)
class JailSupport:
    """Means of this machine to hold commands.

    Attributes:
        machine: the processor, as `platform.machine` names it.
        landlock_abi: 0 where there is none.
        has_seccomp: the kernel takes filters, and the numbers of this machine's calls are known.
        bubblewrap: path of the program, if it works.
        sandbox_exec: path of macOS's program, if it works.
    """

    machine: str = ""
    landlock_abi: int = 0
    has_seccomp: bool = False
    bubblewrap: str | None = None
    sandbox_exec: str | None = None


def probe() -> JailSupport:
    """Test the means of this machine."""
    if sys.platform == "darwin":
        return JailSupport(sandbox_exec=shutil.which("sandbox-exec", path=SYSTEM_PATH))
    if sys.platform != "linux":
        return JailSupport()
    kernel, machine = Kernel(), platform.machine()
    if not (kernel.has_seccomp() and machine in MACHINES and struct.calcsize("P") == 8):
        return JailSupport(machine=machine)
    abi = landlock_abi(kernel)
    return JailSupport(machine, abi, has_seccomp=True, bubblewrap=find_bubblewrap())


def find_bubblewrap() -> str | None:
    """Return the program's path, if the program exists and the system lets it make namespaces."""
    found = shutil.which("bwrap", path=SYSTEM_PATH)
    if found is None:
        return None
    try:
        tried = subprocess.run(
            [found, *NAMESPACES, "--unshare-net", *MOUNTS, "--cap-drop", "ALL", "--", "/bin/sh", "-c", ":"],
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_TRY_SECONDS,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return found if tried.returncode == 0 else None


class Jail:
    """The chosen rung, which makes the spawners for its profiles."""

    def __init__(self, abilities: JailSupport, setting: SandboxSetting) -> None:
        self.rung = choose_rung(abilities, setting)
        self._abilities = abilities
        self._setting = setting
        if self.rung in ("landlock", "older-landlock"):
            # Before the first command, and for good: see `jailed_thread`.
            Kernel().hide_process()

    @property
    def summary(self) -> str:
        """One line for the user on the jail of this machine."""
        match self.rung:
            case "landlock":
                jail = f"Landlock (version {self._abilities.landlock_abi}) and a system call filter"
                lacks = "without bubblewrap, so unknown commands can't listen on ports or make files in the top folder"
                return jail if self._can_mount else f"{jail}; {lacks}"
            case "older-landlock":
                return f"an older Landlock (version {self._abilities.landlock_abi}) and a system call filter"
            case "bubblewrap":
                return "bubblewrap and a system call filter"
            case "seatbelt":
                return "the sandbox of macOS, which planact's developers never tested"
            case "none":
                return "nothing: commands run with all the rights of the user"
            case _:
                assert_never(self.rung)

    def mounts_in(self, workspace: Path) -> bool:
        """Return whether what an unknown command sees in a workspace is mounted for it. Not where a name in other
        letters leads around a mount; nor where root works on another user's and Landlock can hold it instead, since in
        a namespace of its own root has no power over such files.
        """
        if not self._can_mount or is_case_ignored(workspace):
            return False
        return not (self.rung == "landlock" and _is_root_in_foreign(workspace))

    @property
    def hides_credentials(self) -> bool:
        """True if reading and unknown commands can't open files with credentials. False on macOS, where this was never
        tried.
        """
        return self.rung in ("landlock", "older-landlock", "bubblewrap")

    def refusal(self, profile: JailProfile) -> str | None:
        """Return the reason why `profile` can't be held here, or None. Without a jail, `auto` and `off` let all
        commands run but unknown ones.
        """
        if profile.name in ("contain", "trial") and not (self._mounts(profile) or self._holds_unmounted(profile)):
            return (
                "what an unknown command does is held only by bubblewrap, with namespaces of users allowed, or by"
                " Landlock version 4 or newer with a system call filter"
            )
        if profile.sockets and self.rung == "bubblewrap":
            return "bubblewrap can't let a command use one socket and no other"
        if self.rung == "none" and self._setting == "required":
            return "the setting `sandbox` asks for a sandbox, and this machine offers none that planact knows"
        return None

    def spawner(self, profile: JailProfile) -> Spawner:
        """Return a starter of shells in that profile, or one that refuses to start any."""
        refusal = self.refusal(profile)
        if refusal is not None:
            return RefusingSpawner(profile, refusal)
        abilities = self._abilities
        if self._mounts(profile):
            return BubblewrapSpawner(str(abilities.bubblewrap), MACHINES[abilities.machine], profile)
        match self.rung:
            case "landlock" | "older-landlock":
                abi = min(abilities.landlock_abi, NEWEST_ABI)
                return JailedThreadSpawner(Kernel(), MACHINES[abilities.machine], abi, profile)
            case "bubblewrap":
                return BubblewrapSpawner(str(abilities.bubblewrap), MACHINES[abilities.machine], profile)
            case "seatbelt":
                return SeatbeltSpawner(str(abilities.sandbox_exec), profile)
            case "none":
                return PlainSpawner(replace(profile, caches=()) if profile.name == "act" else profile)
            case _:
                assert_never(self.rung)

    @property
    def _can_mount(self) -> bool:
        return self._abilities.bubblewrap is not None

    def _mounts(self, profile: JailProfile) -> bool:
        return bool(profile.temporary) and self._can_mount and self.rung != "none"

    def _holds_unmounted(self, profile: JailProfile) -> bool:
        return self.rung == "landlock" and not profile.temporary and (profile.name == "contain" or profile.is_split)


def _is_root_in_foreign(folder: Path) -> bool:
    try:
        return os.geteuid() == 0 != folder.stat().st_uid
    except OSError:
        return False


def choose_rung(abilities: JailSupport, setting: SandboxSetting) -> Rung:
    """Return the best rung of the machine, or none if the user turned jails off."""
    if setting == "off":
        return "none"
    if abilities.sandbox_exec:
        return "seatbelt"
    if not abilities.has_seccomp:
        return "none"
    if abilities.landlock_abi >= ABI_OF_NETWORK:
        return "landlock"
    if abilities.landlock_abi >= 1:
        return "older-landlock"
    return "bubblewrap" if abilities.bubblewrap else "none"
