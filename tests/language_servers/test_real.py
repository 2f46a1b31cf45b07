"""Real language servers under the real program: a mistake of the model's is in the result of its own edit."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import Program
from tests.fakes.loopback_model import Call, LoopbackModel, Say

pytestmark = pytest.mark.slow
RIG = Path(__file__).with_name(".rig")
PYTHON = ("def double(number: int) -> int:\n    return 2 * number\n", "print(double('1'))\n", "print(double(1))\n")
SCRIPT = ("export function double(n: number): number {\n  return 2 * n;\n}\n", "double('1');\n", "double(1);\n")


@pytest.fixture
def planact(tmp_path: Path) -> Program:
    assert (RIG / "stamp").exists(), f"{RIG} is missing. To get it, run: tests/language_servers/install"
    folder, home = tmp_path / "work", tmp_path / "home"
    folder.mkdir()
    home.mkdir()
    path = f"{RIG}/python/bin:{RIG}/node_modules/.bin:/usr/local/bin:/usr/bin:/bin"
    return Program(folder, home, {"PATH": path})


def results(request: Any) -> list[str]:
    return [str(message["content"]) for message in request["messages"] if message["role"] == "tool"]


@pytest.mark.parametrize(
    ("server", "file", "texts", "error"),
    [
        ("ty", "a.py", PYTHON, "invalid-argument-type"),
        ("basedpyright", "a.py", PYTHON, "reportArgumentType"),
        (
            "typescript-language-server",
            "a.ts",
            SCRIPT,
            "not assignable to parameter of type 'number'. (typescript 2345)",
        ),
    ],
)
def test_a_mistake_is_seen_by_the_model_that_made_it(
    planact: Program, server: str, file: str, texts: tuple[str, str, str], error: str
) -> None:
    base, wrong, right = texts
    (planact.folder / file).write_text(base)
    others = {name: {"disabled": True} for name in ("ty", "basedpyright", "pyright") if name != server}
    planact.variables["PLANACT_LANGUAGE_SERVERS"] = json.dumps(others)
    planact.variables["PLANACT_APPROVAL"] = "acceptAll"
    heard: list[str] = []

    def edit(old: str, new: str) -> Say:
        return Say("", [Call("update_file", {"path": file, "edits": [{"old": old, "new": new}]})])

    def answer(request: Any) -> Say:
        told = results(request)
        heard[:] = told
        last = base.splitlines()[-1]
        if not told:
            return Say("", [Call("read_file", {"path": file})])
        if len(told) == 1:
            return edit(last, f"{last}\n{wrong.rstrip()}")
        is_wrong, has_heard = wrong in (planact.folder / file).read_text(), "".join(told)
        if is_wrong and error in has_heard:
            return edit(wrong.rstrip(), right.rstrip())
        if len(told) < 50 and (is_wrong or "1 gone" not in has_heard):  # a server may take its time
            return Say("", [Call("execute_command", {"command": f"sleep 1.{len(told):02}"})])
        return Say("Done.")

    with LoopbackModel(answer) as model:
        planact.variables |= {"PLANACT_MODEL_ENDPOINT": model.url, "OPENAI_API_KEY": "sk-test"}
        assert planact.run("trust").code == 0
        ran = planact.run("chat", "Print twice the number", "--mode", "act", model="openai/gpt-4.1")
    assert ran.code == 0, ran
    assert "hasn't checked" in heard[1]
    assert next(told for told in heard if error in told).count(f"{server}: 1 new error in {file} since your edit") == 1
    assert heard[-1].endswith(f"[planact] {server}: no new errors in {file} since your edit, 1 gone")
    assert (planact.folder / file).read_text() == base + right


def test_doctor_names_those_that_are_there_and_why_none_starts(planact: Program) -> None:
    def told() -> tuple[str, str]:
        rows = planact.run("doctor", "--json").json["findings"]
        ((state, text),) = [(row["state"], row["text"]) for row in rows if row["name"] == "languages"]
        return state, text

    names = "ty, typescript-language-server"
    why = "this folder isn't trusted yet (planact trust)"
    assert told() == ("note", f"edits here are not checked by {names}: {why}")
    assert planact.run("trust").code == 0
    assert told() == ("ok", f"edits are checked by {names}")
    planact.variables["PATH"] = "/usr/bin:/bin"
    rows = planact.run("doctor", "--json").json["findings"]
    assert not [row for row in rows if row["name"] == "languages"]


def test_a_folder_without_trust_is_told_to_the_user_and_nothing_starts(planact: Program) -> None:
    planact.variables["PLANACT_APPROVAL"] = "acceptAll"

    def answer(request: Any) -> Say:
        steps = (Call("create_file", {"path": "a.py", "content": "x: int = ''\n"}), Call("read_file", {"path": "a.py"}))
        done = len(results(request))
        return Say("", [steps[done]]) if done < len(steps) else Say("Done.")

    with LoopbackModel(answer) as model:
        planact.variables |= {"PLANACT_MODEL_ENDPOINT": model.url, "OPENAI_API_KEY": "sk-test"}
        ran = planact.run("chat", "Make a.py", "--mode", "act", model="openai/gpt-4.1")
    assert ran.code == 0, ran
    assert ran.err.count("LANGUAGE_SERVER_UNUSABLE") == 1
    assert "planact trust" in ran.err


def test_a_file_that_stays_without_errors_is_known_to_be_so_at_once(planact: Program) -> None:
    (planact.folder / "a.ts").write_text(SCRIPT[0])
    planact.variables["PLANACT_APPROVAL"] = "acceptAll"
    heard: list[str] = []
    steps = (
        Call("read_file", {"path": "a.ts"}),
        Call("get_diagnostics", {"path": "a.ts"}),
        Call("update_file", {"path": "a.ts", "edits": [{"old": "2 * n", "new": "n + n"}]}),
        Call("get_diagnostics", {"path": "a.ts"}),
    )

    def answer(request: Any) -> Say:
        heard[:] = results(request)
        return Say("", [steps[len(heard)]]) if len(heard) < len(steps) else Say("Done.")

    with LoopbackModel(answer) as model:
        planact.variables |= {"PLANACT_MODEL_ENDPOINT": model.url, "OPENAI_API_KEY": "sk-test"}
        assert planact.run("trust").code == 0
        assert planact.run("chat", "Add in place", "--mode", "act", model="openai/gpt-4.1").code == 0
    clean = "typescript-language-server finds nothing in a.ts"
    assert heard[1].splitlines()[0] == heard[3].splitlines()[0] == clean
    assert "typescript-language-server: no new errors in a.ts since your edit" in "".join(heard[2:])
