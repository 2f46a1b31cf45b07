"""A language server as data: the known ones of `servers.toml`, and those of the user's settings."""

import os
import shutil
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from planact.model.settings import WORKSPACE_PLACEHOLDER, LanguageServer


class KnownServer(BaseModel):
    """A language server and how it is spoken to.

    Attributes:
        command: the program and its arguments.
        files: the language of each suffix that it is for, as the protocol names it.
        settings: the answers to its questions for settings, by section. A text that begins with the workspace folder is
            left out where it names no file.
        options: the options of `initialize`.
        environment: variables that it gets.
        needs: files of which one must be in the workspace folder; none = nothing is needed.
        knows_project: it finds names in files that aren't open.
        project_read: the pattern of what it logs once it has listed the project's files: a rename that it makes before
            is of one file. Empty = its answers wait for that.
        broken: the title of the progress that goes on while it can't read the project, and finds nothing anywhere.
        ready: it says by itself when it has read the project, and what it says of files before doesn't count.
    """

    model_config = ConfigDict(frozen=True, defer_build=True, extra="forbid")

    command: list[str] = Field(min_length=1)
    files: dict[str, str] = Field(min_length=1)
    settings: dict[str, Any] = Field(default_factory=dict)
    options: dict[str, Any] = Field(default_factory=dict)
    environment: dict[str, str] = Field(default_factory=dict)
    needs: list[str] = Field(default_factory=list)
    knows_project: bool = True
    project_read: str = ""
    broken: str = ""
    ready: Literal["", "quiescent", "progress"] = ""

    def setting(self, section: str, root: Path) -> Any:
        """Return the settings of a section, such as `python.analysis`; None where there are none."""
        found: Any = self.settings
        for name in section.split(".") if section else ():
            found = found.get(name) if isinstance(found, Mapping) else None
        return _filled(found, root)


def load_known_servers() -> Mapping[str, KnownServer]:
    """Return the known servers by name, the best first."""
    text = Path(__file__).with_name("servers.toml").read_text("utf-8")
    return {name: KnownServer.model_validate(entry) for name, entry in tomllib.loads(text).items()}


def choose_servers(named: Mapping[str, LanguageServer]) -> Mapping[str, KnownServer]:
    """Return the servers that may be used by name: those of the user's settings first, then the other known ones. An
    entry without a command or files has those of the known server with its name.
    """
    known = {**load_known_servers()}
    chosen: dict[str, KnownServer] = {}
    for name, entry in named.items():
        base = known.pop(name, None)
        command, files = entry.command or (base.command if base else []), entry.files or (base.files if base else {})
        if entry.disabled or not (command and files):
            continue
        made = base or KnownServer(command=command, files=files)
        update = {"command": command, "files": files, "settings": {**made.settings, **entry.settings}}
        chosen[name] = made.model_copy(update=update)
    return {**chosen, **known}


def find_server(name: str, search_path: str, root: Path) -> str:
    """Return the path of a program, empty = there is none. A bare name is looked for on the search path, and never in
    the workspace, also not by a link there; any other path is the user's own word.
    """
    path = Path(name).expanduser()
    if path.is_absolute():
        return str(path) if os.access(path, os.X_OK) else ""
    if path.name != name:
        return ""
    for folder in search_path.split(os.pathsep):
        found = shutil.which(str(Path(folder) / name)) if Path(folder).is_absolute() else None
        if found and not any(Path(os.path.realpath(each)).is_relative_to(root) for each in (folder, found)):
            return found
    return ""


def parts_of(program: str, home: Path, root: Path) -> Sequence[str]:
    """Return the folders or files that a program consists of besides those of the system and of tool chains: its
    package where it is one of Node or of a virtual environment, else the file alone.
    """
    found = []
    for path in dict.fromkeys((Path(program), Path(os.path.realpath(program)))):
        part = path
        if "node_modules" in path.parts:
            part = Path(*path.parts[: path.parts.index("node_modules") + 1])
        elif os.path.isfile(path.parent.parent / "pyvenv.cfg"):
            part = path.parent.parent
        if part == path or not any(each.is_relative_to(part) for each in (home, root)):
            found.append(str(part))
    return found


def _filled(value: Any, root: Path) -> Any:
    if isinstance(value, Mapping):
        filled = {name: _filled(each, root) for name, each in value.items()}
        return {name: each for name, each in filled.items() if each is not None or value[name] is None}
    if isinstance(value, str) and value.startswith(WORKSPACE_PLACEHOLDER):
        path = Path(f"{root}{value.removeprefix(WORKSPACE_PLACEHOLDER)}")
        return str(path) if os.path.exists(path) else None
    return value
