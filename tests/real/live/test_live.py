"""The check for people with keys tells what a model can't do; here the models are on this machine."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import Program
from tests.fakes.loopback_model import UNAUTHORIZED, Call, Fault, LoopbackModel, Say, last_user, results, turn
from tests.real.live.task import Task
from tests.real.rig import KEY, PATH

pytestmark = pytest.mark.timeout(600)  # a dozen starts of the program each

ROOT = Path(__file__).parents[3]
READ = Call("read_file", {"path": "colours.txt"})
CHOICES = [{"label": "Red", "value": "red"}, {"label": "Blue", "value": "blue"}]
STEP = {
    "action": "Paint the door in `colours.txt`",
    "files": ["colours.txt"],
    "validation_checks": ["python3 check.py"],
}
Answer = Callable[[dict[str, Any]], Say | Fault]


class Painter:
    """A model that does the task; a part of it may be done in another way."""

    def __init__(self, **others: Answer) -> None:
        self._others = others

    def __call__(self, request: dict[str, Any]) -> Say | Fault:
        message = last_user(request)
        part = "reads" if "word of the day" in message else "plans" if "First ask me" in message else "acts"
        if part == "plans" and not results(request, "ask_user"):
            part = "asks"
        if "of 3 of step 1" in message:
            part = "repairs"
        answer: Answer = self._others.get(part) or getattr(self, part)
        said = answer(request)
        if isinstance(said, Fault):
            return said
        # Results are told apart by the ids of their calls.
        return replace(said, calls=[replace(call, id=f"call_{len(request['messages'])}") for call in said.calls])

    def reads(self, request: dict[str, Any]) -> Say:
        found = results(request, "read_file")
        word = re.search(r"the day is (\w+)", found[-1]) if found else None
        return Say(f"It is {word[1]}.") if word else Say(calls=[Call("read_file", {"path": "notes/word.txt"})])

    def asks(self, request: dict[str, Any]) -> Say:
        asked = {"question": "Which colour does the door get?", "options": CHOICES}
        return Say("First a question.", [Call("ask_user", {"questions": [asked]})])

    def plans(self, request: dict[str, Any]) -> Say:
        if results(request, "write_plan"):
            return Say("Please look at the plan.")
        return Say(calls=[Call("write_plan", {"goal": "Paint the door", "steps": [STEP]})])

    def acts(self, request: dict[str, Any]) -> Say:
        return edits(request, "door: ?", "door: blue")

    def repairs(self, request: dict[str, Any]) -> Say:
        seal = re.search(r"seal: \w{8}", last_user(request))
        return edits(request, "walls: white", f"walls: white\n{seal[0] if seal else ''}")


def edits(request: dict[str, Any], old: str, new: str) -> Say:
    """Read the file, edit it, and say so."""
    call = Call("update_file", {"path": "colours.txt", "edits": [{"old": old, "new": new}]})
    return [Say("I look first.", [READ]), Say(calls=[call]), Say("That is done.")][min(turn(request), 2)]


def live(answer: Answer, home: Path) -> tuple[int, dict[str, str], str]:
    """Return the exit code, each ability's outcome and remark, and the last line."""
    home.mkdir(exist_ok=True)
    with LoopbackModel(answer) as model:
        done = subprocess.run(
            (sys.executable, "-m", "tests.real.live", "openai/house"),
            cwd=ROOT,
            env={"PATH": PATH, "HOME": str(home), "OPENAI_API_KEY": KEY, "PLANACT_MODEL_ENDPOINT": model.url},
            capture_output=True,
            text=True,
            timeout=500,
        )
    lines = done.stdout.splitlines()
    found = [re.fullmatch(r"  (pass|FAIL|not tried) +(\w+) *(.*)", line) for line in lines]
    assert KEY not in done.stdout + done.stderr
    return done.returncode, {each[2]: f"{each[1]} {each[3]}".strip() for each in found if each}, lines[-1]


def test_a_model_that_does_it_all_passes_with_tokens_and_cost(tmp_path: Path) -> None:
    code, abilities, last = live(Painter(), tmp_path / "home")
    plan = abilities.pop("plans")
    assert re.fullmatch(r"pass \.planact/plans/\S+\.plan", plan)
    assert abilities == dict.fromkeys(("reads", "asks", "edits", "repairs", "undoes"), "pass")
    assert re.fullmatch(r"  1\d requests, 1\d00 tokens in, \d+ out, cost unknown", last)
    assert code == 0


FAULTY: Mapping[str, tuple[dict[str, Answer], dict[str, str]]] = {
    "it reads nothing": (
        {"reads": lambda _: Say("It is Monday.")},
        {"reads": "FAIL it said: It is Monday."},
    ),
    "it doesn't ask": (
        {"asks": lambda request: Painter().plans(request)},
        {"asks": "FAIL it asked nothing"},
    ),
    "it only talks": (
        {"plans": lambda _: Say("I would paint it.")},
        {"plans": "FAIL", "edits": "not tried", "repairs": "not tried", "undoes": "not tried"},
    ),
    "it paints too much": (
        {"acts": lambda request: edits(request, "door: ?\nroof: grey", "door: blue\nroof: pink")},
        {"edits": "FAIL colours.txt isn't as it was to be"},
    ),
    "it repairs nothing": (
        {"repairs": lambda request: edits(request, "seal: none", "seal: any")},
        {"repairs": "FAIL the check still fails: "},
    ),
    "its key is refused": (
        dict.fromkeys(("reads", "asks"), lambda _: UNAUTHORIZED),
        {
            "reads": "FAIL",
            "plans": "FAIL",
            "asks": "FAIL",
            "edits": "not tried",
            "repairs": "not tried",
            "undoes": "not tried",
        },
    ),
}


class ForkedTask(Task):
    """The same with forks of the program."""

    def _run(self, words: Sequence[str]) -> tuple[int, str, str]:
        ran = Program(self.root, self.root.parent, dict(self._environment)).run(*words, model="")
        return ran.code, ran.out, ran.err


@pytest.mark.parametrize("name", FAULTY)
def test_what_a_model_does_not_do_is_named(name: str, tmp_path: Path) -> None:
    others, expected = FAULTY[name]
    with LoopbackModel(Painter(**others)) as model:
        variables = {"PATH": PATH, "OPENAI_API_KEY": KEY, "PLANACT_MODEL_ENDPOINT": model.url}
        task = ForkedTask(tmp_path, "openai/house", variables)
        abilities = {each.name: f"{each.outcome} {each.remark}".strip() for each in task.abilities()}
        assert task.spent().in_words()
    assert_named(abilities, expected)


def test_the_command_names_it_and_fails(tmp_path: Path) -> None:
    others, expected = FAULTY["its key is refused"]
    code, abilities, _ = live(Painter(**others), tmp_path / "home")
    assert code == 1
    assert_named(abilities, expected)


def assert_named(abilities: Mapping[str, str], expected: Mapping[str, str]) -> None:
    assert KEY not in str(abilities)
    for ability, outcome in abilities.items():
        assert outcome.startswith(expected.get(ability, "pass")), abilities
    assert {*abilities} == {"reads", "plans", "asks", "edits", "repairs", "undoes"}


def test_only_its_own_target_asks_a_model() -> None:
    assert commands("live", "MODEL=openai/house").endswith('python -m tests.real.live "openai/house"\n')
    assert "tests.real.live" not in commands("test", "quick", "check", "soak", "bench")


def commands(*targets: str) -> str:
    """Return the commands that make would run."""
    outside = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    printed = subprocess.run(
        ("make", "-n", *targets), cwd=ROOT, env=outside, capture_output=True, text=True, timeout=180
    )
    assert printed.returncode == 0, printed.stderr
    return printed.stdout
