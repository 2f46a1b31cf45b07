"""What the pages show of a terminal is typed here, page by page, into the real program in the demo's project, with the
demo's model; the output is compared. `…` stands for anything in a line, alone for any lines; ids are known again.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

import pytest

from planact.cli import commands
from tests.docs.pages import Block, blocks, name_of
from tests.lsp.forked_server import ForkedProgram

pytestmark = pytest.mark.slow

_DEMO = Path(commands.__file__).parents[1] / "demo"
_ID = re.compile(r"plan_\d{8}_[0-9a-z]{4}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_PLAIN = re.compile(r"planact [^|&;<>()$`\\*?~#{}\n]+")
"""A command without anything for the shell to do but to split words."""
_GIT = ("-c", "user.name=a", "-c", "user.email=a@example.invalid")


class Console:
    """A terminal in a project of its own. Ids of the page stand for those that were made here."""

    def __init__(self, folder: Path) -> None:
        self._project, programs = folder / "project", folder / "programs"
        shutil.copytree(_DEMO / "project", self._project, ignore=shutil.ignore_patterns("__pycache__"))
        for words in (["init", "-q"], ["add", "-A"], [*_GIT, "commit", "-qm", "A small lending library"]):
            subprocess.run(["git", *words], cwd=self._project, check=True, timeout=180)
        programs.mkdir()
        (programs / "planact").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m planact "$@"\n')
        (programs / "planact").chmod(0o755)
        self._environment = {
            "HOME": str(folder),
            "PATH": f"{programs}:{os.environ['PATH']}",
            "PLANACT_MODEL": f"scripted:{_DEMO / 'model.yaml'}",
        }
        self._ids: dict[str, str] = {}

    def type(self, command: str, expected: str) -> None:
        """Run it, and compare what it prints."""
        for said, made in self._ids.items():
            command = command.replace(said, made)
        printed = self._fork(shlex.split(command)[1:]) if _PLAIN.fullmatch(command) else self._run(command)
        pattern, said = self._pattern(expected)
        match = re.fullmatch(pattern, printed)
        assert match, f"$ {command}\nprinted:\n{printed}\nand not:\n{expected}"
        for number, each in enumerate(said):
            self._ids |= {each: match[f"id{number}"]}
            if each.startswith("plan_"):
                self._ids |= {each[-4:]: match[f"id{number}"][-4:]}

    def _run(self, command: str) -> str:
        ran = subprocess.run(
            ["bash", "-c", command],
            cwd=self._project,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=100,
            check=False,
        )
        return ran.stdout

    def _fork(self, words: Sequence[str]) -> str:
        """Run planact alone, in a fork."""
        with Path(os.devnull).open("rb") as nothing, tempfile.TemporaryFile() as printed:
            streams = (nothing.fileno(), printed.fileno(), printed.fileno())
            process = ForkedProgram(words, self._project, self._environment, streams, with_litellm=False)
            try:
                process.wait(100)
            finally:
                process.kill()
            printed.seek(0)
            return printed.read().decode()

    def _pattern(self, expected: str) -> tuple[str, list[str]]:
        """The expression that the output has to match, and the ids of the page that it finds."""
        said: list[str] = []

        def known(match: "re.Match[str]") -> str:
            each = match[0].replace("\\", "")
            if each in self._ids:
                return re.escape(self._ids[each])
            if each in said:
                return f"(?P=id{said.index(each)})"
            said.append(each)
            return f"(?P<id{len(said) - 1}>{_ID.pattern})"

        lines = []
        for line in expected.splitlines():
            if line == "…":
                lines.append(r"(?:.*\n)*?")
            else:
                escaped = re.sub(
                    r"plan_\d{8}_[0-9a-z]{4}|[0-9a-f]{8}(?:\\-[0-9a-f]{4}){3}\\-[0-9a-f]{12}", known, re.escape(line)
                )
                lines.append(escaped.replace("…", ".*") + r"\n")
        return "".join(lines), said


def typed(block: Block) -> Iterator[tuple[str, str]]:
    """The commands of a block with what they print; a line that begins with `>` goes on with the command."""
    command, output = "", ""
    for line in block.text.splitlines(keepends=True):
        if line.startswith("$ "):
            if command:
                yield command, output
            command, output = line[2:], ""
        elif line.startswith(">") and not output:
            command += line[1:].removeprefix(" ")
        else:
            output += line
    yield command, output


PAGES = [
    pytest.param([*found], id=name_of(page)) for page, found in groupby(blocks("console"), lambda block: block.page)
]


@pytest.mark.timeout(600)
@pytest.mark.parametrize("page", PAGES)
def test_what_is_typed_prints_what_the_page_says(page: list[Block], tmp_path: Path) -> None:
    console = Console(tmp_path)
    for block in page:
        for command, expected in typed(block):
            console.type(command, expected)
