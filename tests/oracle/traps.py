"""Fills a workspace with all that a program could be led astray by, and a user's home with the usual settings.

What leads them astray makes a file: that can be seen.
"""

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

from planact.base.text import word_set
from tests.oracle.trap_files import CONFIGURATIONS, DATA, GIT, MODULES, PYTHON, SCRIPTS, SHELL

PROGRAMS = word_set(
    """
    awk bash bat cargo cat cc clang-format diff fd find fsmonitor gcc git go gpg grep java jq less ls lua make
    man more node npm perl php pip ps python python3 rg ruby sed sh sort ssh stat tar tree vi xargs xdg-open
    """
)

_HOOKS = (
    "fsmonitor-watchman",
    "post-index-change",
    "pre-commit",
    "reference-transaction",
    "post-checkout",
    "proc-receive",
)


def lay_traps(workspace: Path, home: Path) -> None:
    """Fill both, which are empty."""
    for files in (DATA, SCRIPTS, CONFIGURATIONS, MODULES):
        for name, text in files.items():
            _write(workspace / name, text)
    for module in sys.stdlib_module_names:
        _write(workspace / f"{module}.py", PYTHON)
    for folder in (".", "bin", "node_modules/.bin"):
        for program in PROGRAMS:
            _write(workspace / folder / program, SHELL, is_executable=True)
    for name in ("gradlew", "mvnw", "prog.sh", "configure"):
        _write(workspace / name, SHELL, is_executable=True)
    _add_binaries(workspace)
    _make_repository(workspace)
    (workspace / "link").symlink_to("f.txt")
    (workspace / "link-out").symlink_to("/etc/passwd")
    (workspace / "link-home").symlink_to(home)
    (workspace / "loop").symlink_to("loop")
    os.mkfifo(workspace / "fifo")
    _fill_home(home)


def _write(path: Path, text: str, *, is_executable: bool = False) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    if is_executable:
        path.chmod(0o755)


def _add_binaries(workspace: Path) -> None:
    content = workspace / "f.txt"
    with tarfile.open(workspace / "a.tar", "w") as archive:
        archive.add(content, "f.txt")
    with tarfile.open(workspace / "a.tgz", "w:gz") as archive:
        archive.add(content, "f.txt")
    for name in ("a.zip", "a.jar"):
        with zipfile.ZipFile(workspace / name, "w") as zipped:
            zipped.write(content, "f.txt")
    for program, name in (("gzip", "f.gz"), ("bzip2", "f.bz2"), ("xz", "f.xz"), ("zstd", "f.zst")):
        if shutil.which(program):
            packed = subprocess.run([program, "-c", str(content)], capture_output=True, check=True).stdout
            (workspace / name).write_bytes(packed)
    database = sqlite3.connect(workspace / "a.db")
    database.execute("create table t (x)")
    database.execute("insert into t values ('foo')")
    database.commit()
    database.close()
    shutil.copyfile("/usr/bin/true", workspace / "program")
    (workspace / "program").chmod(0o755)
    (workspace / "evil.so").write_bytes(b"\x7fELF\0")


def _make_repository(workspace: Path) -> None:
    """A history with a change in the work tree, and settings that name a program wherever git would start one."""
    environment = {
        "PATH": os.defpath,
        "HOME": str(workspace),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        **dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"), "A"),
        **dict.fromkeys(("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"), "a@example.org"),
        **dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), "2024-01-01T00:00:00Z"),
    }
    commands = """
        git init -q -b main
        git add f.txt notes.md data.json src names change.diff large.bin
        git commit -qm one
        echo more >> f.txt
        git commit -qam two
        git branch feature
        git tag v1
        git tag -am annotated v2
        git notes add -m note
        echo stashed >> f.txt
        git stash -q
        git add .gitattributes .gitmodules
        git commit -qm three
        echo changed >> f.txt
        echo changed >> notes.md
        git worktree add -q sub feature
        git bundle create -q a.bundle HEAD
    """
    subprocess.run(["/bin/sh", "-ec", commands], cwd=workspace, env=environment, check=True, capture_output=True)
    with (workspace / ".git/config").open("a") as file:
        file.write(GIT)
    for folder in ("hooks", ".git/hooks"):
        for hook in _HOOKS:
            _write(workspace / folder / hook, SHELL, is_executable=True)
    _write(workspace / ".git/info/attributes", "*.txt diff=trap filter=trap\n")
    # As if they had changed since git looked: it has to look again, through the filters.
    for name in ("data.json", "large.bin", "names", "src/inner.py"):
        os.utime(workspace / name, (0, 0))


def _fill_home(home: Path) -> None:
    _write(home / ".gitconfig", "[user]\n\tname = A\n\temail = a@example.org\n")
    for name in (".bashrc", ".profile", ".npmrc", ".ssh/config", ".cargo/config.toml", ".config/pip/pip.conf"):
        _write(home / name, "")
    # A tool chain that this machine's user has is found as it would be.
    for name in (".rustup",):
        real = Path("~").expanduser() / name
        if real.is_dir() and stat.S_ISDIR(real.stat().st_mode):
            (home / name).symlink_to(real)
