"""Paths in the text of a step that has no `files`: what counts, and what never does."""

from time import monotonic

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planact.model.plan import Plan, Step
from planact.plan.implied_files import Found, implied_files, with_implied

THERE = {"src/app.py", "src/main.py", "a.py", "b.py", "tests/test_app.py", "Makefile", "greeting.txt", "load"}


def look_up(path: str) -> Found:
    return "file" if path in THERE else "missing"


def named(action: str, *comments: str, **more: object) -> tuple[str, ...]:
    plan = Plan.model_validate({"goal": "Do it", "steps": [{"step_number": 1, "action": action, **more}]})
    return implied_files(plan, comments, look_up).get(1, ())


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ("Rename `load` to `read_config` in `src/app.py`", ["src/app.py"]),
        ('Say "good day" in `greeting.txt`', ["greeting.txt"]),
        ("Update `src/app.py:12` and `src/main.py`", ["src/app.py", "src/main.py"]),
        ("Create `src/new.py` with the loader, and call it in `src/app.py`", ["src/new.py", "src/app.py"]),
        ("Read `a.py`, then change `b.py`", ["b.py"]),
        ("Move the loader from `a.py` to `b.py`", ["a.py", "b.py"]),
        ("Check the input in `src/app.py`", ["src/app.py"]),
        ("Update `a.py`. Don't touch `b.py`.", ["a.py"]),
        ("Update `a.py`. Do not change behavior.", ["a.py"]),
        ("Add a target to `Makefile`", ["Makefile"]),
        ("In `src/app.py`, rename the loader", ["src/app.py"]),
        ("修改 `a.py`。不要改 `b.py`。", ["a.py"]),
    ],
)
def test_paths_that_a_sentence_means_to_change_count(action: str, expected: list[str]) -> None:
    assert named(action) == tuple(expected)


@pytest.mark.parametrize(
    "action",
    [
        "Update all but `a.py`",
        "Update everything except `a.py`",
        "Don't touch `a.py`",
        "Don’t touch `a.py`",
        "Do not, under any circumstances whatsoever, change `a.py`",
        "Mend the loader and leave `a.py` alone",
        "`a.py` stays as it is",
        "Mend it without editing `a.py`",
        "Change nothing in `a.py`",
        "Edit neither `a.py` nor `b.py`",
        "Update `a.py`. Leave it as it is.",
        "Update `a.py` and `b.py`. Don't change them.",
        "Update the loader like in `a.py`",
        "Mend it according to `a.py`",
        "Add tests for `a.py`",
        "Read `a.py`",
        "Look at `a.py` and `b.py`",
        "Run `a.py`",
        "Check `a.py`",
        "Use `a.py`",
        'Print the text "update `a.py`"',
        "Print the text “update `a.py`”",
        "Update ~~`a.py`~~",
        "Update <!-- `a.py` -->",
        r"Update \`a.py\`",
        "Update ``don't touch `a.py` ``",
        "Update `a.py",
        "Update `a.py` and ` `b.py`",
        "Update a.py",
        "Update `./a.py`",
        "Update `../a.py`",
        "Update `src/../a.py`",
        "Update `/etc/passwd`",
        "Update `~/a.py`",
        "Update `C:/a.py`",
        r"Update `src\app.py`",
        "Update `src/`",
        "Update `src`",
        "Update `*.py`",
        "Update `src/**/app.py`",
        "Update `{a,b}.py`",
        "Update `a.py b.py`",
        "Update `a.py\u202e`",
        "Update `a.py\u200b`",
        "Update `load`",
        "Update `$HOME/a.py`",
        "Update `.git/config`",
        "Update `.planact/config.toml`",
        "Create `.env`",
        "Create `sub/.ssh/id_rsa`",
        "Create `-rf.py`",
        "Update `missing.py`",
        "Call `load()` in the app",
        "Ändere `a.py` nicht",
        "不要修改 `a.py`",
        "Lass `a.py` in Ruhe",
        "Deja `a.py` como era",
        "не трогай `a.py`",
        "`a.py` を変更しないで",
        "Do n\u043et change `a.py`",
        "Do \uff4eot change `a.py`",
        "Change all, don\u200b't touch `a.py`",
        "Freeze `a.py` and update the rest",
        "Make changes, but steer clear of `a.py`",
        "Prevent changes to `a.py`",
        "除了 `a.py` 都修改",
    ],
)
def test_unsure_means_no(action: str) -> None:
    assert named(action) == ()


@pytest.mark.parametrize("tools", [["read_file"], ["execute_command"], ["search_code", "made_up"]])
def test_a_step_whose_tools_edit_nothing_has_none(tools: list[str]) -> None:
    assert named("Update `a.py`", tools_needed=tools) == ()
    assert named("Update `a.py`", tools_needed=[*tools, "update_file"]) == ("a.py",)


def test_listed_files_are_the_only_ones() -> None:
    assert named("Update `a.py` and `b.py`", files=["a.py"]) == ()


@pytest.mark.parametrize(
    "forbidding",
    [
        {"analysis": "Please don't touch `a.py`."},
        {"description": "Leave src/../a.py unchanged, also a.py."},
        {"assumptions": ["a.py must not change"]},
        {"goal": "Mend it without changing a.py"},
        {"steps": [{"action": "Mend `b.py`, but never edit `a.py`"}]},
        {"steps": [{"action": "Mend it", "reason": "`A.PY` must not be modified"}]},
        {"description": "Do not edit *.py"},
    ],
)
def test_what_any_part_of_the_plan_forbids_counts_in_no_step(forbidding: dict[str, object]) -> None:
    first = {"step_number": 1, "action": "Update `a.py`"}
    later = [{"step_number": 2, **step} for step in forbidding.pop("steps", [])]  # type: ignore[attr-defined]
    plan = Plan.model_validate({"goal": "Do it", **forbidding, "steps": [first, *later]})
    assert implied_files(plan, (), look_up) == {}


def test_a_folder_that_is_forbidden_is_so_with_all_below() -> None:
    assert named("Update `src/app.py`", "not in src/") == ()
    assert named("Update `src/app.py`", "Also in German, please.") == ("src/app.py",)


def test_two_steps_with_one_number_and_a_step_of_many_files_have_none() -> None:
    steps = tuple(Step(step_number=1, action=f"Update `{path}`") for path in ("a.py", "b.py"))
    assert implied_files(Plan(goal="g", steps=steps), (), look_up) == {}
    many = " ".join(f"`src/{number}.py`" for number in range(21))
    plan = Plan(goal="g", steps=(Step(step_number=1, action=f"Update {many}"),))
    assert implied_files(plan, (), lambda _: "file") == {}


def test_steps_get_them_unless_they_list_files() -> None:
    steps = (Step(step_number=1, action="x"), Step(step_number=2, action="y", files=("c.py",)))
    filled = with_implied(Plan(goal="g", steps=steps), {1: ("a.py",), 2: ("b.py",)})
    assert [step.files for step in filled.steps] == [("a.py",), ("c.py",)]


@given(st.lists(st.sampled_from(["Update", "don't", "`", "a.py", "``", "\\", "except", ".", "and", "../", "/", " "])))
def test_hostile_text_names_nothing_but_plain_paths(words: list[str]) -> None:
    found = named("Update " + " ".join(words))
    assert set(found) <= {"a.py"}
    assert not found or ("`" in words and "a.py" in words)


def test_no_text_takes_longer_than_a_reader_would_wait() -> None:
    began = monotonic()
    assert named("Change " + "`a.py` " * 2_000) == ()
    steps = [{"step_number": 2 * each, "action": f"Change `src/{each}.py`."} for each in range(1, 1_000)]
    steps += [{"step_number": 2 * each + 1, "action": f"Do not change `lib/{each}.py`."} for each in range(1, 1_000)]
    plan = Plan.model_validate(
        {"goal": "Do it", "steps": [*steps, {"step_number": 1, "action": "Leave `src/7.py` alone."}]}
    )
    found = implied_files(plan, (), lambda _: "file")
    assert found.keys() == {2 * each for each in range(1, 1_000) if each != 7}
    assert monotonic() - began < 5


def test_more_patterns_than_anybody_reads_forbid_every_path() -> None:
    assert named("Change `a.py`.", "Do not touch " + " ".join(f"x{each}*" for each in range(200))) == ("a.py",)
    assert named("Change `a.py`.", "Do not touch " + " ".join(f"x{each}*" for each in range(201))) == ()
    assert named("Change `a.py`.", "Do not touch " + "x" * 5_000 + "*") == ()
