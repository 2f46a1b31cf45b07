"""A conversation at a plain terminal: the same words as elsewhere, line by line."""

import re
import stat
import subprocess
import sys
from dataclasses import dataclass
from subprocess import Popen

import pytest

from tests.cli.program import Program
from tests.cli.terminal import Terminal, start_at

at_a_terminal = pytest.mark.parametrize("terminal", [("chat",)], indirect=True)


def test_only_what_draws_imports_what_draws(planact: Program) -> None:
    code = (
        "import os, sys; from planact.cli.main import main\n"
        "code = main(['chat', 'What does it say?'], os.environ)\n"
        "print(code, sorted({'prompt_toolkit', 'rich'} & sys.modules.keys()), file=sys.stderr)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        cwd=planact.folder,
        env=planact.environment(),
        capture_output=True,
        text=True,
        timeout=180,
        check=True,
    )
    assert (ran.stdout, ran.stderr.splitlines()[-1]) == ("It says hello.\n", "0 []")


@at_a_terminal
def test_what_is_typed_while_work_runs_is_read_by_it(terminal: Terminal) -> None:
    terminal.until("plan › ")
    terminal.types("Look around slowly\n")
    terminal.until("I look first")
    terminal.types("By the way, I am here.\n")
    terminal.until("I read what you wrote meanwhile.")
    terminal.until("plan › ")
    terminal.types("\x04")
    assert (terminal.ends(), "I looked." in terminal.shown) == (0, False), terminal.shown


@at_a_terminal
def test_a_word_works_while_work_runs(terminal: Terminal) -> None:
    terminal.until("plan › ")
    terminal.types("Look around slowly\n")
    terminal.until("I look first")
    terminal.types("/stop\n")
    terminal.until("Stopped.")
    terminal.until("plan › ")
    terminal.types("\x04")
    assert (terminal.ends(), "I looked." in terminal.shown) == (0, False)


@at_a_terminal
def test_ctrl_c_stops_the_turn_and_twice_at_the_prompt_leaves(terminal: Terminal) -> None:
    terminal.until("plan › ")
    terminal.types("Look around slowly\n")
    terminal.until("I look first")
    terminal.types("\x03")
    terminal.until("Stopping at the next safe point.")
    terminal.until("plan › ")
    terminal.types("What does it say?\n")
    terminal.until("It says hello.")
    terminal.until("plan › ")
    terminal.types("\x03")
    terminal.until("once more leaves")
    terminal.until("plan › ")
    terminal.types("\x03")
    assert terminal.ends() == 0


@dataclass
class _SignalsElsewhere:
    """The program with a main thread that no Ctrl-C interrupts, as in the moment before it begins to wait: the system
    gives each to another thread.
    """

    program: Program

    def start_at(self, terminal: int, *words: str) -> Popen[str]:
        code = (
            "import os, signal, sys, threading\n"
            "threading.Thread(target=threading.Event().wait, daemon=True).start()\n"
            "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])\n"
            "from planact.cli.main import run_program\n"
            "run_program(sys.argv[1:], os.environ)"
        )
        command = [sys.executable, "-c", code, *words]
        return start_at(terminal, command, self.program.folder, self.program.environment())


def test_ctrl_c_is_noticed_at_once_whichever_thread_gets_it(planact: Program) -> None:
    terminal = Terminal(_SignalsElsewhere(planact), "chat")
    try:
        terminal.until("plan › ")
        terminal.types("\x03")
        terminal.until("once more leaves", 10)
        terminal.until("plan › ")
        terminal.types("\x03")
        assert terminal.ends() == 0
    finally:
        terminal.close()


@at_a_terminal
def test_a_plan_is_decided_about_by_a_letter(terminal: Terminal, planact: Program) -> None:
    keys = "  e execute · a approve · r revise · o open · d diff · q later"
    terminal.until("plan › ")
    terminal.types("Greet again\n")
    for typed, shown in (
        ("d", "Nothing has changed in it yet."),
        ("a", "Approved .planact/plans/"),
        ("r", "What should change"),
    ):
        terminal.until(keys)
        terminal.until("plan › ")
        terminal.types(f"{typed}\n")
        terminal.until(shown)
    terminal.until("decline: ")
    terminal.types("It may be late\n")
    terminal.until("Say goodbye late")
    terminal.until(keys)
    (document,) = (planact.folder / ".planact" / "plans").glob("*.plan")
    document.write_text(document.read_text().replace("Replace the greeting", "Replace that greeting"))
    terminal.until("plan › ")
    terminal.types("e\n")
    terminal.until("Replace that greeting")
    terminal.until("It has changed since you saw it")
    document.write_text(document.read_text().replace("Replace that greeting", "Replace the greeting"))
    terminal.until("plan › ")
    terminal.types("e\n")
    terminal.until("It has changed since you saw it")
    terminal.until("plan › ")
    terminal.types("e\n")
    terminal.until("Record: ")
    terminal.until("act › ")
    terminal.types("\x04")
    assert (terminal.ends(), planact.greeting) == (0, "goodbye\n")


@at_a_terminal
def test_a_letter_is_no_leave_after_something_else_was_said(terminal: Terminal, planact: Program) -> None:
    terminal.until("plan › ")
    terminal.types("Greet again\n")
    terminal.until("q later")
    terminal.until("plan › ")
    terminal.types("What does it say?\n")
    terminal.until("It says hello.")
    terminal.until("plan › ")
    terminal.types("e\n")
    terminal.until("no scene fits the message in mode plan: 'e'")
    terminal.until("plan › ")
    terminal.types("\x04")
    assert (terminal.ends(), planact.greeting) == (0, "hello\n")


@at_a_terminal
def test_nothing_steers_a_plain_terminal_and_what_was_typed_is_kept_for_the_user(
    terminal: Terminal, planact: Program
) -> None:
    terminal.until("plan › ")
    terminal.types("Say nothing evil about password=hunter2hunter2\n")
    terminal.until("red \\x1b[31m and a bell \\x07")
    terminal.until("plan › ")
    terminal.types("\x04")
    assert (terminal.ends(), re.findall(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", terminal.shown)) == (0, [])
    (typed,) = planact.home.rglob("typed.jsonl")
    assert (stat.S_IMODE(typed.stat().st_mode), "hunter2" in typed.read_text()) == (0o600, False)
