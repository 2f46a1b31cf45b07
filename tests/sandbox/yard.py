"""A throw-away home and workspace with something in it for any command to break, and a watch over all of it."""

import functools
import hashlib
import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from planact.adapters.sandbox.choose import Jail, JailSupport, find_bubblewrap, probe
from planact.adapters.sandbox.limits.profiles import JailEnvironment, make_profiles
from planact.adapters.sandbox.runner.command_runner import CommandRunner
from planact.adapters.sandbox.runner.descendants import Descendants
from planact.adapters.sandbox.spawner import PlainSpawner, Spawner
from planact.base.paths import Place
from planact.model.rights.command import CommandResult
from planact.model.rights.jail import Confinement, Network

PATH = "/usr/local/bin:/usr/bin:/bin"
SHARED = (Path("/tmp"), Path("/dev/shm"))


@functools.cache
def abilities_of_each_rung() -> dict[str, JailSupport]:
    """What to pretend this machine has, so that each rung it really holds is chosen."""
    here = probe()
    bubblewrap = find_bubblewrap() if here.has_seccomp else None
    alone = replace(here, bubblewrap=None)
    found = {f"landlock {abi}": replace(alone, landlock_abi=abi) for abi in (7, 4, 3, 1) if abi <= here.landlock_abi}
    if bubblewrap:
        found["bubblewrap"] = replace(here, landlock_abi=0, bubblewrap=bubblewrap)
    return found


HOLDING_UNKNOWN = ("landlock 7", "landlock 4", "bubblewrap")
"""The rungs on which unknown commands are held."""


@dataclass(frozen=True)
class Yard:
    """A fresh one per `make`; belongs to the user who makes it."""

    base: Path

    @classmethod
    def make(cls) -> "Yard":
        yard = cls(Path(tempfile.mkdtemp(prefix="yard-", dir="/var/tmp")))
        yard.home.mkdir()
        yard.workspace.mkdir()
        yard.fill()
        return yard

    @property
    def home(self) -> Path:
        return self.base / "home"

    @property
    def workspace(self) -> Path:
        return self.base / "work"

    @property
    def environment(self) -> dict[str, str]:
        return {"PATH": PATH, "HOME": str(self.home), "LANG": "C.UTF-8"}

    def remove(self) -> None:
        subprocess.run(["chmod", "-R", "u+rwx", str(self.base)], check=False, stderr=subprocess.DEVNULL)
        shutil.rmtree(self.base, ignore_errors=True)

    def spawner(
        self, abilities: JailSupport, name: Confinement, network: Network = "inet", readable: Sequence[Path] = ()
    ) -> Spawner:
        jail = Jail(abilities, "auto")
        around = JailEnvironment(
            environment=self.environment,
            home=self.home,
            workspace=self.workspace,
            kept=[self.home / "allowed" / "state"],
            sockets=[self.base / "daemon"],
            network=network,
            writable=[self.home / "allowed"],
            readable=readable,
            temporary=SHARED,
            can_mount=jail.mounts_in(self.workspace),
        )
        return jail.spawner(make_profiles(around)[name])

    def runner(
        self,
        abilities: JailSupport | None,
        name: Confinement,
        network: Network = "inet",
        readable: Sequence[Path] = (),
    ) -> CommandRunner:
        """In that profile, or in none without abilities."""
        spawner = self.spawner(abilities, name, network, readable) if abilities else PlainSpawner()
        return CommandRunner(str(self.workspace), self.environment, Descendants(), spawner)

    async def run(
        self,
        runner: CommandRunner,
        command: str,
        timeout: float = 20,
        outside: Sequence[str] = (),
        *,
        scratch: str = "",
    ) -> CommandResult:
        place = Place(".", self.workspace, PurePosixPath(), exists=True, is_directory=True)
        return await runner.run(command, place, timeout, 4_000, lambda text: None, outside=outside, scratch=scratch)

    def fill(self) -> None:
        """Files by the names that commands like to use, scripts, archives, and a repository with a history."""
        work = self.workspace
        for name in ("f", "x", "y.txt", "a", "b", "in", "out.txt", "victim", "important", "notes.md", "app.py"):
            (work / name).write_text(f"{name}\na line with foo\nanother\n")
        for folder in ("build", "src", "d", "docs"):
            (work / folder).mkdir()
            if folder != "d":
                (work / folder / "inner.py").write_text("x = 1\n")
        for name, text in (("s.sh", "rm x\n"), ("evil", "#!/bin/sh\ntouch y\n"), ("ls", "#!/bin/sh\ntouch y\n")):
            (work / name).write_text(text)
            (work / name).chmod(0o755)
        (work / "prog.awk").write_text('BEGIN { print "x" > "y" }\n')
        (work / "l").write_text("x\nf\n")
        (work / "p").write_text("--- a/f\n+++ b/f\n@@ -1 +1 @@\n-f\n+changed\n")
        (work / "Makefile").write_text("help:\n\ttouch y\ntest: help\n")
        for name in (
            ".bashrc",
            ".gitconfig",
            ".ssh/id_rsa",
            ".aws/credentials",
            ".cargo/bin/tool",
            "allowed/state/db",
            "allowed/file",
        ):
            (self.home / name).parent.mkdir(parents=True, exist_ok=True)
            (self.home / name).write_text("[user]\nname = A\nemail = a@example.org\n" if "git" in name else "secret\n")
        git = "git init -q -b main && git add . && git commit -qm one && git branch a && git tag t && echo 2 >> f"
        more = "git commit -qam two && git stash list && tar cf x.tar f && gzip -k l && mkdir -p .planact/plans"
        subprocess.run(f"{git} && {more}", shell=True, check=True, cwd=work, env=self.environment)

    def picture(self) -> dict[str, tuple[object, ...]]:
        """All there is in the tree and in the folders that all share: type, mode, owner, times, content, attributes."""
        return {str(path): _look(path) for folder in (self.base, *SHARED) for path in _walk(folder)}


_LARGEST_READ = 10_000_000
"""Bytes. The user may have files of any size in the folders that all share."""


def own_in_tmp(pattern: str = "*") -> set[str]:
    """The names of what this user has in `/tmp`: where the tests don't run as root, others have something there."""
    return {path.name for path in Path("/tmp").glob(pattern) if path.lstat().st_uid == os.getuid()}


def _walk(folder: Path) -> Iterator[Path]:
    """All below a folder; of one that all share, what this user has there beside the folders of tests."""
    for path in sorted(folder.iterdir()):
        try:
            if folder in SHARED and (path.lstat().st_uid != os.getuid() or path.name.startswith("pytest-of-")):
                continue
            yield path
            if path.is_dir() and not path.is_symlink():
                yield from _walk(path)
        except OSError:
            continue


def _look(path: Path) -> tuple[object, ...]:
    found = path.lstat()
    content: object = None
    if stat.S_ISLNK(found.st_mode):
        content = path.readlink()
    elif stat.S_ISREG(found.st_mode):
        is_read = found.st_size <= _LARGEST_READ and os.access(path, os.R_OK)
        content = hashlib.sha256(path.read_bytes()).hexdigest() if is_read else found.st_size
    attributes = () if stat.S_ISLNK(found.st_mode) else tuple(os.listxattr(path))
    return found.st_mode, found.st_uid, found.st_gid, found.st_mtime_ns, found.st_nlink, content, attributes
