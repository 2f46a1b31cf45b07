"""Leave for edits of several files, given file by file: in a conversation, line by line, and by nobody."""

from tests.cli.drawn_terminal import DrawnTerminal
from tests.cli.program import Program
from tests.cli.terminal import Terminal

REQUEST = "Greet in two files"
HEARD = "I heard: The user rejected the change of farewell.txt, which was not made. They say: "


def began(planact: Program) -> str:
    """The id of a run's question about both files, which waits."""
    planact.variables["PLANACT_APPROVAL"] = "review"
    ran = planact.run("act", planact.plan(REQUEST), "--yes", "--json")
    assert ran.code == 3, ran
    assert ran.json["waiting"]["edits"] == [
        {"path": "greeting.txt", "what": "changed"},
        {"path": "farewell.txt", "what": "created"},
    ]
    return str(ran.json["waiting"]["question_id"])


def holds_one_change(planact: Program) -> None:
    assert planact.greeting == "good day\n"
    assert not (planact.folder / "farewell.txt").exists()


def test_in_a_conversation_each_difference_is_shown_in_colours_and_answered(planact: Program) -> None:
    planact.variables["PLANACT_APPROVAL"] = "review"
    drawn = DrawnTerminal(planact, "chat")
    drawn.until("plan ›")
    drawn.types(f"{REQUEST}\r")
    drawn.until("q later")
    drawn.types("e\r")
    drawn.until("File by file…  each difference by itself")
    drawn.types("5\r")
    drawn.until("1 of 2 · greeting.txt would be changed")
    drawn.until("1 Allow")
    drawn.types("1\r")
    drawn.until("2 of 2 · farewell.txt would be created")
    drawn.types("3\r")
    drawn.until("What should be different?")
    drawn.types("nobody leaves\r")
    drawn.until(f"{HEARD}farewell.txt:"[:60])
    drawn.until("Record: ")
    drawn.until("  greeting.txt +1 −1")
    drawn.close()
    shown = drawn.written.partition(b"2 of 2")[2]
    assert b"\x1b[32m+bye" in shown
    assert drawn.foreign() == set()
    holds_one_change(planact)


def test_line_by_line_it_is_asked_with_numbers(planact: Program) -> None:
    planact.variables["PLANACT_APPROVAL"] = "review"
    terminal = Terminal(planact, "act", planact.plan(REQUEST), "--yes")
    terminal.until("+bye")
    terminal.until("5 File by file…")
    terminal.until("or decline:")
    terminal.types("file by file…\n")
    terminal.until("1 of 2 · greeting.txt would be changed")
    terminal.until("or decline:")
    terminal.types("Allow\n")
    terminal.until("2 of 2 · farewell.txt would be created")
    terminal.until("+bye")
    terminal.until("or decline:")
    terminal.types("3\n")
    terminal.until("›")
    terminal.types("nobody leaves\n")
    terminal.until(f"{HEARD}farewell.txt: nobody leaves")
    assert terminal.ends() == 0
    terminal.close()
    holds_one_change(planact)


def test_a_run_that_waits_is_answered_file_by_file_and_goes_on(planact: Program) -> None:
    question = began(planact)
    refused = planact.run("answer", question, "Allow once", "--reject", "other.txt")
    assert refused.code == 2
    assert "'other.txt' is none of the files that would change: greeting.txt, farewell.txt" in refused.err
    words = ("--reject", "farewell.txt", "--comment", "nobody leaves")
    answered = planact.run("answer", question, "Allow once", *words, "--json")
    assert (answered.json["rejected"], answered.json["comment"]) == (["farewell.txt"], "nobody leaves")
    resumed = planact.run("resume")
    assert resumed.code == 0, resumed
    assert f"{HEARD}nobody leaves" in resumed.err
    holds_one_change(planact)


def test_a_file_of_answers_names_files_that_stay_as_they_are(planact: Program) -> None:
    planact.variables["PLANACT_APPROVAL"] = "review"
    answers = planact.folder / "answers.yaml"
    answers.write_text(
        "- {match: ^approval$, answer: Allow once, reject: [farewell.txt, other.txt], comment: nobody leaves}\n"
    )
    ran = planact.run("act", planact.plan(REQUEST), "--yes", "--answers", str(answers))
    assert ran.code == 0, ran
    assert "→ rejected: farewell.txt (from the answers file)" in ran.err
    assert f"{HEARD}nobody leaves" in ran.err
    holds_one_change(planact)


def test_who_rejects_every_file_rejects_the_call(planact: Program) -> None:
    planact.variables["PLANACT_APPROVAL"] = "review"
    answers = planact.folder / "answers.yaml"
    answers.write_text("- {match: ^approval$, answer: Allow once, reject: [farewell.txt, greeting.txt]}\n")
    ran = planact.run("act", planact.plan(REQUEST), "--yes", "--answers", str(answers))
    assert "The user said no to this call." in ran.err
    assert planact.greeting == "hello\n"
