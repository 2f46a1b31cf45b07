"""The user's own hooks and MCP servers, with the real program: they wait in a folder that the user hasn't trusted."""

import json
import sys
from pathlib import Path

import pytest

from tests.cli.program import Program

NEWS = (
    "your hooks beforePlan, afterPlan and MCP servers odd don't start here until you trust this folder: planact trust"
)
TRUST, NOT_NOW = "1\n", "2\n"


@pytest.fixture
def with_programs(planact: Program, tmp_path: Path) -> Program:
    """A server that leaves a mark and ends, and hooks of which one would fail."""
    server = {"command": sys.executable, "args": ["-c", f"open({str(tmp_path / 'started')!r}, 'w')"], "readOnly": ["x"]}
    planact.variables["PLANACT_MCP_SERVERS"] = json.dumps({"odd": server})
    planact.variables["PLANACT_HOOKS_BEFORE_PLAN"] = '["test -f greeting.txt"]'
    planact.variables["PLANACT_HOOKS_AFTER_PLAN"] = '["echo it was hooked; exit 9"]'
    return planact


def started(planact: Program) -> bool:
    mark = planact.folder.parent / "started"
    was_started = mark.exists()
    mark.unlink(missing_ok=True)
    return was_started


def test_nothing_starts_in_a_new_folder_and_the_rest_is_done(with_programs: Program) -> None:
    for words in (["plan", "Greet again", "--json"], ["chat", "What does it say?", "--json"]):
        ran = with_programs.run(*words)
        assert (ran.code, started(with_programs), ran.err.count(NEWS)) == (0, False, 1), ran
        assert ("FOLDER_UNTRUSTED" in ran.err, "it was hooked" in ran.err) == (True, False)


def test_they_start_once_the_user_trusts_the_folder(with_programs: Program) -> None:
    assert with_programs.run("trust").code == 0
    ran = with_programs.run("plan", "Greet again")
    assert (ran.code, started(with_programs)) == (0, True), ran
    assert ("it was hooked" in ran.err, "FOLDER_UNTRUSTED" in ran.err) == (True, False)


def test_trust_is_in_one_folder(with_programs: Program) -> None:
    assert with_programs.run("trust").code == 0
    other = with_programs.folder.parent / "other"
    other.mkdir()
    elsewhere = Program(other, with_programs.home, with_programs.variables)
    assert "FOLDER_UNTRUSTED" in elsewhere.run("chat", "What does it say?").err
    assert not started(with_programs)


def test_doctor_starts_nothing_there_and_says_so(with_programs: Program) -> None:
    rows = with_programs.run("doctor", "--json").json["findings"]
    assert [(row["state"], "planact trust" in row["text"]) for row in rows if row["name"] == "trust"] == [
        ("note", True)
    ]
    assert ([row for row in rows if row["name"] == "mcp"], started(with_programs)) == ([], False)
    with_programs.run("trust")
    rows = with_programs.run("doctor", "--json").json["findings"]
    assert ([row["name"] for row in rows if row["name"] in ("trust", "mcp")], started(with_programs)) == (["mcp"], True)


def test_a_folder_without_such_programs_is_not_asked_about(planact: Program) -> None:
    ran = planact.run("plan", "Greet again")
    assert (ran.code, "trust" in ran.err) == (0, False)


@pytest.mark.skipif(sys.platform == "win32", reason="terminals of POSIX")
class TestAtTheTerminal:
    def chat(self, planact: Program, typed: str | None) -> str:
        """All that was shown; `typed` answers the question, None expects that there is none."""
        from tests.cli.terminal import Terminal

        terminal = Terminal(planact, "chat", "What does it say?")
        try:
            if typed is not None:
                terminal.until("Start your own hooks")
                terminal.until("or decline: ")
                terminal.types(typed)
            assert terminal.ends() == 0, terminal.shown
            return terminal.shown
        finally:
            terminal.close()

    def test_the_user_is_asked_once(self, with_programs: Program) -> None:
        self.chat(with_programs, TRUST)
        assert started(with_programs)
        assert "Start your own" not in self.chat(with_programs, None)
        assert started(with_programs)

    def test_a_no_counts_until_the_user_trusts_the_folder(self, with_programs: Program) -> None:
        assert "FOLDER_UNTRUSTED" in self.chat(with_programs, NOT_NOW)
        assert "FOLDER_UNTRUSTED" in self.chat(with_programs, None)
        assert not started(with_programs)
        assert with_programs.run("trust").code == 0
        self.chat(with_programs, None)
        assert started(with_programs)

    def test_silence_is_no_answer(self, with_programs: Program) -> None:
        for typed in ("\x04", "decline\n"):
            assert "FOLDER_UNTRUSTED" in self.chat(with_programs, typed)
        assert not started(with_programs)
