"""A conversation at a terminal that can be drawn on, from the user's chair: keys in, a screen out."""

import json
import re
import shutil
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.drawn_terminal import DrawnTerminal
from tests.cli.program import MODEL, Program

UP, DOWN, ESCAPE, CTRL_C, CTRL_D = "\x1b[A", "\x1b[B", "\x1b", "\x03", "\x04"


def leave(terminal: DrawnTerminal) -> int:
    terminal.until_so(lambda: bool(re.search(r"(plan|act) ›\s*\Z", terminal.sees)), "an empty prompt")
    terminal.types(CTRL_D)
    return terminal.ends()


def test_the_first_line_says_mode_model_folder_and_sandbox(drawn: DrawnTerminal, planact: Program) -> None:
    drawn.until("sandbox: ")
    first = " ".join(line for line in drawn.sees.splitlines() if line).replace("\n", "")
    assert first.startswith("planact · plan · scripted:")
    assert "planact · chat" not in first
    assert leave(drawn) == 0


def test_in_a_narrow_terminal_of_a_folder_with_wide_letters_the_first_line_is_still_one(planact: Program) -> None:
    folder = planact.folder / "项目项目项目项目项目项目"
    folder.mkdir()
    planact.folder = folder
    drawn = DrawnTerminal(planact, "chat", columns=20)
    drawn.until("plan ›")
    assert "· chat ·" not in drawn.sees
    drawn.types("你好")
    drawn.until("plan › 你好")
    drawn.types(CTRL_C)
    drawn.until_gone("你")
    assert leave(drawn) == 0
    drawn.close()


def test_several_pasted_lines_are_one_message(drawn: DrawnTerminal) -> None:
    drawn.types("\x1b[200~What does\nit say\nabout it?\x1b[201~")
    drawn.until("       about it?")
    assert "It says hello." not in drawn.sees
    drawn.types(CTRL_C)
    drawn.until_gone("about it?")
    assert leave(drawn) == 0


def test_markdown_is_drawn_and_nothing_of_it_steers_the_terminal(drawn: DrawnTerminal) -> None:
    drawn.types("Write Markdown\r")
    drawn.until("The end ")
    shown = drawn.sees
    assert "# Heading" not in shown
    assert "**" not in shown
    assert "Some bold words and a link (http://127.0.0.1/x)" in shown
    assert "\\x1b[31m." in shown
    assert "\\x202e" in shown
    assert leave(drawn) == 0
    assert b"\x1b[31m-old" in drawn.written
    assert b"\x1b[32m+new" in drawn.written
    assert drawn.foreign() == set()


def test_what_streams_is_never_on_the_screen_twice(drawn: DrawnTerminal) -> None:
    counts: list[int] = []

    def is_over() -> bool:
        counts.append(max(drawn.sees.count(f"The {which} part") for which in ("first", "second", "third")))
        return "The third part of it." in drawn.sees and "Ctrl-C stops" not in drawn.sees

    drawn.types("Stream slowly\r")
    drawn.until_so(is_over, "the third part")
    assert leave(drawn) == 0
    assert max(counts) == 1


def test_what_is_typed_while_work_runs_is_read_by_it(drawn: DrawnTerminal) -> None:
    drawn.types("Look around slowly\r")
    drawn.until("I look first")
    drawn.types("By the way, I am here.\r")
    drawn.until("Queued: ")
    drawn.until("I read what you wrote meanwhile.")
    assert leave(drawn) == 0
    assert "I looked." not in drawn.sees
    assert "I look first and take my time with it, word by word" in drawn.sees


def test_ctrl_c_stops_the_turn_and_twice_at_an_empty_prompt_leaves(drawn: DrawnTerminal) -> None:
    drawn.types("Look around slowly\r")
    drawn.until("I look first")
    drawn.types(CTRL_C)
    drawn.until("Stopped.")
    drawn.types("thrown away")
    drawn.until("› thrown away")
    drawn.types(CTRL_C)
    drawn.until_gone("› thrown away")
    drawn.types("What does it say?\r")
    drawn.until("It says hello.")
    drawn.until_gone("Ctrl-C stops")
    drawn.types(CTRL_C)
    drawn.until("once more leaves")
    drawn.types(CTRL_C)
    assert drawn.ends() == 0
    assert "I looked." not in drawn.sees


def test_ctrl_c_stops_a_command_and_its_run_can_go_on(drawn: DrawnTerminal, planact: Program) -> None:
    drawn.types("Take your time\r")
    drawn.until("q later")
    drawn.types("e\r")
    drawn.until("Allow once")
    drawn.types("1\r")
    drawn.until_so((planact.folder / "started").exists, "the command")
    drawn.types(CTRL_C)
    drawn.until("Go on with: /resume")
    drawn.until("act ›")
    assert leave(drawn) == 0
    assert [run["status"] for run in planact.run("executions", "--json").json["executions"]] == ["paused"]


def test_questions_are_menus_and_forms_with_what_is_wrong_said_at_the_field(drawn: DrawnTerminal) -> None:
    drawn.types("Ask all kinds\r")
    drawn.until("Major · What is to become of \\x1b[31mthe old name?")
    drawn.until("2 Remove it  default")
    drawn.types(UP + "\r")
    drawn.until("→ Keep it")
    drawn.until("1 [x] Source  default")
    drawn.types(DOWN + " ")
    drawn.until("2 [x] Tests")
    drawn.types("\r")
    drawn.until("→ Source, Tests")
    drawn.until("Critical · How is it deployed?")
    drawn.types("H1\r")
    drawn.until("does not match")
    drawn.types("\x7f\x7fexample.org\r")
    drawn.until("→ host: example.org")
    drawn.until("Enter answers (alone: 22)")
    drawn.types("70000\r")
    drawn.until("70000 is greater than the maximum of 65535")
    drawn.types("\x7f\x7f\x7f\r")
    drawn.until("→ port: 70")
    drawn.until("1 Yes  default")
    drawn.types("\r")
    drawn.until("1 low")
    drawn.types("3\r")
    drawn.until("→ level: Leave it out")
    drawn.types("a, b\r")
    drawn.until("→ tags: a, b")
    drawn.types("Ada\r")
    drawn.until("1 Send the answers")
    drawn.types("2\r")
    drawn.until_so(lambda: drawn.sees.count("What is to become of") == 2, "the question again")
    drawn.until("3 Other…")
    drawn.types("3\r")
    drawn.until("Your answer")
    drawn.types("rename it\r")
    drawn.until("→ rename it")
    drawn.until("1 Send the answers")
    drawn.types("\r")
    drawn.until_so(lambda: bool(re.search(r"You said \{[\s\S]*\}\.\s", drawn.sees)), "all that was said")
    told = re.match(r"\{[\s\S]*\}(?=\.\s)", drawn.sees.rpartition("You said ")[2])  # below it may still be what goes on
    assert told is not None
    assert json.loads(told[0].replace("\n", "")) == {
        "old": "rename it",
        "where": ["src", "tests"],
        "deploy": {"host": "example.org", "port": 70, "tls": True, "tags": ["a", "b"], "owner": {"name": "Ada"}},
    }
    assert leave(drawn) == 0
    assert drawn.foreign() == set()


def test_in_a_narrow_terminal_the_keys_below_a_question_are_all_there(planact: Program) -> None:
    drawn = DrawnTerminal(planact, "chat", columns=40)
    drawn.until("plan ›")
    drawn.types("Ask all kinds\r")
    drawn.until_so(lambda: "Escwritesamessageinstead" in re.sub(r"\s+", "", drawn.sees), "the last of the keys")
    drawn.types(CTRL_D)
    assert drawn.ends() == 0
    drawn.close()


def test_a_question_is_left_for_a_message_which_cancels_it(drawn: DrawnTerminal, planact: Program) -> None:
    drawn.types("Ask all kinds\r")
    drawn.until("4 Decline")
    drawn.types(ESCAPE)
    drawn.until("Esc goes back to the question")
    drawn.types("By the way, something else.\r")
    drawn.until("I read what you wrote meanwhile.")
    assert leave(drawn) == 0
    assert planact.run("questions", "--json").json["questions"] == []


def test_a_question_does_not_take_what_is_being_written(drawn: DrawnTerminal) -> None:
    drawn.types("Ask all kinds\r")
    drawn.types("half a mess")
    drawn.until("4 Decline")
    drawn.types("age")
    drawn.until("› half a message")
    drawn.until("Esc goes back to the question")
    drawn.types(ESCAPE)
    drawn.until("Esc writes a message instead")
    drawn.types("4\r")
    drawn.until("→ Decline")
    drawn.types(CTRL_C)
    assert drawn.process.poll() is None


@pytest.mark.parametrize(("keys", "left"), [(CTRL_D, 1), (CTRL_C, 0)])
def test_leaving_a_question_keeps_it_and_stopping_the_turn_ends_it(
    drawn: DrawnTerminal, planact: Program, keys: str, left: int
) -> None:
    drawn.types("Ask me first\r")
    drawn.until("Your answer")
    drawn.types(keys)
    if keys == CTRL_C:
        drawn.until("Stopped.")
        assert leave(drawn) == 0
    else:
        assert drawn.ends() == 0
    assert len(planact.run("questions", "--json").json["questions"]) == left


def test_words_and_files_are_completed(drawn: DrawnTerminal, planact: Program) -> None:
    (planact.folder / "a name.txt").write_text("x")
    (planact.folder / "evil\x1b[31m.txt").write_text("x")
    drawn.types("/mod")
    drawn.types("\t")
    drawn.until("› /mode\n")
    drawn.types("\r")
    drawn.types("ac")
    drawn.until("\n act")
    drawn.types("\t")
    drawn.until("› /mode act")
    drawn.types("\r\r")
    drawn.until("Act: The agent carries out")
    drawn.until("act ›")
    drawn.types("/mode plan\r")
    drawn.until("Plan: The agent reads")
    drawn.types("What does it say, @gr")
    drawn.until(" @greeting.txt")
    drawn.types("\t")
    drawn.until("What does it say, @greeting.txt")
    drawn.types("\r\r")
    drawn.until("It says hello.")
    drawn.types("see @")
    drawn.until('@"a name.txt"')
    assert "evil" not in drawn.sees
    drawn.types(CTRL_C)
    assert leave(drawn) == 0
    (chat,) = (planact.folder / ".planact" / "sessions").glob("*.chat")
    assert "which the user mentions" in chat.read_text()


def test_what_was_typed_is_found_again_and_without_secrets(planact: Program) -> None:
    first = DrawnTerminal(planact, "chat")
    first.until("plan ›")
    first.types("What does it say about password=hunter2hunter2?\r")
    first.until("It says hello.")
    assert leave(first) == 0
    first.close()
    again = DrawnTerminal(planact, "chat")
    again.until("plan ›")
    again.types(UP)
    again.until("plan › What does it say about password=[redacted]")
    again.close()
    (kept,) = planact.home.rglob("typed.jsonl")
    assert (stat.S_IMODE(kept.stat().st_mode), "hunter2" in kept.read_text()) == (0o600, False)


def test_a_plan_is_opened_edited_approved_and_executed_by_letters(planact: Program) -> None:
    (planact.folder / "edit.sh").write_text('sed -i "s/Say goodbye/Say a long goodbye/" "$1"\n')
    planact.variables["EDITOR"] = "sh edit.sh"
    drawn = DrawnTerminal(planact, "chat")
    drawn.until("plan ›")
    drawn.types("Greet again\r")
    drawn.until("read 1 file")
    drawn.until("q later")
    drawn.types("o\r")
    drawn.until("Say a long goodbye")
    drawn.types("d\r")
    drawn.until("+# Say a long goodbye")
    drawn.types("a\r")
    drawn.until("Approved .planact/plans/")
    drawn.types("e\r")
    drawn.until("Record: ")
    drawn.until("act › Step 2: done")
    assert leave(drawn) == 0
    drawn.close()
    assert planact.greeting == "goodbye\n"


@pytest.mark.parametrize("columns", [50, 140])
def test_the_screen_can_change_its_size(drawn: DrawnTerminal, columns: int) -> None:
    drawn.types("Look around slowly\r")
    drawn.until("I look first")
    drawn.resizes(columns, 20)
    drawn.until("I looked.")
    drawn.types("x" * (columns + 5))
    drawn.until("x\n" if columns < 90 else "xxxx")
    drawn.types(CTRL_C)
    drawn.until_gone("xxxx")
    assert leave(drawn) == 0
    assert sum("plan ›" in line for line in drawn.screen) <= 2


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_request_to_end_stops_the_work_in_good_order(drawn: DrawnTerminal, planact: Program, number: int) -> None:
    drawn.types("Take your time\r")
    drawn.until("q later")
    drawn.types("e\r")
    drawn.until("Allow once")
    drawn.types("1\r")
    drawn.until_so((planact.folder / "started").exists, "the command")
    drawn.process.send_signal(number)
    assert drawn.ends() == 130
    assert [run["status"] for run in planact.run("executions", "--json").json["executions"]] == ["paused"]


@pytest.mark.parametrize("variables", [{"TERM": "dumb"}, {"NO_COLOR": "1"}])
def test_a_plain_terminal_gets_lines(planact: Program, variables: dict[str, str]) -> None:
    planact.variables |= variables
    drawn = DrawnTerminal(planact, "chat")
    drawn.until("plan ›")
    drawn.types("Ask me first\n")
    drawn.until("or decline:")
    drawn.types("red\n")
    drawn.until("You like red.")
    drawn.types(CTRL_D)
    assert drawn.ends() == 0
    drawn.close()
    assert b"\x1b" not in drawn.written


def test_it_works_in_tmux(planact: Program, tmp_path: Path) -> None:
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed")
    socket = ["tmux", "-S", str(tmp_path / "tmux"), "-f", "/dev/null"]

    def tmux(*words: str) -> str:
        ran = subprocess.run(
            [*socket, *words], env=environment, capture_output=True, text=True, timeout=180, check=True
        )
        return ran.stdout

    def until(text: str) -> None:
        end = time.monotonic() + 180
        while text not in (shown := tmux("capture-pane", "-p", "-S", "-200")):
            assert time.monotonic() < end, shown
            time.sleep(0.1)

    environment = planact.environment(MODEL) | {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
    tmux(
        "new-session", "-d", "-x", "80", "-y", "24", "-c", str(planact.folder), sys.executable, "-m", "planact", "chat"
    )
    try:
        until("plan ›")
        tmux("send-keys", "Greet again", "Enter")
        until("q later")
        tmux("resize-window", "-x", "60", "-y", "20")
        tmux("send-keys", "Ask me first", "Enter")
        until("Your answer")
        tmux("send-keys", "red", "Enter")
        until("You like red.")
        tmux("send-keys", "C-c")
        until("once more leaves")
    finally:
        tmux("kill-server")
