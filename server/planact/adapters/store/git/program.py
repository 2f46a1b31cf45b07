"""Start git so that it changes nothing and starts no program that a repository's config names."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

GIT_SECONDS = 60.0
"""After so long an answer of git's is given up."""

_STARTS_NOTHING = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")

_LETS_WORK = "git config --global --add safe.directory "

_NEEDED = ("HOME", "PATH", "SYSTEMROOT", "XDG_CONFIG_HOME")
"""Of the environment: git works only with repositories that the user's own settings trust."""


class GitProgram:
    """Git in one folder; `path` is the program's, or None where there is none."""

    def __init__(self, folder: Path, path: str | None, environment: Mapping[str, str]) -> None:
        self._folder = folder
        self._path = path
        # A blob that is missing may make git fetch it, by whatever program the repository names.
        self._environment = {
            **{name: value for name, value in environment.items() if name in _NEEDED},
            "GIT_ALLOW_PROTOCOL": "none",
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_NO_REPLACE_OBJECTS": "1",
            "GIT_OPTIONAL_LOCKS": "0",
            "GIT_TERMINAL_PROMPT": "0",
        }

    @property
    def folder(self) -> Path:
        """Return the folder that it works in."""
        return self._folder

    @property
    def is_there(self) -> bool:
        """Return whether the program was found."""
        return self._path is not None

    def usual_settings(self) -> Sequence[str]:
        """Return where git looks for the user's and the machine's settings, whether they are there or not."""
        home = self._environment.get("HOME", "")
        own = self._environment.get("XDG_CONFIG_HOME") or f"{home}/.config"
        return ("/etc/gitconfig", f"{home}/.gitconfig", f"{own}/git/config", f"{own}/git/ignore")

    def expanded(self, path: str) -> str:
        """Return a path of git's settings, with the home in place of `~`."""
        return f"{self._environment.get('HOME', '')}{path[1:]}" if path.startswith("~/") else path

    def refusal(self) -> str:
        """Return the command by which the user has git work in the folder, where git refuses to since another user owns
        that; else an empty text.
        """
        try:
            self.run(["rev-parse", "--git-dir"], b"")
        except subprocess.CalledProcessError as error:
            told = (line.strip() for line in error.stderr.decode("utf-8", "replace").splitlines())
            return next((line for line in told if line.startswith(_LETS_WORK)), "")
        except (OSError, subprocess.SubprocessError):
            pass
        return ""

    def run(self, words: Sequence[str], typed: bytes) -> bytes:
        """Return its output. Raises OSError, subprocess.SubprocessError, also where it fails."""
        ran = subprocess.run(
            self._line(words),
            input=typed,
            capture_output=True,
            cwd=self._folder,
            env={**self._environment, "GIT_FLUSH": "0"},
            timeout=GIT_SECONDS,
            check=True,
        )
        return ran.stdout

    def start(self, words: Sequence[str]) -> subprocess.Popen[bytes]:
        """Start it, to be asked through its streams. Raises OSError."""
        return subprocess.Popen(
            self._line(words),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self._folder,
            env={**self._environment, "GIT_FLUSH": "1"},
            bufsize=0,
        )

    def _line(self, words: Sequence[str]) -> list[str]:
        if self._path is None:
            raise FileNotFoundError("there is no git")
        return [self._path, *_STARTS_NOTHING, *words]
