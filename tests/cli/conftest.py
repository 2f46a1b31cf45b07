"""A small workspace and the program in it, also with a person in front of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.drawn_terminal import DrawnTerminal
from tests.cli.program import Program
from tests.cli.terminal import Terminal


@pytest.fixture
def planact(tmp_path: Path) -> Program:
    folder, home = tmp_path / "work", tmp_path / "home"
    folder.mkdir()
    home.mkdir()
    (folder / "greeting.txt").write_text("hello\n")
    return Program(folder, home)


@pytest.fixture
def terminal(planact: Program, request: pytest.FixtureRequest) -> Iterator[Terminal]:
    terminal = Terminal(planact, *request.param)
    yield terminal
    terminal.close()


@pytest.fixture
def drawn(planact: Program) -> Iterator[DrawnTerminal]:
    """A conversation at a terminal that can be drawn on, ready for a message."""
    terminal = DrawnTerminal(planact, "chat")
    try:
        terminal.until("plan ›")
        yield terminal
    finally:
        terminal.close()
