"""Editors at a real terminal, with a person who types on when a question comes: what is typed stays theirs, and the
question opens when they pause.
"""

import json
import os
import select
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

import pytest

from tests.cli.program import Program
from tests.cli.terminal import Terminal, start_at
from tests.editors.test_neovim import NEOVIM

HERE = Path(__file__).parent
WORDS = json.loads((HERE / "desk.json").read_text("utf-8"))
LIMIT = 180
PEOPLES_DELAY = 0.1
PLAN = "request.plan"
NOTES = "notes.txt"


class Editor(Program):
    """An editor instead of planact's own program."""

    def start_at(self, terminal: int, *words: str) -> "subprocess.Popen[str]":
        return start_at(terminal, words, self.folder, self.variables)


@dataclass(frozen=True)
class Keys:
    """What is pressed for what, and what is shown of it."""

    start: tuple[str, ...]
    ready: str
    plan: str
    execute: str
    notes: str
    pause: str
    waits: str
    first: str
    second: str
    leave: str


NEOVIM_KEYS = Keys(
    start=(str(NEOVIM), "-n", "-i", "NONE", "-u", str(HERE / "at_terminal.lua"), PLAN),
    ready="Generate plan",
    plan=":Planact generate\r",
    execute=":Planact execute\r",
    notes=f":edit {NOTES}\ri",
    pause="\x1b",
    waits="a question waits for you",
    first="1\r",
    second="1\r",
    leave=":xall\r",
)
EMACS_KEYS = Keys(
    start=("emacs", "-nw", "--no-init-file", "--load", str(HERE / "at_terminal.el"), PLAN),
    ready="managing",
    plan="\x1bxplanact-generate\r",
    execute="\x03\x05",
    notes=f"\x18\x06{NOTES}\r",
    pause="",
    waits="answer",
    first="Rem\t\r",
    second="Ch\t\r",
    leave="\x18\x13\x18\x03!",
)


@pytest.fixture(params=[NEOVIM_KEYS, EMACS_KEYS], ids=["neovim", "emacs"])
def keys(request: pytest.FixtureRequest) -> Keys:
    found: Keys = request.param
    return found


@pytest.fixture
def terminal(keys: Keys, workspace: Path, environment: dict[str, str]) -> Iterator[Terminal]:
    (workspace / PLAN).write_text(WORDS["request"], "utf-8")
    variables = {**environment, "TERM": "xterm", "PLANACT_MODEL": f"scripted:{HERE / 'desk.yaml'}"}
    started = Terminal(Editor(workspace, workspace.with_name("home"), variables), *keys.start)
    yield started
    started.close()


def read_on(terminal: Terminal) -> None:
    """Read what is shown within the time that a person takes for a key."""
    end = time.monotonic() + PEOPLES_DELAY
    while (left := end - time.monotonic()) > 0:
        if select.select([terminal.descriptor], [], [], left)[0]:
            terminal.seen += os.read(terminal.descriptor, 10_000).decode("utf-8", "replace")


def type_until(terminal: Terminal, shown: str, letters: Iterator[str]) -> str:
    """Type letter after letter until something is shown; what was typed."""
    typed = ""
    while shown not in terminal.seen:
        assert len(typed) * PEOPLES_DELAY < LIMIT, terminal.seen
        typed += next(letters)
        terminal.types(typed[-1])
        read_on(terminal)
    return typed


def test_who_types_when_a_question_comes_types_on(keys: Keys, terminal: Terminal, workspace: Path) -> None:
    terminal.until(keys.ready, LIMIT)
    terminal.types(keys.plan)
    terminal.until("is ready", LIMIT)
    terminal.types(keys.execute + keys.notes)
    terminal.seen = ""
    letters = cycle("I write on meanwhile. ")
    typed = type_until(terminal, keys.waits, letters)
    typed += "".join(next(letters) for _ in range(20))
    terminal.types(typed[-20:])
    terminal.types(keys.pause)
    terminal.until(WORDS["questions"]["alias"], LIMIT)
    terminal.until(WORDS["questions"]["remove"], LIMIT)  # the choices are there before a key is pressed
    terminal.types(keys.first)
    terminal.until(WORDS["questions"]["caller"], LIMIT)
    terminal.types(keys.second)
    terminal.until(WORDS["ended"], LIMIT)
    terminal.types(keys.leave)
    assert terminal.ends() == 0
    assert WORDS["steps"]["last"] in (workspace / PLAN).read_text("utf-8")
    assert WORDS["edits"]["app.py"] in (workspace / "app.py").read_text("utf-8")
    assert (workspace / NOTES).read_text("utf-8").rstrip("\n") == typed.rstrip("\n")
