"""Calls with the names and arguments of other agents' tools: taken as meant where that is one thing, else refused."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from planact.model.chat.message import ToolCall
from planact.model.mcp import McpListing, McpTool
from planact.tools.calls.decode import DecodedCall, decode_call
from planact.tools.mcp.tools import mcp_tools
from planact.tools.registry import BY_NAME, TOOLS
from planact.tools.tool_result import Done, Failed, Refused
from tests.fakes.bench import ACT, PLAN, Bench


def decoded(name: str, arguments: Any) -> DecodedCall | Failed:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return decode_call(ToolCall(id="1", name=name, arguments=text), BY_NAME)


EDIT = {"path": "a.py", "edits": [{"old": "1", "new": "2"}]}
READ, LINES = {"path": "a"}, {"first_line": 3, "last_line": 9}
STEP = {"action": "Mend it"}


@pytest.mark.parametrize(
    ("name", "arguments", "tool", "own"),
    [
        # names
        ("Read", {"path": "a"}, "read_file", {"path": "a"}),
        ("readFile", {"path": "a"}, "read_file", {"path": "a"}),
        ("functions.read_file", {"path": "a"}, "read_file", {"path": "a"}),
        ("Edit", EDIT, "update_file", EDIT),
        ("bash", {"command": "ls"}, "execute_command", {"command": "ls"}),
        ("LS", {}, "list_directory", {}),
        # names of arguments
        ("Read", {"file_path": "a"}, "read_file", {"path": "a"}),
        ("read_file", {"filePath": "a", "startLine": 3}, "read_file", {"path": "a", "first_line": 3}),
        ("Write", {"file_path": "a", "content": "x"}, "create_file", {"path": "a", "content": "x"}),
        ("Edit", {"file_path": "a.py", "old_string": "1", "new_string": "2"}, "update_file", EDIT),
        ("str_replace", {"path": "a.py", "old_str": "1", "new_str": "2"}, "update_file", EDIT),
        ("MultiEdit", {"file_path": "a.py", "edits": [{"old_string": "1", "new_string": "2"}]}, "update_file", EDIT),
        ("apply_patch", {"input": "*** Begin Patch"}, "update_file", {"patch": "*** Begin Patch"}),
        ("Bash", {"command": "ls", "description": "look"}, "execute_command", {"command": "ls"}),
        ("Bash", {"command": "ls", "run_in_background": False}, "execute_command", {"command": "ls"}),
        (
            "run_in_terminal", {"command": "ls", "explanation": "look", "goal": "see", "isBackground": False},
            "execute_command", {"command": "ls"},
        ),
        (
            "replace_string_in_file",
            {"filePath": "a.py", "oldString": "1", "newString": "2", "explanation": "so"}, "update_file", EDIT,
        ),
        (
            "replace", {"file_path": "a.py", "instruction": "so", "old_string": "1", "new_string": "2"}, "update_file",
            EDIT,
        ),
        ("list_dir", {"relative_workspace_path": "a", "explanation": "look"}, "list_directory", {"path": "a"}),
        ("shell", {"command": ["bash", "-lc", "ls | wc"]}, "execute_command", {"command": "ls | wc"}),
        ("shell", {"command": ["ls", "a b"]}, "execute_command", {"command": "ls 'a b'"}),
        ("exec", {"cmd": "ls", "workdir": "x"}, "execute_command", {"command": "ls", "directory": "x"}),
        ("grep", {"query": "x"}, "search_code", {"pattern": "x"}),
        # forms of values
        ("write_plan", {"goal": "g", "steps": STEP}, "write_plan", {"goal": "g", "steps": [STEP]}),
        ("write_plan", {"goal": "g", "steps": json.dumps([STEP])}, "write_plan", {"goal": "g", "steps": [STEP]}),
        (
            "write_plan", {"goal": "g", "steps": [STEP | {"files": "a.py"}], "risks": "none known"}, "write_plan",
            {"goal": "g", "steps": [STEP | {"files": ["a.py"]}], "risks": ["none known"]},
        ),
        ("write_plan", {"goal": "g", "steps": ["Mend it"]}, "write_plan", {"goal": "g", "steps": [STEP]}),
        (
            "write_plan", {"title": "g", "plan": ["1. Mend it", "Step 2: Test it"]}, "write_plan",
            {"goal": "g", "steps": [STEP, {"action": "Test it"}]},
        ),
        (
            "write_plan",
            {"goal": "g", "steps": [{"id": "step-1", "title": "Mend it", "file": "a.py", "check": "make", "why": "w"}]},
            "write_plan",
            {"goal": "g", "steps": [STEP | {"files": ["a.py"], "validation_checks": ["make"], "reason": "w"}]},
        ),
        (
            "write_plan",
            {"goal": "g", "steps": [{"step": 1, "title": "Mend it.", "description": "- is +", "status": "pending"}]},
            "write_plan", {"goal": "g", "steps": [{"action": "Mend it: - is +"}]},
        ),
        (
            "write_plan", {"goal": "g", "steps": [{"description": "Mend it"}]}, "write_plan",
            {"goal": "g", "steps": [STEP]},
        ),
        ("read_file<|channel|>commentary", READ, "read_file", READ),
        ("Read", {"file_path": "a", "offset": 3, "limit": 7}, "read_file", READ | LINES),
        ("read_file", {"path": "a", "offset": "3"}, "read_file", READ | {"first_line": 3}),
        ("read_file", {"path": "a", "offset": 0, "limit": 9}, "read_file", READ | {"last_line": 9}),
        ("read_file", {"path": "a", "start_line": 3, "limit": 7}, "read_file", READ | LINES),
        ("update_file", {"path": "a.py", "edits": json.dumps(EDIT["edits"])}, "update_file", EDIT),
        ("update_file", {"path": "a.py", "edits": EDIT["edits"], "patch": None}, "update_file", EDIT),
        ("read_file", json.dumps(json.dumps({"path": "a"})), "read_file", {"path": "a"}),
        ("Read", {"file": "a", "first_line": "3", "lastLine": " 9"}, "read_file", READ | LINES),
        ("search_code", {"pattern": "x", "is_literal": "true"}, "search_code", {"pattern": "x", "is_literal": True}),
        ("create_file", '{"path": "a", "content": "x\ny"}', "create_file", {"path": "a", "content": "x\ny"}),
    ],
)  # fmt: skip
def test_what_can_mean_one_thing_is_taken_so(name: str, arguments: Any, tool: str, own: dict[str, Any]) -> None:
    found = decoded(name, arguments)
    assert isinstance(found, DecodedCall), found
    assert (found.tool.name, found.call.name) == (tool, tool)
    assert found.args == BY_NAME[tool].args.model_validate_json(json.dumps(own))
    assert BY_NAME[tool].args.model_validate_json(found.call.arguments) == found.args  # as the journal has it


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("make_file", {"path": "a"}, "UNKNOWN_TOOL"),
        ("TodoWrite", {"todos": []}, "UNKNOWN_TOOL"),
        ("", {}, "UNKNOWN_TOOL"),
        # what would be lost may change what is meant
        ("execute_command", {"command": "make", "dry_run": True}, "INVALID_ARGUMENTS"),
        ("update_file", {**EDIT, "dry_run": True}, "INVALID_ARGUMENTS"),
        ("Edit", {"path": "a", "old_string": "1", "new_string": "2", "expected_replacements": 3}, "INVALID_ARGUMENTS"),
        ("Bash", {"command": "make", "run_in_background": True}, "INVALID_ARGUMENTS"),
        ("write_plan", {"goal": "g", "steps": [STEP], "approved": True}, "INVALID_ARGUMENTS"),
        # two things may be meant
        ("read_file", {"file": "a", "filename": "b"}, "INVALID_ARGUMENTS"),
        ("read_file", {"path": "a", "file_path": "b"}, "INVALID_ARGUMENTS"),
        ("write_plan", {"goal": "g", "steps": [STEP | {"files": "a.py, b.py"}]}, "INVALID_ARGUMENTS"),
        ("write_plan", {"goal": "g", "steps": "mend it"}, "INVALID_ARGUMENTS"),
        ("write_plan", {"goal": "g", "steps": [STEP | {"step": 2}]}, "INVALID_ARGUMENTS"),
        ("write_plan", {"goal": "g", "steps": [STEP | {"status": "done"}]}, "INVALID_ARGUMENTS"),
        ("write_plan", {"goal": "g", "steps": [STEP | {"details": "a", "description": "b"}]}, "INVALID_ARGUMENTS"),
        ("write_plan", {"goal": "g", "steps": [" "]}, "INVALID_ARGUMENTS"),
        ("create_file", {"path": "a.json", "content": {"a": 1}}, "INVALID_ARGUMENTS"),
        ("create_file", {"path": "a", "content": ["x", "y"]}, "INVALID_ARGUMENTS"),
        ("execute_command", {"command": ["ls", 1]}, "INVALID_ARGUMENTS"),
        ("execute_command", {"command": []}, "INVALID_ARGUMENTS"),
        ("read_file", {"path": "a", "first_line": "three"}, "INVALID_ARGUMENTS"),
        ("read_file", {"path": None}, "INVALID_ARGUMENTS"),
        ("read_file", {"path": 1}, "INVALID_ARGUMENTS"),
        ("create_file", '{"path": "b.txt", "con', "INVALID_ARGUMENTS"),
        ("create_file", '["b.txt"]', "INVALID_ARGUMENTS"),
        ("create_file", "path=b.txt", "INVALID_ARGUMENTS"),
        ("create_file", "[" * 50_000, "INVALID_ARGUMENTS"),
    ],
)
def test_what_is_unsure_is_refused(name: str, arguments: Any, code: str) -> None:
    found = decoded(name, arguments)
    assert isinstance(found, Failed)
    assert (found.code, bool(found.hint)) == (code, True)


@pytest.mark.parametrize("tool", ["execute_command", "start_command"])
@pytest.mark.parametrize(
    ("command", "own"),
    [
        ("```bash\nls calc\n```", "ls calc"),
        ("```\ncd a\n  ls\n```\n", "cd a\n  ls"),
        ("```console\n$ ls\n```", "ls"),
        ("$ ls -l", "ls -l"),
        ("$ cd a\n$ ls", "cd a\nls"),
        # what a shell may be meant to read so
        ("`which ls` -l", "`which ls` -l"),
        ("cat <<'END'\n```\nls\n```\nEND", "cat <<'END'\n```\nls\n```\nEND"),
        ("echo a \\\n$ b", "echo a \\\n$ b"),
        ("$HOME/a", "$HOME/a"),
        ("$ ", "$ "),
        ("```\n\n```", "```\n\n```"),
    ],
)
def test_a_command_has_no_marks_of_a_document(tool: str, command: str, own: str) -> None:
    found = decoded(tool, {"command": command})
    assert isinstance(found, DecodedCall)
    assert found.args.model_dump()["command"] == own


def test_only_what_does_not_fit_is_told() -> None:
    found = decoded("Write", {"file_path": "a", "file_text": "x", "mode": 3})
    assert isinstance(found, Failed)
    assert found.message == "the arguments of create_file don't fit: mode: Extra inputs are not permitted"


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_keys_that_a_tool_does_not_have_are_left_out_by_those_that_read_alone(tool: Any) -> None:
    if tool.category not in ("read", "search"):
        for example in tool.examples:
            assert isinstance(decoded(tool.name, json.loads(example) | {"verbose": True}), Failed)
        return
    arguments = {
        "path": "a",
        "pattern": "x",
        "name": "x",
        "line": 1,
        "id": "1",
        "url": "https://a.example",
        "verbose": True,
    }
    found = decoded(
        tool.name, {key: arguments[key] for key in (*tool.args.model_fields, "verbose") if key in arguments}
    )
    assert isinstance(found, DecodedCall)
    assert f"{tool.name} has no `verbose`, which was left out" in found.notes


def test_the_model_is_told_how_its_call_was_read(tmp_path: Path) -> None:
    bench = Bench(tmp_path, ACT)
    bench.world.write("a.py", "x = 1\n")
    read = bench.run("Read", file_path="a.py", verbose=True)
    assert isinstance(read, Done)
    assert read.text.endswith(
        "\n[planact] `Read` is `read_file` here; `file_path` is `path` here; "
        "read_file has no `verbose`, which was left out."
    )
    edited = bench.run("Edit", file_path="a.py", old_string="none", new_string="2")
    assert isinstance(edited, Failed)
    assert ". `Edit` is `update_file` here; " in edited.hint
    assert edited.hint.endswith("an edit goes into `edits`.")


def test_what_runs_beside_the_work_has_a_tool_of_its_own() -> None:
    for key in ("run_in_background", "isBackground", "is_background"):
        found = decoded("Bash", {"command": "npm run dev", key: True})
        assert isinstance(found, Failed)
        assert found.hint.startswith("start_command starts a command that goes on beside the work")


@pytest.mark.parametrize("name", ["Write", "create_file"])
def test_the_gate_judges_what_was_meant(tmp_path: Path, name: str) -> None:
    outcome = Bench(tmp_path, PLAN).run(name, file_path="a.py", content="x")
    assert isinstance(outcome, Refused)
    assert (outcome.code, outcome.tool) == ("TOOL_BLOCKED_BY_MODE", "create_file")
    bench = Bench(tmp_path, replace(ACT, planned_files=frozenset()), "reject_once")
    assert isinstance(bench.run(name, file_path="a.py", content="x"), Refused)
    assert "`a.py`" in bench.listener.asked[0].question
    assert bench.world.tree() == {}


def test_arguments_of_an_mcp_server_are_never_touched() -> None:
    schema = {"type": "object", "properties": {"files": {"type": "array", "items": {"type": "string"}}}}
    listing = McpListing(
        "s",
        (McpTool(server="s", name="Read", description="", parameters=schema, says_read_only=True, fingerprint="f"),),
    )
    tools, _ = mcp_tools([listing], [])
    (name,) = tools
    for arguments in ('{"files": "a", "n": null}', '{"file_path": 1}'):
        found = decode_call(ToolCall(id="1", name=name, arguments=arguments), {**BY_NAME, **tools})
        assert isinstance(found, DecodedCall)
        assert (found.args.model_dump(), found.notes) == (json.loads(arguments), ())
    for other in (name.upper(), name.replace("_", "-"), f"functions.{name}"):
        found = decode_call(ToolCall(id="1", name=other, arguments="{}"), {**BY_NAME, **tools})
        assert isinstance(found, Failed)
