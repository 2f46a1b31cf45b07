"""`planact policy explain`, through the real program: the verdicts of the gate on commands and tools."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import Program

CORPUS = Path(__file__).parents[1] / "data/shell_commands.json"
# Under another licence than this repository's, so never copied into it: it may lie beside the checkout.
ELSEWHERE = Path(os.environ.get("GTFOBINS_JSON", Path(__file__).parents[3] / "shared/data/gtfobins.json"))


@pytest.fixture
def jailed(planact: Program) -> Program:
    """Verdicts in Plan rest on a jail; where this machine has none, there is little to see."""
    settings = json.loads(planact.run("policy", "explain", "--json", "--", "ls").out)
    if settings["verdict"]["plan"] != "allow" or "jailed" not in settings["jail"]["plan"]:
        pytest.skip("no jail on this machine")
    return planact


def rows(planact: Program, commands: list[str]) -> list[dict[str, Any]]:
    ran = planact.run("policy", "explain", "--json", typed="".join(json.dumps({"cmd": cmd}) + "\n" for cmd in commands))
    assert (ran.code, ran.err) == (0, "")
    return [json.loads(line) for line in ran.out.splitlines()]


def row(cmd: str, cls: str, plan: str, act: str, rule: str, start: int, end: int) -> dict[str, Any]:
    return {"cmd": cmd, "class": cls, "verdict": {"plan": plan, "act": act}, "rule": rule, "span": [start, end]}


def test_each_line_is_answered_by_one(jailed: Program) -> None:
    expected = [
        row("git log --oneline", "local-read", "allow", "allow", "git log", 0, 17),
        row("echo 🙂; rm -r x", "mutating", "deny", "ask", "rm", 8, 15),
        row("make test", "unknown", "contain", "ask", "argument", 5, 9),
        row("curl https://example.org", "net-read", "ask", "ask", "curl", 0, 24),
        # It runs, and can't open the file.
        row("cat .env", "local-read", "allow", "ask", "cat", 0, 8),
        row("ls\nls", "local-read", "allow", "allow", "ls", 0, 2),
    ]
    assert rows(jailed, [each["cmd"] for each in expected]) == expected


HOSTILE = ["", "   ", "\x00", "a\ud800", "(" * 500, "x" * 1_000_000, "\u202e", "$(" * 5_000, "'", "<<E\n" * 3_000]


def test_whatever_a_command_is_it_is_answered_and_not_allowed(planact: Program) -> None:
    answers = rows(planact, HOSTILE)
    assert [answer["cmd"] for answer in answers] == HOSTILE
    assert {answer["class"] for answer in answers} == {"unknown"}
    assert "allow" not in {verdict for answer in answers for verdict in answer["verdict"].values()}


@pytest.mark.parametrize("line", ["ls", '"ls"', "{}", '{"cmd": 1}', "[" * 100_000])
def test_a_line_that_is_no_command_ends_it_with_its_number(planact: Program, line: str) -> None:
    ran = planact.run("policy", "explain", "--json", typed=f'{{"cmd": "ls"}}\n\n{line}\n')
    answer, error = map(json.loads, ran.out.splitlines())
    assert (ran.code, answer["cmd"], error["error"]["code"]) == (2, "ls", "INVALID_ARGUMENTS")
    assert error["error"]["message"].startswith("line 3 ")


def test_what_reads_is_allowed_in_plan_and_nothing_else(jailed: Program) -> None:
    corpus = json.loads(CORPUS.read_text("utf-8"))
    allowed = {answer["cmd"] for answer in rows(jailed, [e["cmd"] for e in corpus]) if is_allowed(answer)}
    useful = [entry["cmd"] for entry in corpus if entry["expect"] == "readonly"]
    others = [entry["cmd"] for entry in corpus if entry["expect"] != "readonly" and entry["tier"] == "core"]
    assert len(useful) > 250
    assert len(others) > 650
    assert len(allowed.intersection(useful)) >= 0.95 * len(useful), set(useful) - allowed
    assert allowed.intersection(others) == set()


@pytest.mark.skipif(not ELSEWHERE.exists(), reason="GTFOBINS_JSON names no file")
def test_no_way_out_of_a_restricted_shell_is_allowed_in_plan(jailed: Program) -> None:
    corpus = [entry["cmd"] for entry in json.loads(ELSEWHERE.read_text("utf-8")) if entry["group"] == "must_block"]
    assert len(corpus) > 600
    assert [answer for answer in rows(jailed, corpus) if is_allowed(answer)] == []


def is_allowed(answer: dict[str, Any]) -> bool:
    return bool(answer["verdict"]["plan"] == "allow")


# --- for people


def test_a_command_is_explained_with_what_decided_what_would_hold_it_and_the_settings(jailed: Program) -> None:
    ran = jailed.run("policy", "explain", "--", "ls | wc -l; ./build")
    lines = ran.out.splitlines()
    assert ran.code == 0
    assert lines[:3] == [
        "ls | wc -l; ./build",
        "            ^^^^^^^",
        "unknown by the rule 'program': `./build` may change files",
    ]
    assert lines[3].startswith("Plan  contain  contained: it can write nothing")
    assert lines[4].startswith("Act   ask      `./build` may change files, and no approved plan names it; jailed:")
    assert lines[6] == "Settings: contain = on, sandbox = auto, approval = ask"
    assert "or allow it always" in ran.err


def test_words_that_the_shell_took_apart_are_one_command(planact: Program) -> None:
    assert planact.run("policy", "explain", "--json", "--", "echo", "a b", ">").json["cmd"] == "echo 'a b' '>'"
    assert planact.run("policy", "explain", "--json", "--", "echo a > b").json["class"] == "mutating"


def test_settings_count(jailed: Program) -> None:
    jailed.variables = {"PLANACT_CONTAIN": "off", "PLANACT_COMMANDS_ALLOW": '["./build"]'}
    assert jailed.run("policy", "explain", "--json", "--", "./build").json["verdict"] == {
        "plan": "deny",
        "act": "allow",
    }
    jailed.variables = {"PLANACT_SANDBOX": "off"}
    ran = jailed.run("policy", "explain", "--json", "--", "./build").json
    assert (ran["verdict"], ran["jail"], ran["settings"]["sandbox"]) == (
        {"plan": "deny", "act": "ask"},
        {"plan": "", "act": "in no jail"},
        "off",
    )


def test_a_call_of_a_tool_is_explained(planact: Program) -> None:
    ran = planact.run("policy", "explain", "delete_file", '{"path": "greeting.txt"}')
    assert (ran.code, ran.out.splitlines()[:2]) == (0, ["delete_file", "delete greeting.txt"])
    assert "Act   ask      nothing is deleted without your yes" in ran.out
    explained = planact.run("policy", "explain", "delete_file", '{"path": ".git/config"}', "--json").json
    assert (explained["tool"], explained["verdict"]) == ("delete_file", {"plan": "deny", "act": "deny"})


@pytest.mark.parametrize(
    "words",
    [(), ("ls",), ("delete_file",), ("delete_file", "{"), ("delete_file", "{}", "more"), ("delete_file", "--", "ls")],
)
def test_what_makes_no_sense_is_told(planact: Program, words: tuple[str, ...]) -> None:
    ran = planact.run("policy", "explain", *words)
    assert (ran.code, ran.out, "[INVALID_ARGUMENTS]" in ran.err) == (2, "", True)


def test_nothing_is_run_or_written(planact: Program) -> None:
    planact.run("policy", "explain", "--", "touch made; rm greeting.txt")
    assert sorted(path.name for path in planact.folder.iterdir()) == ["greeting.txt"]
    assert not list(planact.home.rglob("*"))
