"""What a run writes down where a step is done otherwise than the plan says: other files, other tools."""

from pathlib import Path

from planact.model.settings import LimitSettings, Settings
from tests.fakes.world import Turn, answer, call, calls
from tests.workflows.scene import PLAN, SAID, WRITE_A, Scene


def scene(root: Path, *turns: Turn, text: str = PLAN) -> Scene:
    made = Scene(root, *turns)
    made.write_plan(text)
    return made


def test_a_tool_that_the_step_did_not_name_is_written_down_as_an_adaptation(tmp_path: Path) -> None:
    text = PLAN.replace("  - files: a.txt\n", "  - files: a.txt\n  - tools: update_file\n")
    checked = calls(call("execute_command", command="grep -q hello a.txt"))
    it = scene(tmp_path, WRITE_A, checked, SAID, text=text)
    execution = it.execute(step=1)
    [adaptation] = execution.adaptations
    assert execution.steps[0].adaptations == (adaptation,)
    assert (adaptation.reason, adaptation.adapted_action) == (
        *("the step did not name this tool", "also used create_file: a.txt"),
    )
    assert len(it.document().tree.adaptations) == 1


def test_a_tool_is_told_with_the_file_that_it_changed_where_the_step_named_neither(tmp_path: Path) -> None:
    text = PLAN.replace("  - files: a.txt\n", "  - files: a.txt\n  - tools: create_file\n")
    edit = [{"old": "hello", "new": "hello there"}]
    late = calls(call("update_file", path="a.txt", edits=edit), call("delete_file", path="a.txt"))
    others = calls(
        *(call("update_file", path=path, edits=edit) for path in ("b.txt", "c.txt")), call("read_file", path="a.txt")
    )
    it = scene(tmp_path, WRITE_A, others, late, SAID, text=text)
    for name in ("b.txt", "c.txt"):
        it.world.write(name, "hello\n")
    it.ws.settings = Settings(model="played", approval="acceptEdits", limits=LimitSettings(repairs=0))
    it.answers(answer(approval="allow_once"), answer(approval="allow_once"), answer(failed="pause"))
    assert [(each.reason, each.adapted_action) for each in it.execute(step=1).steps[0].adaptations] == [
        ("another step names this file, and this one did not name the tool", "also changed b.txt with update_file"),
        ("the step did not name this file, nor this tool", "also changed c.txt with update_file"),
        ("the step did not name this tool", "also used delete_file: a.txt"),
    ]


def test_a_file_the_step_did_not_name_is_asked_for_and_written_down_as_an_adaptation(tmp_path: Path) -> None:
    more = calls(call("create_file", path="a.txt", content="hello\n"), call("create_file", path="c.txt", content=""))
    it = scene(tmp_path, more, SAID)
    it.answers(answer(approval="allow_once"))
    record = it.execute(step=1).steps[0]
    assert [question.purpose for question in it.asked] == ["approval"]
    assert [change.path for change in record.files] == ["a.txt", "c.txt"]
    assert [adaptation.adapted_action for adaptation in record.adaptations] == ["also changed c.txt"]
    assert len(it.document().tree.adaptations) == 1


def test_a_large_deviation_pauses_once_with_what_it_would_change_and_is_written_down(tmp_path: Path) -> None:
    more = call("update_file", path="b.txt", edits=[{"old": "bye", "new": "byebye"}])
    it = scene(tmp_path, WRITE_A, calls(call("create_file", path="b.txt", content="bye\n")), calls(more), SAID)
    it.ws.settings = Settings(model="played", approval="acceptEdits")
    it.answers(answer(approval="allow_once"))
    [record] = it.execute(step=1).steps
    [asked] = it.asked
    assert asked.questions[0].question == ("Create `b.txt`? It changes b.txt, which only other steps of the plan name.")
    assert "+bye" in asked.questions[0].context
    assert it.world.read("b.txt") == "byebye\n"
    assert [(each.reason, each.adapted_action) for each in record.adaptations] == [
        ("another step names this file", "also changed b.txt")
    ]


def test_the_folder_of_a_file_that_the_step_names_is_no_adaptation(tmp_path: Path) -> None:
    made = calls(call("create_file", path="new/a.txt", content="hello\n"))
    it = scene(tmp_path, made, SAID, text=PLAN.replace("a.txt", "new/a.txt"))
    record = it.execute(step=1).steps[0]
    assert ([change.path for change in record.files], record.adaptations) == (["new/a.txt"], ())
