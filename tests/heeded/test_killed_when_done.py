"""A run whose process is killed after its last step is recorded as done, and the user is told so, with exit code 0."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.fakes.zygote import Zygote
from tests.heeded.killed_program import KilledProgram, call

PLAN = """---
format_version: "1.0"
id: plan_20261120_hhhh
---
# Greet twice

## Steps
- [ ] 1. Write `a.txt`
  - reason: it is polite
  - files: a.txt
- [ ] 2. Write `b.txt`
  - reason: it is polite, too
  - files: b.txt
"""
FILES = ("a.txt", "b.txt")
KILLED = -signal.SIGKILL


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    made = Zygote()
    yield made
    made.close()


def set_up(root: Path, zygote: Zygote) -> KilledProgram:
    """A folder whose model writes the file of each step."""
    it = KilledProgram(root, zygote, PLAN)
    model_writes(it)
    return it


def model_writes(it: KilledProgram, *before: dict[str, object], text: str = "hello\n") -> None:
    scenes = [
        {
            "mode": "act",
            "when": f"Carry out step {number}",
            "turns": [*({"calls": [each]} for each in before), {"calls": [write]}, {"say": "Written."}],
        }
        for number, write in enumerate((call("create_file", path=path, content=text) for path in FILES), 1)
    ]
    (it.home / "model.yaml").write_text(yaml.safe_dump({"scenes": scenes}))


def killed(tmp_path: Path, zygote: Zygote, when: str, kind: str, *steps: str) -> KilledProgram:
    """A run that is killed before or after the last entry of a kind is in its journal."""
    whole = set_up(tmp_path / "whole", zygote)
    assert whole.act(*steps).code == 0
    kinds = [each for (each,) in whole.rows("SELECT kind FROM journal ORDER BY sequence")]
    it = set_up(tmp_path / "killed", zygote)
    assert it.act(*steps, moment=(when, len(kinds) - kinds[::-1].index(kind))).code == KILLED
    it.model_says("I would do it all again.")
    return it


@pytest.mark.parametrize("again", ["act", "resume"])
@pytest.mark.parametrize(
    ("when", "kind"), [("after", "step_finished"), ("before", "run_finished"), ("after", "run_finished")]
)
def test_the_next_command_records_it_as_done_and_ends_with_0(
    tmp_path: Path, zygote: Zygote, when: str, kind: str, again: str
) -> None:
    it = killed(tmp_path, zygote, when, kind)
    ran = it.act("--json") if again == "act" else it.run("resume", "--json")
    assert (ran.code, ran.json["status"]) == (0, "success"), ran
    (record,) = it.records()
    assert (record["id"], record["status"], it.marks()) == (ran.json["id"], "success", ["x", "x"])
    assert it.texts(*FILES) == ["hello\n"] * 2
    once_more = it.act()
    assert (once_more.code, "are done or skipped" in once_more.err) == (1, True), once_more


def test_so_does_a_run_of_some_steps(tmp_path: Path, zygote: Zygote) -> None:
    it = killed(tmp_path, zygote, "before", "run_finished", "--steps", "2")
    ran = it.run("resume", "--json")
    assert (ran.code, ran.json["status"], it.marks()) == (0, "success", [" ", "x"]), ran


def test_a_step_that_is_asked_for_by_its_number_runs_again(tmp_path: Path, zygote: Zygote) -> None:
    it = killed(tmp_path, zygote, "before", "run_finished", "--steps", "2")
    model_writes(it, call("delete_file", path="b.txt"), text="hello again\n")
    ran = it.act("--steps", "2", "--json")
    assert (ran.code, len(it.records())) == (0, 2), ran


def paused(root: Path, zygote: Zygote) -> KilledProgram:
    """A run that waited for an answer, was told as paused, and may go on."""
    it = KilledProgram(root, zygote, PLAN)
    it.model_says([call("ask_user", questions=[{"name": "how", "question": "How politely?"}])])
    assert it.act().code == 3
    (asked,) = it.run("questions", "--json").json["questions"]
    assert it.run("answer", asked["question_id"], "very").code == 0
    model_writes(it)
    return it


def test_so_does_a_run_that_had_paused_before(tmp_path: Path, zygote: Zygote) -> None:
    whole, it = (paused(tmp_path / name, zygote) for name in ("whole", "killed"))
    assert whole.run("resume").code == 0
    kinds = [each for (each,) in whole.rows("SELECT kind FROM journal ORDER BY sequence")]
    since = kinds[kinds.index("run_resumed") :]
    last = len(since) - since[::-1].index("step_finished")
    assert it.run("resume", moment=("after", last)).code == KILLED
    it.model_says("I would do it all again.")
    ran = it.act("--json")
    assert (ran.code, ran.json["status"], it.marks()) == (0, "success", ["x", "x"]), ran
