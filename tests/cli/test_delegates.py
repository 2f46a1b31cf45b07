"""Roles that read for others, by the real program: several at once, without more rights, and with their cost."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.cli.program import Program
from tests.fakes.loopback_model import Call, Fault, LoopbackModel, Page, Say, results

QUESTIONS = ("Where is the greeting?", "Who reads the greeting?")


@dataclass
class Team:
    """A main role that asks explorers both questions in one answer, and explorers that read and report once both were
    asked.
    """

    role: str = "explorer"
    calls: list[Call] = field(default_factory=list)
    both: threading.Barrier = field(default_factory=lambda: threading.Barrier(2, timeout=180))
    systems: list[str] = field(default_factory=list)

    def __call__(self, request: dict[str, Any]) -> Say | Fault | Page:
        self.systems.append(str(request["messages"][0]["content"]))
        if f"planact's {self.role}" in self.systems[-1]:
            if not results(request):
                self.both.wait()
                return Say("I look.", self.calls or [Call("read_file", {"path": "greeting.txt"})])
            task = next(each for each in QUESTIONS if each in str(request["messages"]))
            return Say(f"Answer to {task!r}: {results(request)[-1]}")
        if not results(request, "delegate"):
            return Say("", [Call("delegate", {"role": self.role, "task": each}) for each in QUESTIONS])
        return Say("\n".join(results(request, "delegate")))


@pytest.fixture
def team(planact: Program) -> Iterator[Team]:
    team = Team()
    with LoopbackModel(team) as model:
        planact.variables |= {"OPENAI_API_KEY": "sk-test", "PLANACT_MODEL_ENDPOINT": model.url}
        yield team


def test_explorers_work_side_by_side_and_their_reports_and_costs_are_told(planact: Program, team: Team) -> None:
    ran = planact.run("chat", "How is the greeting used?", model="openai/gpt-4o")
    assert ran.code == 0, ran
    for question in QUESTIONS:
        assert f"Answer to {question!r}: greeting.txt: lines 1-1 of 1" in ran.out
    assert (ran.out + ran.err).count("the explorer used 2 requests, 200 tokens in, 40 out") == 2
    assert len(team.systems) == 6


def test_a_delegate_of_the_actor_only_reads(planact: Program, team: Team) -> None:
    planact.variables["PLANACT_APPROVAL"] = "acceptAll"
    team.calls = [Call("create_file", {"path": "new.txt", "content": "x"})]
    ran = planact.run("chat", "--mode", "act", "How is the greeting used?", model="openai/gpt-4o")
    assert "has no permission create_files" in ran.out or "none of the tools" in ran.out, ran
    assert not (planact.folder / "new.txt").exists()


@pytest.mark.parametrize("role", ["tester", "designer", "commander"])
def test_other_roles_are_not_asked(planact: Program, team: Team, role: str) -> None:
    team.role = role
    ran = planact.run("chat", "--mode", "act", "How is the greeting used?", model="openai/gpt-4o")
    assert f"hands no tasks to {role}" in ran.out, ran
    assert len(team.systems) == 2


def test_without_roles_to_ask_nothing_is_offered(planact: Program, team: Team) -> None:
    settings = planact.home / ".config" / "planact" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("[roles]\ndelegates = []\n")
    ran = planact.run("chat", "How is the greeting used?", model="openai/gpt-4o")
    assert "none of the tools of the role planner" in ran.out, ran
    assert "explorer" not in team.systems[0]
