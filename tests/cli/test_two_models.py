"""One model plans and a cheaper one acts, both over HTTP: each gets what is its own, and is paid for apart."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.cli.program import Program
from tests.fakes.loopback_model import (
    Answer,
    Call,
    LoopbackModel,
    Say,
    are_prefixes,
    results,
    this_try,
    turn,
    without_surroundings,
)

USED = {"prompt_tokens": 100, "completion_tokens": 20, "prompt_tokens_details": {"cached_tokens": 60}}
STEP = {
    "action": "Replace the greeting",
    "reason": "it is to part",
    "tools_needed": ["update_file"],
    "files": ["greeting.txt"],
    "validation_checks": ["grep -q goodbye greeting.txt"],
}
CONFIG = """\
[models."openai/clever"]
endpoint = "{clever}"
[models."openai/cheap"]
endpoint = "{cheap}"
"""


def planning(request: dict[str, Any]) -> Say:
    answers = [
        Say(calls=[Call("read_file", {"path": "greeting.txt"})], usage=USED),
        Say(calls=[Call("write_plan", {"goal": "Say goodbye", "steps": [STEP]})], usage=USED),
        Say("There is a plan.", usage=USED),
    ]
    return answers[turn(request)] if "write_plan" in json.dumps(request["tools"]) else Say("clever", usage=USED)


def acting(request: dict[str, Any]) -> Say:
    edit = {"path": "greeting.txt", "edits": [{"old": "hello", "new": "goodbye"}]}
    return (
        Say("Done.", usage=USED) if results(this_try(request)) else Say(calls=[Call("update_file", edit)], usage=USED)
    )


def looking(request: dict[str, Any]) -> Say:
    look = Say(calls=[Call("read_file", {"path": "greeting.txt"})], usage=USED)
    return Say("A greeting.", usage=USED) if turn(request) else look


@contextmanager
def two(
    planact: Program, plan: Answer = planning, act: Answer = acting
) -> Iterator[tuple[LoopbackModel, LoopbackModel]]:
    with LoopbackModel(plan) as clever, LoopbackModel(act) as cheap:
        folder = planact.home / ".config" / "planact"
        folder.mkdir(parents=True)
        (folder / "config.toml").write_text(CONFIG.format(clever=clever.url, cheap=cheap.url))
        yield clever, cheap


@pytest.mark.parametrize("told", ["by settings", "by flags"])
def test_a_cheap_model_carries_out_what_a_clever_one_planned(planact: Program, told: str) -> None:
    flags: list[str] = []
    if told == "by flags":
        flags = ["--planner-model", "openai/clever", "--actor-model", "openai/cheap"]
    else:
        planact.variables |= {"PLANACT_PLANNER_MODEL": "openai/clever", "PLANACT_ACTOR_MODEL": "openai/cheap"}
    with two(planact) as (clever, cheap):
        made = planact.run("plan", "Say goodbye", *flags, model="")
        assert made.code == 0, made
        ran = planact.run("act", "--yes", *flags, model="")
        assert ran.code == 0, ran
        assert ([request.json["model"] for request in clever.requests], len(cheap.requests)) == (["clever"] * 3, 2)
        assert are_prefixes(clever.requests)
        assert are_prefixes(cheap.requests)
    assert planact.greeting == "goodbye\n"
    record = planact.run("executions", "show", "--json", model="").json
    assert {name: part["requests"] for name, part in record["usage"]["by_model"].items()} == {"openai/cheap": 2}
    cost = "2 requests, 200 tokens in (120 cached), 40 out, cost unknown"
    assert f"Model: {cost}\n" in planact.run("executions", "show", model="").out
    assert f" s; {cost}\n" in planact.run("executions", "show", "--markdown", model="").out
    metrics = planact.run("metrics", model="").out
    assert "Model openai/clever: 3 requests, 300 tokens in (180 cached), 60 out, cost unknown" in metrics
    assert f"Model openai/cheap: {cost}" in metrics


def test_a_conversation_that_changes_models_to_and_fro_begins_each_request_with_the_last(planact: Program) -> None:
    with two(planact, looking, looking) as (clever, cheap):
        asked: list[LoopbackModel] = []
        for model, name, more in (
            (clever, "clever", []),
            (cheap, "cheap", ["--continue"]),
            (clever, "clever", ["--continue"]),
        ):
            ran = planact.run("chat", "What is there?", *more, "--model", f"openai/{name}", model="")
            assert (ran.code, ran.out) == (0, "A greeting.\n"), ran
            asked += [model] * 2
        numbers = {clever: iter(clever.requests), cheap: iter(cheap.requests)}
        in_order = [next(numbers[model]) for model in asked]
        assert are_prefixes(in_order)
        assert [len(without_surroundings(request.json["messages"])) for request in in_order] == [2, 4, 6, 8, 10, 12]
    spent = planact.run("chat", "/cost", "--continue", model="openai/clever").out
    assert spent.splitlines() == [
        "6 requests, 600 tokens in (360 cached), 120 out, cost unknown.",
        "- openai/clever: 4 requests, 400 tokens in (240 cached), 80 out, cost unknown",
        "- openai/cheap: 2 requests, 200 tokens in (120 cached), 40 out, cost unknown",
    ]
