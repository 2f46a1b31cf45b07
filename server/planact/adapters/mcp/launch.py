"""The start of a server's program: its file, folder and environment.

The workspace may be hostile, so none of its files takes part unless the user wrote so: not as the folder in which
programs look for modules and settings, not on PATH, and not in variables that planact was started with.
"""

import contextlib
import errno
import os
import re
import shutil
import stat
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from itertools import pairwise
from pathlib import Path

import anyio
import anyio.to_thread
import psutil

from planact.adapters.mcp.context import LaunchContext
from planact.base.errors import McpFailure
from planact.base.private_folder import make_private_folder
from planact.base.text import one_line
from planact.model.settings import WORKSPACE_PLACEHOLDER, McpServer

# Variables from which programs load code; a relative entry means a place below the folder they start in.
_LOADED = re.compile(r"NODE_PATH|PYTHONPATH|PERL5?LIB|RUBYLIB|GEM_PATH|CLASSPATH|LUA_C?PATH|(LD|DYLD)_.*")
# Places for a program's data, which stay also where the workspace holds the user's whole home.
_PLACES = {"HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TMPDIR", "TEMP", "TMP"}
_WORDS = re.compile(r"[\s=,'\"]+")
_SHOWN = 80
_OF_OTHERS = stat.S_IWGRP | stat.S_IWOTH


class Launch:
    """The start of one server. `directory` is None where the user named none."""

    def __init__(self, server: McpServer, context: LaunchContext) -> None:
        self._context = context
        self.end_with_parent = context.end_with_parent
        self.argv = [self._filled(word) for word in (server.command, *server.args)]
        self.directory = context.root / Path(self._filled(server.cwd)).expanduser() if server.cwd else None
        own = {name: self._filled(text) for name, text in server.env.items()}
        inherited = outside(context.environment, context.root)
        self.environment = {**inherited, "PATH": context.search_path, **own}

    def program(self) -> str:
        """Return the file to start, as an absolute path.

        Raises:
            McpFailure: MCP_COMMAND_REFUSED, for a relative path without a `cwd`.
            FileNotFoundError: no folder of the search path has it.
        """
        name = self.argv[0]
        path = Path(name).expanduser()
        if path.is_absolute():
            return str(path)
        if path.name != name:
            if self.directory is None:
                cause = (
                    f"its command {one_line(name, _SHOWN)} is a relative path, and servers don't start in this folder"
                )
                line = f'command = "{WORKSPACE_PLACEHOLDER}/{path.as_posix()}"'
                raise McpFailure("MCP_COMMAND_REFUSED", cause, f"If you want it to run, write {one_line(line, 120)}")
            return str(self.directory / path)
        return self._found(name)

    @contextlib.asynccontextmanager
    async def folder(self) -> AsyncIterator[Path]:
        """Yield the folder to start in: the user's, or an empty one that is removed afterwards.

        Raises:
            McpFailure: MCP_COMMAND_REFUSED, where each place for one lies in the workspace.
            OSError: it can't be made.
        """
        if self.directory is not None:
            yield self.directory
            return
        own = await anyio.to_thread.run_sync(_make_folder, self._room())
        try:
            yield own
        finally:
            with anyio.CancelScope(shield=True):
                await anyio.to_thread.run_sync(_remove, own)

    def _found(self, name: str) -> str:
        for folder in self.environment["PATH"].split(os.pathsep):
            # Not `which` with the whole PATH, which on Windows looks into the folder that planact runs in first.
            if Path(folder).is_absolute() and (found := shutil.which(str(Path(folder) / name))):
                return found
        shown = one_line(name, _SHOWN)
        theirs = shutil.which(name, path=self._context.environment.get("PATH", ""))
        if theirs and _is_inside(theirs, self._context.root):
            below = Path(os.path.realpath(Path(theirs).parent), name).relative_to(self._context.root)
            cause = f"its command {shown} is on PATH in this folder alone, where no program is looked for"
            line = f'command = "{WORKSPACE_PLACEHOLDER}/{below.as_posix()}"'
            raise McpFailure("MCP_COMMAND_REFUSED", cause, f"If you want it to run, write {one_line(line, 120)}")
        raise FileNotFoundError(f"no program named {shown} is on PATH")

    def _room(self) -> Path:
        for folder in self._context.folders:
            # Programs look for `node_modules` and settings in the folders above, too.
            if not _is_inside(str(folder), self._context.root):
                return folder
        cause = "this folder holds planact's own folders, so that there is none to start it in which it doesn't fill"
        raise McpFailure("MCP_COMMAND_REFUSED", cause, "Name one yourself, such as cwd = '/srv'")

    def _filled(self, text: str) -> str:
        return text.replace(WORKSPACE_PLACEHOLDER, str(self._context.root))


def outside(environment: Mapping[str, str], root: Path) -> dict[str, str]:
    """Return the variables without entries that lie in the workspace or name it; of variables that name code to load,
    only absolute paths stay.
    """
    kept = {}
    for name, text in environment.items():
        entries = text.split(os.pathsep)
        loads = _LOADED.fullmatch(name.upper())
        good = [each for each in entries if not _names(each, root) and (Path(each).is_absolute() or not loads)]
        if name.upper() in _PLACES or len(good) == len(entries):
            kept[name] = text
        elif good and (loads or all(Path(each).is_absolute() for each in entries)):
            kept[name] = os.pathsep.join(good)
    return kept


def reliance(server: McpServer, root: Path) -> str:
    """Return the line to write for a server whose words name files of the workspace as if it started there; else empty.

    A name alone proves little: a repository could have a folder with the name of a package.
    """
    if server.cwd or server.url:
        return ""
    words = [*server.args]
    for flag, module in pairwise(words):
        file = Path(*module.split("."))
        if flag == "-m" and any(os.path.exists(path) for path in (root / file, root / f"{file}.py")):
            return _line(f"-m {module}")
    for word in words:
        value = word.rpartition("=")[2]
        if _is_path(value) and os.path.lexists(root / value):
            return _line(word)
    return ""


def _line(word: str) -> str:
    shown = one_line(word, _SHOWN)
    line = f'If you mean that one, write cwd = "{WORKSPACE_PLACEHOLDER}"'
    return f"Its argument {shown} is in this folder, where it does not start. {line}"


def _is_path(word: str) -> bool:
    if not word or "\0" in word or Path(word).is_absolute():
        return False
    return word.startswith(".") or bool(Path(word).suffix)


def _names(text: str, root: Path) -> bool:
    """Return True if `text` is or contains a path in the workspace, as options of an interpreter do."""
    if any(re.search(rf"{re.escape(spelling)}(?![\w.-])", text) for spelling in (str(root), root.as_posix())):
        return True
    return any(Path(word).is_absolute() and _is_inside(word, root) for word in (text, *_WORDS.split(text)))


def _is_inside(path: str, root: Path) -> bool:
    try:
        real = os.path.realpath(path)
    except (OSError, ValueError):
        return True
    return Path(os.path.normcase(real)).is_relative_to(os.path.normcase(root))


def _make_folder(room: Path) -> Path:
    make_private_folder(room)
    if os.name == "posix":
        found = room.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & _OF_OTHERS:
            raise PermissionError(errno.EPERM, "others could put programs into it", str(room))
    for left in _left_behind(room):
        _remove(left)
    return Path(tempfile.mkdtemp(prefix=f"{os.getpid()}-", dir=room))


def _left_behind(room: Path) -> Iterator[Path]:
    """Return start folders of killed processes."""
    for path in room.iterdir():
        number = path.name.partition("-")[0]
        if number.isascii() and number.isdigit() and not psutil.pid_exists(int(number)):
            yield path


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
