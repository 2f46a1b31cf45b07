"""Find what git, shells and the PATH run of a folder without anybody's word, perhaps before a change is judged: what
their settings name, and what that names in turn.
"""

import json
import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from planact.adapters.sandbox.limits.find_credentials import CredentialPaths
from planact.adapters.sandbox.limits.run_by_git import named_by_git

_BETWEEN_WORDS = re.compile(r"[\s;|&!()`'\"<>=,\[\]]+")
_WITH_PROGRAMS = re.compile(r"\bPATH(?:_add|_prepend)?\b|\bpath_add\b|\bload_prefix\b")
_GOES_TO = re.compile(r"(?:\b(?:cd|pushd)|\s-C)\s+[\"']?([^\s\"';&|)]+)")
_COMMAND = r"(?:^|[;&|(`!\"'])\s*(?:exec\s+|env\s+)?(?:\w+=\S*+\s++)*+[\"']?(?:[^\s\"'=;&|(`!]*/)?"
_LOADS_MODULES = re.compile(rf"{_COMMAND}python[\d.]*[\"']?\s+(?:-\w+\s+)*-(?:\w*[mc]\b|\s|$)")
"""Python, where it looks for modules in the folder where it starts."""

_LOADS_BY_NAME = re.compile(
    rf"{_COMMAND}(?:(?:bun|deno|lua|node|perl|php|ruby)[\"']?\s+-"
    r"|(?:gmake|invoke|just|make|nox|npx|pnpm|pnpx|pre-commit|rake|task|tox|yarn|bunx|mvn|gradle|mix)(?=[\"'\s]|$)"
    r"|(?:bundle|cargo|composer|go|hatch|npm|pdm|pipenv|poetry|uv)\s+(?:exec|run|run-script|test|generate|tool|x|xtask)\b)"
)
"""Others that look for code by its name there, or anywhere below."""

_OF_DIRENV = ".envrc"
_OF_MISE = (".mise.toml", "mise.toml", ".mise.local.toml", "mise.local.toml")
_BESIDE_DIRENV = (
    *("default.nix", "devbox.json", "devbox.lock", "devenv.lock", "devenv.nix", "devenv.yaml", "flake.lock"),
    *("flake.nix", "guix.scm", "manifest.scm", "shell.nix"),
)
"""What direnv's own words load."""

_HOME = re.compile(r"^\$(?:HOME\b|\{HOME\})")
_IS_PLAIN = re.compile(r"[\w.@+%~-]|\$(?:HOME\b|\{HOME\})")
_ENDINGS = ("", ".sh", ".bash", ".py", ".js", ".cjs", ".mjs", ".ts", ".rb", ".pl", ".nix")
_MOST_BYTES = 200_000
_MOST_FILES = 200
_MOST_PATHS = 30_000
_LONGEST_LINE = 2_000


@dataclass(slots=True)
class RunAtOnce:
    """Paths below a folder, and perhaps that itself.

    Attributes:
        named: what is there and stays as it is.
        whole: folders in which nothing may change, since code is looked for in them by its name.
        modules: folders whose own files stay, and to which nothing may be added.
        places: folders of hooks that aren't there.
        absent: what isn't there and would run, and `absent_files` where it is a file.
    """

    named: set[str] = field(default_factory=set)
    whole: set[str] = field(default_factory=set)
    modules: set[str] = field(default_factory=set)
    places: set[str] = field(default_factory=set)
    absent: set[str] = field(default_factory=set)
    absent_files: set[str] = field(default_factory=set)


def run_at_once(root: str, found: CredentialPaths) -> RunAtOnce:
    """Return the files of the folder `root` that git, direnv, mise or the PATH run at once, and links on the way to
    them. Reads the disk.
    """
    search = _Search(root)
    by_git = named_by_git(found.repositories)
    for path in by_git.hooks:
        search.add_hooks(path)
    for path in by_git.included:
        search.add(path)
    for top, value in by_git.values:
        search.add_words(top, value)
    for top, command in by_git.commands:
        search.follow(top, command)
    for path in found.guarded:
        folder, _, name = path.rpartition("/")
        if name == _OF_DIRENV:
            search.follow(folder, _text(path))
            for each in _BESIDE_DIRENV:
                search.add(f"{folder}/{each}")
        elif name in _OF_MISE:
            search.follow(folder, _commands_of_mise(_text(path)))
    for path in os.environ.get("PATH", "").split(os.pathsep):
        search.add_programs(path)
    return search.found


class _Search:
    def __init__(self, root: str) -> None:
        self.found = RunAtOnce()
        self._root = root
        self._read: set[str] = set()

    def add(self, path: str, *, is_file: bool = False) -> None:
        """Add a path and what it leads to."""
        absent = self.found.absent_files if is_file else self.found.absent
        for each in {os.path.normpath(path), os.path.realpath(path)}:
            if each.startswith(f"{self._root}/"):
                (self.found.named if os.path.lexists(each) else absent).add(each)
                self.found.named.update(_links_above(each, self._root))

    def add_hooks(self, path: str) -> None:
        real = os.path.realpath(path)
        self.add(path)
        if real == self._root:
            self.found.whole.add(real)
        elif real.startswith(f"{self._root}/") and not os.path.lexists(real):
            self.found.places.add(real)

    def add_programs(self, path: str) -> None:
        """Add a folder in which programs are looked for by their names."""
        if not os.path.isabs(path):  # noqa: PTH117
            return
        self.add(path)
        if os.path.realpath(path) == self._root:
            self.found.whole.add(self._root)

    def add_words(self, folder: str, text: str) -> None:
        """Add the files among the words of a text."""
        for path in self._files_in(text, (folder,), ("",)):
            self.add(path, is_file=True)

    def follow(self, folder: str, text: str) -> None:
        """Add what commands name that run in `folder`, and what these files name in turn."""
        waiting: list[tuple[tuple[str, ...], str]] = [((folder,), text)]
        while waiting:
            bases, text = waiting.pop()
            lines = [line for line in text.splitlines() if not _is_comment(line)]
            text = "\n".join(lines)
            self._keep_start(folder, lines)
            for line in filter(_WITH_PROGRAMS.search, lines):
                for word in re.split(r"[\s:=;'\"\[\],]+", line):
                    for path in self._paths(folder, word) if word else ():
                        self.add_programs(path)
            gone_to = [f"{base}/{name}" for base in bases for name in _GOES_TO.findall(text)]
            if len(_BETWEEN_WORDS.split(text)) * (len(bases) + len(gone_to)) > _MOST_PATHS:
                self._keep(self._root, self.found.whole)
                return
            endings = _ENDINGS if self._read else ("",)
            for path in self._files_in(text, (*bases, *gone_to), endings):
                self.add(path, is_file=True)
                real = os.path.realpath(path)
                if real in self._read or not real.startswith(f"{self._root}/") or not os.path.isfile(real):
                    continue
                if len(self._read) >= _MOST_FILES:
                    self._keep(self._root, self.found.whole)
                    return
                self._read.add(real)
                inner, above = _text(real), os.path.dirname(real)  # noqa: PTH120
                if real.endswith(".py") or "python" in inner.partition("\n")[0]:
                    self._keep(above, self.found.whole)
                waiting.append(((folder, above), inner))

    def _keep_start(self, folder: str, lines: Sequence[str]) -> None:
        """Keep the folder in which commands start, where they look for code in it, as very long lines may."""
        if any(len(line) > _LONGEST_LINE or _LOADS_BY_NAME.search(line) for line in lines):
            self._keep(folder, self.found.whole)
        elif any(map(_LOADS_MODULES.search, lines)):
            self._keep(folder, self.found.modules)

    def _keep(self, folder: str, kept: set[str]) -> None:
        real = os.path.realpath(folder)
        if f"{real}/".startswith(f"{self._root}/"):
            kept.add(real)

    def _files_in(self, text: str, bases: Iterable[str], endings: Iterable[str]) -> Iterator[str]:
        words = {word for word in _BETWEEN_WORDS.split(text) if word and len(word) < os.pathconf("/", "PC_PATH_MAX")}
        for base in dict.fromkeys(bases):
            for word in words:
                for path in self._paths(base, word):
                    for ending in endings:
                        if not os.path.isdir(path + ending):
                            yield path + ending

    def _paths(self, base: str, word: str) -> Iterator[str]:
        """Yield the paths that a word may mean, perhaps behind a variable or the output of a command."""
        path = os.path.join(base, os.path.expanduser(_HOME.sub("~", word)))  # noqa: PTH111, PTH118
        yield path
        if _IS_PLAIN.match(word) or os.path.exists(path):
            return
        while "/" in word:
            word = word.partition("/")[2]
            yield from (f"{base}/{word}", f"{self._root}/{word}") if word else ()


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("#") and not line.lstrip().startswith("#!")


def _commands_of_mise(text: str) -> str:
    """Return the files and commands that mise takes from its settings by itself, as words of a shell."""
    try:
        settings = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return text
    environment = settings.get("env", {})
    loaded = environment.get("_", {}) if isinstance(environment, dict) else {}
    programs = loaded.get("path", ()) if isinstance(loaded, dict) else ()
    hooks: Any = [environment, settings.get("hooks", {})]
    return f"PATH_add {json.dumps(programs)}\n{json.dumps(hooks, default=str, indent=0)}"


def _text(path: str) -> str:
    try:
        with Path(path).open("rb") as file:
            data = file.read(_MOST_BYTES)
    except OSError:
        return ""
    return "" if b"\0" in data else data.decode("utf-8", "replace")


def _links_above(path: str, root: str) -> Iterator[str]:
    while len(path := os.path.dirname(path)) > len(root):  # noqa: PTH120
        if os.path.islink(path):
            yield path
