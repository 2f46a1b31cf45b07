"""A failed check is the model's to repair, seen by the real program and a real client, with a model that rewords."""

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from planact.lsp.protocol import messages
from planact.plan.approval import approval_hash
from tests.cli.program import Program
from tests.fakes.loopback_model import Call, Say, last_user
from tests.fakes.zygote import Zygote
from tests.heeded.killed_program import KilledProgram
from tests.heeded.rewording_model import Reword, RewordingModel
from tests.lsp.commands.planact_client import planact_client

PATH = "sum.plan"
CHECK = "python3 -B check.py"
PLAN = f"""---
id: plan_20261120_rrrr
---
# Add numbers

## Steps
- [ ] 1. Write `add` into `calc.py`
  - reason: sums are needed
  - files: calc.py
  - check: `{CHECK}`
"""
CHECKED = """import sys, time
try:
    from calc import add
    assert add(2, 3) == 5, f"2 + 3 is {add(2, 3)}"
except Exception as error:
    sys.exit(f"{time.time()}: {error!r}")
"""
WRITE = Call("create_file", {"path": "calc.py", "content": "def add(a, b):\n    return a - b\n"})
EDITS = {"2 + 3 is -1": ("a - b", "a * b"), "2 + 3 is 6": ("a * b", "a + b")}
"""What is edited where the check prints this."""


def answer(request: dict[str, Any], reword: Reword) -> Say:
    """Write it wrongly, and repair it by what the check printed: at the second attempt it is right."""
    if request["messages"][-1]["role"] == "tool":
        return Say(reword("Written."))
    asked = last_user(request)
    if "Repair" not in asked:
        return Say(reword("I write it."), [WRITE])
    [(old, new)] = (edit for printed, edit in EDITS.items() if printed in asked)
    return Say(reword("I mend it."), [Call("update_file", {"path": "calc.py", "edits": [{"old": old, "new": new}]})])


def helpless(request: dict[str, Any], reword: Reword) -> Say:
    """Write it wrongly, and leave it so."""
    if request["messages"][-1]["role"] == "tool" or "Repair" in last_user(request):
        return Say(reword("It looks right to me."))
    return Say(reword("I write it."), [WRITE])


@pytest.fixture
def planact(tmp_path: Path) -> Program:
    folder, home = tmp_path / "work", tmp_path / "home"
    folder.mkdir()
    home.mkdir()
    (folder / "check.py").write_text(CHECKED)
    (folder / PATH).write_text(PLAN)
    return Program(folder, home)


def act(program: Program, *words: str) -> Any:
    return program.run("act", PATH, "--hash", approval_hash(PLAN), *words, model="")


def test_it_is_repaired_without_the_user_and_the_record_tells_it(planact: Program) -> None:
    with RewordingModel(answer) as model:
        model.serve(planact)
        ran = act(planact, "--json")
    assert (ran.code, ran.json["status"]) == (0, "success"), ran
    [step] = ran.json["steps"]
    assert (step["attempt"], [each["passed"] for each in step["checks"]]) == (1, [True])
    assert [(each["number"], each["files"]) for each in step["repairs"]] == [(1, ["calc.py"]), (2, ["calc.py"])]
    assert [
        "2 + 3 is -1" in step["repairs"][0]["check"]["output"],
        "2 + 3 is 6" in step["repairs"][1]["check"]["output"],
    ]
    lines = [line for line in ran.err.splitlines() if "repairing" in line]
    assert lines == [
        f"act › Step 1 of 1: repairing {number} of 3, since the check `{CHECK}` ended with 1" for number in (1, 2)
    ]
    assert planact.run("rollback", "--yes", model="").code == 0
    assert not (planact.folder / "calc.py").exists()


def test_a_failure_that_only_differs_in_its_times_is_the_same_and_ends_it(planact: Program) -> None:
    with RewordingModel(helpless) as model:
        model.serve(planact)
        ran = act(planact, "--json")
    [step] = ran.json["steps"]
    assert (ran.code, step["error"]) == (1, f"the check `{CHECK}` ended with 1 after 1 repair")
    assert [(each["number"], each["files"]) for each in step["repairs"]] == [(1, [])]


@pytest.mark.asyncio(loop_scope="session")
async def test_an_editor_is_told_and_nobody_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    (tmp_path / "check.py").write_text(CHECKED)
    with RewordingModel(answer) as model:
        async with planact_client(tmp_path, settings=model.settings) as client:
            uri = client.write(PATH, PLAN)
            run = await client.execute(uri=uri)
            told = client.heard(messages.EXECUTION_PROGRESS)
            said = [message.content for message in client.heard(messages.MESSAGE)]
            assert not client.heard(messages.QUESTION_PENDING)
    assert run.status == "success"
    assert [each.repairing for each in told if each.repairing] == ["1 of 3", "2 of 3"]
    assert told[-1].repairing == ""
    assert sum("Repair 1 of 3 of step 1: the check" in text for text in said) == 1


# --- what failed before the run


SUITE = "sh suite.sh"
FAILS = 'date +%s.%N; echo "the network test fails"; exit 1\n'


def beside(request: dict[str, Any], reword: Reword) -> Say:
    """Do the step, and leave what fails beside it."""
    if request["messages"][-1]["role"] == "tool":
        return Say(reword("Written."))
    if "Repair" in last_user(request):
        return Say(reword("The network test has nothing to do with me."))
    return Say(reword("I write it."), [Call("create_file", {"path": "new.txt", "content": "new\n"})])


def test_what_failed_alike_before_the_run_is_told_and_not_held_against_the_step(planact: Program) -> None:
    (planact.folder / "suite.sh").write_text(FAILS)
    plan = PLAN.replace("`add` into `calc.py`", "`new.txt`").replace("files: calc.py", "files: new.txt")
    plan = plan.replace(f"  - check: `{CHECK}`\n", f"\n## Validation\n- `{SUITE}`\n")
    (planact.folder / PATH).write_text(plan)
    planact.variables["PLANACT_CHECKS_BEFORE"] = "on"
    with RewordingModel(beside) as model:
        model.serve(planact)
        ran = planact.run("act", PATH, "--hash", approval_hash(plan), "--json", model="")
    if f"{SUITE}: contained" not in ran.err:
        pytest.skip("no jail here contains an unknown command")
    assert (ran.code, ran.json["status"]) == (0, "success"), ran
    [check] = ran.json["steps"][0]["checks"]
    assert (check["command"], check["passed"], check["failed_before"]) == (SUITE, False, True)
    assert [each["command"] for each in ran.json["checks_before"]] == [SUITE]
    assert f"Before the first step, these checks fail already: `{SUITE}`." in ran.err
    assert f"The check `{SUITE}` fails as it did before the run, which isn't held against the step" in ran.err


# --- killed in the middle of a repair


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    made = Zygote(with_litellm=True)
    yield made
    made.close()


def killed_in_second_repair(root: Path, zygote: Zygote, model: RewordingModel, **variables: str) -> KilledProgram:
    """A run that was killed when the second repair was written down, and before the model was asked for it."""
    whole, killed = (KilledProgram(root / name, zygote, PLAN, {"check.py": CHECKED}) for name in ("whole", "killed"))
    for each in (whole, killed):
        model.serve(each)
        each.variables |= variables
    whole.act()
    kinds = [kind for (kind,) in whole.rows("SELECT kind FROM journal ORDER BY sequence")]
    second = [at for at, kind in enumerate(kinds, 1) if kind == "repair_started"][1]
    assert killed.act(moment=("after", second)).code == -signal.SIGKILL
    return killed


def test_a_run_that_goes_on_counts_the_repairs_already_made(tmp_path: Path, zygote: Zygote) -> None:
    with RewordingModel(answer) as model:
        it = killed_in_second_repair(tmp_path, zygote, model)
        ran = it.run("resume", "--json")
        assert model.is_asked(f"In repair 2: `{CHECK}` ended with 1"), ran.err
    assert (ran.code, ran.json["status"]) == (0, "success"), ran
    [record] = it.records()
    assert [
        (step["status"], step["ended_by"], [each["number"] for each in step["repairs"]]) for step in record["steps"]
    ] == [
        ("pending", "kill", [1, 2]),
        ("done", "", [3]),
    ]
    assert it.run("rollback", "--yes").code == 0
    assert it.text("calc.py") is None


def test_where_none_are_left_the_user_is_asked(tmp_path: Path, zygote: Zygote) -> None:
    with RewordingModel(answer) as model:
        it = killed_in_second_repair(tmp_path, zygote, model, PLANACT_LIMITS_REPAIRS="2")
        ran = it.run("resume", "--json")
    assert ran.code == 3, ran
    [question] = ran.json["waiting"]["questions"]
    assert question["question"] == f"Step 1 failed: the check `{CHECK}` ended with 1 after 2 repairs. What now?"
