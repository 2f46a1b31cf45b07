"""`planact plan`, and what it leaves in the folder."""

import re
import sys
from pathlib import Path

import pytest

from tests.cli.program import Program, without_rights


def test_a_request_becomes_a_plan_document(planact: Program) -> None:
    ran = planact.run("plan", "Greet again")
    lines = ran.out.splitlines()
    assert (ran.code, [line.split()[1:3] for line in lines[1:3]]) == (0, [["Replace", "the"], ["Look", "at"]])
    assert (planact.folder / lines[-1]).read_text().count("- [ ] ") == 2
    assert f"planact act {lines[0].split()[0]}" in ran.err
    assert planact.greeting == "hello\n"


def test_a_request_may_be_piped_in(planact: Program) -> None:
    assert planact.run("plan", typed="Greet again\n").code == 0


def test_with_json_standard_output_is_one_object(planact: Program) -> None:
    made = planact.run("plan", "--json", "Greet again").json
    assert (made["plan"]["goal"], len(made["plan"]["steps"])) == ("Say goodbye", 2)
    assert (planact.folder / made["path"]).is_file()


def test_an_answer_is_not_a_plan(planact: Program) -> None:
    ran = planact.run("plan", "What does it say?")
    assert (ran.code, ran.out) == (1, "It says hello.\n")
    assert "The request led to no plan" in ran.err


@pytest.mark.skipif(sys.platform != "linux", reason="gives up root's rights by Linux's own call")
def test_a_plan_that_cannot_be_written_is_told_by_its_cause(planact: Program) -> None:
    planact.folder.chmod(0o555)
    process = planact.start("plan", "Greet safely", preexec_fn=without_rights)
    out, err = process.communicate(timeout=planact.seconds)
    assert (process.returncode, "led to no plan" in err, out) == (1, False, ""), err
    assert re.search(r"the plan can't be written: .*permission denied\. .*permissions.*\[STORAGE_UNWRITABLE\]", err), (
        err
    )


SLOW = """
import sys, time
sys.addaudithook(lambda event, given: time.sleep(0.5) if event == "open" and str(given[0]).endswith(".chat") else None)
"""


def test_all_that_was_said_can_be_read_also_where_the_disk_is_slow(planact: Program, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(SLOW)
    planact.variables["PYTHONPATH"] = str(tmp_path)
    assert planact.run("plan", "What does it say?").out == "It says hello.\n"
    [mirror] = (planact.folder / ".planact" / "sessions").glob("*.chat")
    assert mirror.read_text().endswith("\nIt says hello.\n")


def test_a_refusal_is_shown_and_the_third_ends_the_turn(planact: Program) -> None:
    ran = planact.run("plan", "Insist on it")
    assert (ran.code, ran.err.count("⊘ create_file forced.txt: ")) == (4, 3)
    assert "[TOOL_BLOCKED_BY_MODE]" in ran.err
    assert not (planact.folder / "forced.txt").exists()


def test_a_plan_that_is_no_text_is_listed_with_its_fault(planact: Program) -> None:
    (planact.folder / "late.plan").write_bytes(b"# Caf\xe9 \x00\n\n## Steps\n- [ ] 1. Do it\n")
    told = "late.plan is not a text file"
    listed = planact.run("plan", "list")
    assert (listed.code, listed.out, listed.err) == (0, "", f"! {told} [FILE_BINARY]\n")
    plan_id = planact.plan()
    listed = planact.run("plan", "list")
    assert (listed.out.split()[0], told in listed.err) == (plan_id, True)
    unreadable = planact.run("plan", "list", "--json").json["unreadable"]
    assert unreadable == [{"path": "late.plan", "code": "FILE_BINARY", "message": told}]
    assert f"! {told}" in planact.run("chat", "/plans").out


def test_in_a_folder_below_one_is_told_where_the_plans_are(planact: Program) -> None:
    below = planact.folder / "src"
    below.mkdir()
    assert "planact plan" in planact.run("act", "--cwd", str(below)).err
    planact.run("plan", "Greet again")
    ran = planact.run("act", "--cwd", str(below))
    assert (ran.code, f"There are plans in {planact.folder}. For one of these, add: --cwd" in ran.err) == (1, True)


def test_plans_are_listed_shown_and_deleted(planact: Program) -> None:
    plan_id = planact.plan()
    listed = planact.run("plan", "list")
    assert (listed.code, listed.out.split()[:3]) == (0, [plan_id, "draft", "0/2"])
    assert [plan["id"] for plan in planact.run("plan", "list", "--json").json["plans"]] == [plan_id]
    assert planact.run("plan", "show", plan_id).out == planact.document(plan_id).read_text()
    assert planact.run("plan", "show", plan_id[-4:], "--json").json["goal"] == "Say goodbye"
    asked = planact.run("plan", "delete", plan_id)
    path = planact.document(plan_id).relative_to(planact.folder)
    assert (asked.code, asked.err.splitlines()[-1]) == (3, f"Go on with: planact plan delete {path}")
    assert "    1 Delete\n" in asked.err
    assert planact.run("plan", "delete", plan_id, "--yes").code == 0
    assert planact.run("plan", "list", "--json").json == {"plans": [], "unreadable": []}


def test_a_plan_without_an_id_is_listed_by_what_names_it(planact: Program) -> None:
    (planact.folder / "my own.plan").write_text("# Greet\n\n## Steps\n- [ ] 1. Do it\n")
    assert planact.run("plan", "list").out.startswith("'my own.plan'  draft 0/1  Greet")
    assert "- 'my own.plan' · draft 0/1 · Greet" in planact.run("chat", "/plans").out


def test_a_plan_that_changes_things_elsewhere_is_shown_as_such_whatever_it_says(planact: Program) -> None:
    plan_id = planact.plan()
    assert planact.run("plan", "show", plan_id).err == ""
    path = planact.document(plan_id)
    path.write_text(path.read_text().replace("- [ ] 1. ", "- [ ] 1. `kubectl delete pod x`: ", 1))
    assert "infrastructure: false" in path.read_text()
    shown = planact.run("plan", "show", plan_id)
    assert shown.out == path.read_text()
    assert shown.err.startswith("The plan changes things outside the workspace: `kubectl delete pod x`.\n")
    assert planact.run("plan", "show", plan_id, "--json").json["has_infrastructure_changes"] is True


@pytest.mark.parametrize("words", [("plan", "list", "Greet again"), ("plan", "show"), ("plan", "delete")])
def test_the_name_of_a_subcommand_wins(planact: Program, words: tuple[str, ...]) -> None:
    ran = planact.run(*words)
    assert (ran.code, "[INVALID_ARGUMENTS]" in ran.err) == (2, True)


def test_text_after_two_dashes_is_a_request_whatever_it_looks_like(planact: Program) -> None:
    assert planact.run("plan", "--json", "--", "list", "--me", "Greet", "again").json["plan"]["goal"] == "Say goodbye"
    only = planact.run("plan", "--json", "--", "list")
    assert (only.code, "list" in only.json["error"]["message"]) == (6, True)


def test_common_options_may_stand_before_the_command(planact: Program) -> None:
    assert planact.run("--json", "--cwd", ".", "plan", "list").json == {"plans": [], "unreadable": []}


@pytest.mark.parametrize("between", [("--json",), ("--cwd", ".", "--json"), ("--json", "--defaults")])
def test_options_may_stand_between_the_words_of_a_command(planact: Program, between: tuple[str, ...]) -> None:
    assert planact.run("plan", *between, "list").json == {"plans": [], "unreadable": []}


def test_the_value_of_an_option_is_no_word_of_a_command(planact: Program) -> None:
    (planact.folder / "list").mkdir()
    made = planact.run("plan", "--cwd", "list", "--json", "Say something else", model="")
    assert (made.code, made.json["error"]["code"]) == (6, "MODEL_NOT_CHOSEN")
