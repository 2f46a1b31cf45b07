import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from planact.base.errors import StorageFailure
from planact.base.filetext import FileText
from planact.model.notice import ToolNotice
from planact.model.runs.touch import Touch
from planact.policy.context import PolicyContext
from planact.tools.registry import BY_NAME, TOOLS
from planact.tools.tool import Tool
from planact.tools.tool_result import Done, Failed, Refused
from tests.fakes.bench import ACT, PLAN, Bench
from tests.fakes.world import call


def test_a_call_is_written_down_before_it_acts(tmp_path: Path) -> None:
    bench = Bench(tmp_path, ACT)
    bench.world.write("a.py", "x = 1\n")
    outcome = bench.run("update_file", path="a.py", edits=[{"old": "1", "new": "2"}])
    assert outcome == Done("changed a.py: 1 place")
    assert bench.world.read("a.py") == "x = 2\n"
    assert [line for line in bench.world.log("journal", "editor.apply") if line[0] != "journal.keep"] == [
        ("journal.append", "call_started"),
        ("journal.append", "files_changing"),
        ("editor.apply", "Edit a.py"),
        ("journal.append", "file_changed"),
        ("journal.append", "call_finished"),
    ]
    assert [entry.kind for entry in bench.world.store.journal.unsynced] == ["call_finished"]


def test_a_call_that_reads_is_written_down_without_waiting_for_the_disk(tmp_path: Path) -> None:
    bench = Bench(tmp_path, ACT)
    bench.world.write("a.py", "x = 1\n")
    assert isinstance(bench.run("read_file", path="a.py"), Done)
    assert [entry.kind for entry in bench.world.store.journal.unsynced] == ["call_started", "call_finished"]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("fetch_page", {"url": "http://example.org/"}),
        ("ask_user", {"questions": [{"name": "colour", "question": "Which colour?"}]}),
    ],
)
def test_a_call_that_does_more_than_read_files_waits_for_the_disk(
    tmp_path: Path, tool: str, arguments: dict[str, object]
) -> None:
    """A page and a question need no right but to read."""
    bench = Bench(tmp_path, ACT, "allow_once")
    bench.run(tool, **arguments)
    journal = bench.world.store.journal
    assert "call_started" in [entry.kind for entry in journal.entries]
    assert "call_started" not in [entry.kind for entry in journal.unsynced]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("update_file", {"path": "a.py", "edits": [{"old": "1", "new": "2"}]}),
        ("create_file", {"path": "b.py", "content": "x"}),
        ("delete_file", {"path": "a.py"}),
        ("execute_command", {"command": "touch b.py"}),
    ],
)
def test_a_call_that_is_allowed_acts_no_more_once_the_user_switched_to_plan(
    tmp_path: Path, tool: str, arguments: dict[str, object]
) -> None:
    bench = Bench(tmp_path, replace(ACT, approval="acceptAll"))
    bench.world.write("a.py", "x = 1\n")
    looks: list[None] = []

    async def look(act: Callable[[], object]) -> object:
        looks.append(None)
        bench.standing = bench.standing if len(looks) == 1 else PLAN  # the first is for the verdict
        return act()

    bench.turn = replace(bench.turn, refresh=look)
    outcome = bench.run(tool, **arguments)
    assert not isinstance(outcome, Done)
    assert outcome.code in ("TOOL_BLOCKED_BY_MODE", "MODE_CONFLICT")
    assert len(looks) == 2
    assert bench.world.tree() == {"a.py": b"x = 1\n"}


def test_the_bytes_before_a_change_are_kept(tmp_path: Path) -> None:
    bench = Bench(tmp_path, ACT)
    bench.world.write("a.py", "x = 1\n")
    bench.run("update_file", path="a.py", edits=[{"old": "1", "new": "2"}])
    entry = next(e for e in bench.world.store.journal.entries if e.kind == "files_changing")
    [touch] = (Touch.model_validate(data) for data in entry.data["touches"])
    assert touch.before is not None
    images = bench.world.store.journal.images
    assert (touch.path, images[touch.before.sha256], images[touch.after.sha256]) == ("a.py", b"x = 1\n", b"x = 2\n")


WRITES_IN_PLAN = [
    ("create_file", {"path": "new.py", "content": "x"}),
    ("update_file", {"path": "a.py", "edits": [{"old": "1", "new": "2"}]}),
    ("update_file", {"patch": "*** Begin Patch\n*** Add File: n.py\n+x\n*** End Patch"}),
    (
        "update_file",
        {"patch": "*** Begin Patch\n*** Update File: a.py\n*** Move to: a.plan\n@@\n-x = 1\n+x\n*** End Patch"},
    ),
    ("rename_file", {"path": "a.py", "new_path": "b.plan"}),
    ("rename_file", {"path": "p.plan", "new_path": "b.py"}),
    ("delete_file", {"path": "a.py"}),
    ("delete_file", {"path": "p.plan"}),
    ("delete_file", {"path": "link.plan"}),
    ("rename_file", {"path": "link.plan", "new_path": "b.plan"}),
    ("make_directory", {"path": "src"}),
    ("execute_command", {"command": "touch x"}),
    ("execute_command", {"command": "ls", "directory": "out"}),
    ("execute_command", {"command": "ls; touch x"}),
    ("create_file", {"path": "x.plan/../y.py", "content": "x"}),
    ("create_file", {"path": "folder.plan/y.py", "content": "x"}),
    ("update_file", {"path": "link.plan", "edits": [{"old": "1", "new": "2"}]}),
    ("create_file", {"path": "../outside.plan", "content": "x"}),
    ("create_file", {"path": "out/x.plan", "content": "x"}),
    ("create_file", {"path": ".git/x.plan", "content": "x"}),
]


@pytest.mark.parametrize(("tool", "arguments"), WRITES_IN_PLAN)
def test_in_plan_a_write_is_refused_recorded_and_leaves_the_disk_alone(
    tmp_path: Path, tool: str, arguments: dict[str, object]
) -> None:
    root = tmp_path / "ws"
    bench = Bench(root, PLAN, "allow_once")
    for name in ("a.py", "p.plan", "folder.plan/z", ".git/config"):
        bench.world.write(name, "x = 1\n")
    (root / "link.plan").symlink_to(root / "a.py")
    (tmp_path / "elsewhere").mkdir()
    (root / "out").symlink_to(tmp_path / "elsewhere")
    before = bench.world.tree()
    outcome = bench.run(tool, **arguments)
    assert isinstance(outcome, Refused)
    assert outcome.code in ("TOOL_BLOCKED_BY_MODE", "PATH_PROTECTED", "PATH_OUTSIDE_WORKSPACE")
    assert bench.world.tree() == before
    assert not list((tmp_path / "elsewhere").iterdir())
    assert bench.listener.asked == []
    assert bench.world.events() == ["tool_refused", "disallowed_tool_attempt_in_planning"]
    assert [entry.kind for entry in bench.world.store.journal.entries] == ["call_refused"]


def test_the_model_is_told_of_a_refusal_in_a_form_programs_read(tmp_path: Path) -> None:
    outcome = Bench(tmp_path, PLAN).run("create_file", path="x.py", content="")
    error = json.loads(outcome.for_model())["error"]
    assert {key: error[key] for key in ("code", "mode", "tool", "layer", "message")} == {
        "code": "TOOL_BLOCKED_BY_MODE",
        "mode": "plan",
        "tool": "create_file",
        "layer": "policy",
        "message": "System is in Plan Mode. You can only modify the plan. Switch to Act Mode to apply changes.",
    }


def test_in_plan_a_plan_document_can_be_written(tmp_path: Path) -> None:
    bench = Bench(tmp_path, PLAN)
    assert isinstance(bench.run("create_file", path="a.plan", content="# x\n"), Done)
    assert bench.world.read("a.plan") == "# x\n"


def test_what_the_step_does_not_name_is_asked_and_a_no_is_a_no(tmp_path: Path) -> None:
    bench = Bench(tmp_path, ACT, "reject_once")
    outcome = bench.run("create_file", path="other.py", content="x")
    assert isinstance(outcome, Refused)
    assert (outcome.code, outcome.layer, outcome.stops) == ("REFUSED_BY_USER", "user", False)
    assert bench.world.tree() == {}


def test_a_yes_lets_one_call_pass(tmp_path: Path) -> None:
    bench = Bench(tmp_path, ACT, "allow_once")
    assert isinstance(bench.run("create_file", path="other.py", content="x"), Done)
    assert "other.py" in bench.listener.asked[0].question


def test_a_switch_to_plan_while_the_user_is_asked_refuses_what_they_allow(tmp_path: Path) -> None:
    bench = Bench(tmp_path, ACT, "allow_once")
    bench.listener.meanwhile = lambda: setattr(bench, "standing", PLAN)
    outcome = bench.run("create_file", path="other.py", content="x")
    assert isinstance(outcome, Refused)
    assert outcome.code == "TOOL_BLOCKED_BY_MODE"
    assert bench.world.tree() == {}


def test_a_link_put_in_place_while_the_user_is_asked_leads_nowhere(tmp_path: Path) -> None:
    root = tmp_path / "ws"
    bench = Bench(root, ACT, "allow_once")
    bench.world.write("sub/keep", "")
    target = tmp_path / "target"
    target.mkdir()

    def swap() -> None:
        (root / "sub/keep").unlink()
        (root / "sub").rmdir()
        (root / "sub").symlink_to(target)

    bench.listener.meanwhile = swap
    outcome = bench.run("create_file", path="sub/x.py", content="x")
    assert isinstance(outcome, Refused)
    assert outcome.code == "PATH_OUTSIDE_WORKSPACE"
    assert not list(target.iterdir())


def test_a_misspelt_tool_is_answered_with_the_nearest_and_shown_to_the_user(tmp_path: Path) -> None:
    bench = Bench(tmp_path, PLAN)
    outcome = bench.run("reed_file", path="a.py")
    assert outcome == Failed("UNKNOWN_TOOL", "no tool named 'reed_file'", "did you mean 'read_file'?")
    [notice] = bench.world.editor.notices
    assert notice == ToolNotice("s", "reed_file", outcome.message, outcome.code)


@pytest.mark.parametrize(("standing", "tool"), [(ACT, "write_plan"), (PLAN, "start_command")])
def test_an_unknown_tool_is_answered_with_those_that_are_offered(
    tmp_path: Path, standing: PolicyContext, tool: str
) -> None:
    outcome = Bench(tmp_path, standing).run("think", thought="hm")
    assert isinstance(outcome, Failed)
    assert outcome.hint.startswith("The tools are read_file, list_directory, ")
    assert tool not in outcome.hint
    misspelt = Bench(tmp_path, standing).run(f"{tool}s")
    assert isinstance(misspelt, Failed)
    assert f"'{tool}'" not in misspelt.hint


@pytest.mark.parametrize(
    "arguments", ["", "nonsense", "[]", '{"path": 1}', '{"path": "a", "file": "b"}', '{"path": "a"']
)
def test_malformed_arguments_go_back_to_the_model(tmp_path: Path, arguments: str) -> None:
    bench = Bench(tmp_path, PLAN)
    made = call("read_file").model_copy(update={"arguments": arguments})
    outcome = asyncio.run(bench.world.ws.gate.call(made, bench.turn))
    assert isinstance(outcome, Failed)
    assert outcome.code == "INVALID_ARGUMENTS"


def test_a_call_that_can_not_be_written_down_is_not_run(tmp_path: Path) -> None:
    bench = Bench(tmp_path, ACT)

    def full(*_: object, **__: object) -> int:
        raise StorageFailure("STORAGE_UNWRITABLE", "the disk is full")

    journal = bench.world.store.journal
    journal.append = full  # type: ignore[method-assign]
    with pytest.raises(StorageFailure):
        bench.run("create_file", path="a.py", content="x")
    assert bench.world.tree() == {}


def test_a_call_that_is_cancelled_is_written_down_as_interrupted(tmp_path: Path) -> None:
    bench = Bench(tmp_path, replace(ACT, planned_commands=frozenset({"sleep 30"})))

    async def cancel() -> None:
        task = asyncio.ensure_future(bench.world.ws.gate.call(call("execute_command", command="sleep 30"), bench.turn))
        await asyncio.sleep(0.3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())
    last = bench.world.store.journal.entries[-1]
    assert (last.kind, last.data["outcome"]) == ("call_finished", "interrupted")


def test_reads_see_unsaved_buffers(tmp_path: Path) -> None:
    bench = Bench(tmp_path, PLAN)
    bench.world.write("a.py", "on disk\n")
    bench.world.editor.buffers["a.py"] = FileText("in the editor\n", version=3)
    outcome = bench.run("read_file", path="a.py")
    assert isinstance(outcome, Done)
    assert "in the editor" in outcome.text
    assert bench.run("search_code", pattern="in the") == Done("a.py:1: in the editor")
    assert bench.run("search_code", pattern="on disk") == Done("nothing matches 'on disk' below .")


def test_tools_that_change_something_never_count_as_read_only() -> None:
    assert {tool.name for tool in TOOLS} == set(BY_NAME)
    changing = {"create_file", "update_file", "rename_symbol", "code_action", "rename_file", "delete_file"}
    changing |= {"make_directory", "execute_command", "start_command", "read_output", "stop_command"}
    assert not [name for name in changing if BY_NAME[name].read_only]
    reading = {"read_file", "list_directory", "find_files", "search_code", "search_symbol", "find_definition"}
    reading |= {"find_references", "get_diagnostics", "get_file_info", "fetch_page", "ask_user", "write_plan"}
    assert not [name for name in {*reading, "exit_plan_mode", "delegate"} if not BY_NAME[name].read_only]


@pytest.mark.parametrize("tool", TOOLS, ids=[tool.name for tool in TOOLS])
def test_the_permissions_of_a_tool_fit_its_category(tool: Tool[Any]) -> None:
    piece = f"{tool.name}.py below server/planact/tools/builtin"
    expected = tool.category not in ("write", "execute")
    assert tool.read_only == expected, f"{piece}: set `category` and `required_permissions` so that they fit"


def test_calls_and_refusals_are_events_that_say_whose_they_were_and_in_which_mode(tmp_path: Path) -> None:
    bench = Bench(tmp_path, PLAN)
    bench.run("list_directory", path=".")
    bench.run("reed_file", path="a.py")
    bench.run("create_file", path="a.py", content="x")
    bench.standing = ACT
    bench.listener.answers.append("reject_once")
    bench.run("create_file", path="b.py", content="x")
    whose = {"mode": "plan", "model": "a model"}
    refused = {
        "tool": "create_file",
        **whose,
        "layer": "policy",
        "code": "TOOL_BLOCKED_BY_MODE",
        "message": "System is in Plan Mode. You can only modify the plan. Switch to Act Mode to apply changes.",
    }
    declined = {"layer": "user", "code": "REFUSED_BY_USER", "message": "The user said no to this call."}
    assert [(event.kind, event.data) for event in bench.world.store.events.list()] == [
        ("tool_called", {"tool": "list_directory", **whose, "outcome": "done"}),
        ("tool_called", {"tool": "reed_file", **whose, "outcome": "UNKNOWN_TOOL"}),
        ("tool_refused", refused),
        ("disallowed_tool_attempt_in_planning", refused),
        ("tool_refused", {"tool": "create_file", "mode": "act", "model": "a model", **declined}),
    ]


def test_a_refusal_that_cannot_be_written_down_is_none_the_less_one(tmp_path: Path) -> None:
    bench = Bench(tmp_path, PLAN)

    def full(*_: object, **__: object) -> int:
        raise StorageFailure("STORAGE_UNWRITABLE", "the disk is full")

    bench.world.store.journal.append = full  # type: ignore[method-assign]
    with pytest.raises(StorageFailure):
        bench.run("create_file", path="a.py", content="x")
    assert bench.world.tree() == {}
