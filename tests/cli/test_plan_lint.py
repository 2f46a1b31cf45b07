"""Plans checked in a build: one line for each problem, an exit code, and nothing left behind."""

from pathlib import Path

from tests.cli.program import Program

GOOD = """# Greet

## Steps
- [ ] 1. Read `greeting.txt`
  - reason: it is there
  - files: greeting.txt
"""
BAD = (
    "# Greet 👋\n\n## Steps\n- [ ] 1. Say it\n  - reason: r\n  - tools: 👋, reed_file\n- [ ] 1. Again\n  - reason: r\n"
)
ODD = GOOD + "  - check: `echo (`\n"


def write(planact: Program, **texts: str) -> None:
    for name, text in texts.items():
        path = planact.folder / f"{name}.plan"
        path.write_text(text, "utf-8", newline="")


def files(folder: Path) -> set[Path]:
    return set(folder.rglob("*"))


def test_each_problem_has_its_place_and_errors_end_with_5(planact: Program) -> None:
    write(planact, bad=BAD)
    ran = planact.run("plan", "lint", "bad.plan", model="")
    assert ran.code == 5
    assert ran.out.splitlines() == [
        "bad.plan:6:12: warning: no tool named '👋' [PLAN008]",
        "bad.plan:6:15: warning: no tool named 'reed_file' [PLAN008]",
        "bad.plan:7:7: error: there is a step 1 above already [PLAN003]",
    ]
    assert ran.err == "1 plan, 1 error, 2 warnings, 0 hints\n"


def test_without_errors_it_ends_with_0_whatever_else_there_is(planact: Program) -> None:
    write(planact, good=GOOD, odd=ODD)
    ran = planact.run("plan", "lint", ".", "--json")
    assert ran.code == 0
    [problem] = ran.json["problems"]
    assert ran.json | {"problems": []} == {"plans": 2, "errors": 0, "warnings": 1, "hints": 0, "problems": []}
    assert (problem["path"], problem["line"], problem["severity"], problem["code"]) == (
        "odd.plan",
        7,
        "warning",
        "PLAN017",
    )
    assert problem["hint"]


def test_folders_stand_for_the_plans_below_them_and_each_plan_is_checked_once(planact: Program) -> None:
    (planact.folder / "docs" / "deep").mkdir(parents=True)
    write(planact, **{"docs/deep/one": BAD, "docs/two": GOOD, "three": BAD})
    words = ["docs", "docs/two.plan", str(planact.folder / "docs" / "deep" / "one.plan")]
    ran = planact.run("plan", "lint", *words, "--json")
    assert (ran.code, ran.json["plans"]) == (5, 2)
    assert {problem["path"] for problem in ran.json["problems"]} == {"docs/deep/one.plan"}


def test_what_makes_no_sense_is_told_and_ends_with_2(planact: Program) -> None:
    (planact.folder / "empty").mkdir()
    for words in ([], ["missing.plan"], ["empty"], ["greeting.txt"], ["../home"]):
        ran = planact.run("plan", "lint", *words)
        assert (ran.code, ran.out, "[INVALID_ARGUMENTS]" in ran.err) == (2, "", True), words


def test_a_plan_that_is_no_text_is_an_error_of_that_plan(planact: Program) -> None:
    write(planact, good=GOOD)
    (planact.folder / "picture.plan").write_bytes(b"\x89PNG\0\0\xff\xfe")
    ran = planact.run("plan", "lint", ".")
    assert (ran.code, ran.out) == (5, "picture.plan:1:1: error: this is not a text file [FILE_BINARY]\n")


def test_nothing_is_left_behind(planact: Program) -> None:
    write(planact, good=GOOD, bad=BAD)
    before = files(planact.folder) | files(planact.home)
    planact.run("plan", "lint", ".")
    assert files(planact.folder) | files(planact.home) == before


def test_a_word_that_a_plan_quotes_can_not_steer_the_terminal(planact: Program) -> None:
    write(planact, bad=BAD.replace("reed_file", "\x1b[2J\x07"))
    assert "\x1b" not in planact.run("plan", "lint", "bad.plan").out
