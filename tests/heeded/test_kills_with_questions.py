"""Runs with questions that are killed at any moment: no answer is lost, and none is asked for again in other words."""

import json
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from planact.plan.approval import approval_hash
from tests.cli.program import Ran
from tests.fakes.loopback_model import Call, Say, results, this_try
from tests.fakes.zygote import Zygote
from tests.heeded.rewording_model import MODEL, Reword, RewordingModel
from tests.soak import times

pytestmark = [pytest.mark.timeout(3_600), pytest.mark.soak]

PATH = "ask.plan"
PLAN = """---
id: plan_20261120_kkkk
---
# Ask twice and write

## Steps
- [ ] 1. Ask, then write `said.txt`
  - reason: only the user knows
  - files: said.txt
"""
FRAMEWORK = {"name": "framework", "options": [{"label": each, "value": each} for each in ("pytest", "unittest")]}
ANSWERS = {"framework": "unittest", "answer": "8080"}
LAST_ENTRY = 16
TRIES = 12
MOST_TRIALS = 10  # per kill: a run may end before the moment that is drawn for it


def answer(request: dict[str, Any], reword: Reword) -> Say:
    """Ask both questions in other words each time, whatever is told, and write the answers; anew where a killed try
    has written them, since that is no evidence.
    """
    heard = [text for text in results(request) if '"answers"' in text]
    last = next(reversed(results(this_try(request))), "")
    if last == "created said.txt":
        return Say(reword("It is written."))
    if "FILE_EXISTS" in last:
        return Say("", [Call("delete_file", {"path": "said.txt"})])
    if not heard:
        text = reword("Which test framework should the new tests use?")
        return Say("", [Call("ask_user", {"questions": [FRAMEWORK | {"question": text}]})])
    if len(heard) == 1:
        text = reword("Which port does the server listen on?")
        return Say("", [Call("ask_user", {"questions": [{"question": text}]})])
    return Say("", [Call("create_file", {"path": "said.txt", "content": "\n".join([reword("So be it"), *heard])})])


class Trial:
    """One folder, whose run is killed and taken up again until it is done."""

    def __init__(self, root: Path, zygote: Zygote, model: RewordingModel) -> None:
        self.folder, self.home, self.zygote = root / "work", root / "home", zygote
        for each in (self.folder, self.home):
            each.mkdir(parents=True)
        (self.folder / PATH).write_text(PLAN)
        self.answered: set[str] = set()
        self.environment = {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "PLANACT_APPROVAL": "acceptAll",
            "OPENAI_API_KEY": "sk-test",
            "PLANACT_MODEL": MODEL,
            "PLANACT_MODEL_ENDPOINT": model.url,
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        }

    def run(self, *words: str, **order: Any) -> Ran:
        output = str(self.home / "output")
        where = {"folder": str(self.folder), "environment": self.environment, "output": output}
        code = self.zygote.run(words=words, **where, **order)
        return Ran(code, Path(f"{output}.out").read_text(), Path(f"{output}.err").read_text())

    def act(self, **order: Any) -> Ran:
        return self.run("act", PATH, "--hash", approval_hash(PLAN), "--json", **order)

    def go_on(self, **order: Any) -> Ran:
        """Go on with the same run, or begin one where none is known."""
        ran = self.run("resume", PATH, "--json", **order)
        return self.act(**order) if "EXECUTION_NOT_FOUND" in ran.out else ran

    def answer_all(self) -> Iterator[str]:
        """Answer what is open; yields what is asked though it was answered."""
        for asked in json.loads(self.run("questions", "--json").out)["questions"]:
            name = asked["questions"][0]["name"]
            if name in self.answered:
                yield f"asked again: {asked['questions'][0]['question']}"
            assert self.run("answer", asked["question_id"], ANSWERS[name]).code == 0
            self.answered.add(name)

    def problems(self, chance: random.Random, kills: int) -> Iterator[str]:
        ran = Ran(-1, "", "")
        for number in range(TRIES):
            how = {"moment": (chance.choice(("before", "after")), chance.randint(1, LAST_ENTRY))}
            start = chance.choice((self.act, self.go_on))
            ran = start(**(how if number < kills else {}))
            if ran.code == 0:
                break
            yield from self.answer_all()
        else:
            yield f"it never ends: {ran}"
            return
        text = (self.folder / "said.txt").read_text()
        yield from (f"lost: {value}" for value in ANSWERS.values() if value not in text)


def test_no_answer_is_lost_and_none_is_asked_for_again(tmp_path: Path) -> None:
    wanted = times(4, 200)
    seed = random.randrange(10**9)
    zygote = Zygote(with_litellm=True)
    found: dict[int, list[str]] = {}
    try:
        with RewordingModel(answer) as model:
            for trial in range(MOST_TRIALS * wanted):
                made = Trial(tmp_path / str(trial), zygote, model)
                found[trial] = list(made.problems(random.Random(seed + trial), kills=4))
                if zygote.kills >= wanted:
                    break
        assert zygote.kills >= wanted
    finally:
        zygote.close()
    assert {number: problems for number, problems in found.items() if problems} == {}, f"seed {seed}"
