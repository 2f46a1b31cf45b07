"""What stays of a command on trial without a question is what the user meant: by their plan's step, or a rule."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from planact.model.notice import ToolNotice
from planact.model.plan import Step
from planact.model.question import NobodyThere
from planact.model.rights.permission import Mode
from planact.model.rights.rule import AllowedOutcome
from planact.model.runs.execution import FileChange
from planact.model.runs.journal import JournalEntry
from planact.workflows.chat.send_message import send_message
from planact.workflows.history.interruption import interrupted_step
from planact.workflows.history.journal_queries import own_runs
from planact.workflows.sessions.manage import new_session
from tests.fakes.world import answer, call, calls
from tests.workflows.scene import SAID, WRITE_A, WRITE_B
from tests.workflows.test_outcomes import GENERATE, make_scene, outcome_questions, run_it

POWERS = {
    "deleted": "os.remove(name)",
    "a link": "os.remove(name); os.symlink('/etc/hostname', name)",
    "a folder": "os.remove(name); os.mkdir(name)",
    "a program": "os.chmod(name, 0o755)",
    "for everybody": "os.chmod(name, 0o666)",
}


@pytest.mark.parametrize("power", POWERS)
def test_a_command_of_a_later_step_only_writes_what_an_earlier_one_wrote(tmp_path: Path, power: str) -> None:
    script = f"import os\nname = 'a.txt'\n{POWERS[power]}"
    it = make_scene(tmp_path, WRITE_A, SAID, WRITE_B, run_it(GENERATE), SAID, script=script)
    it.answers(answer(outcome="discard"))
    it.execute()
    assert len(outcome_questions(it)) == 1
    assert it.world.read("a.txt") == "hello\n"


def test_a_command_of_a_later_step_may_write_what_an_earlier_one_wrote(tmp_path: Path) -> None:
    script = "open('a.txt', 'a').write('and hello\\n')"
    it = make_scene(tmp_path, WRITE_A, SAID, WRITE_B, run_it(GENERATE), SAID, script=script)
    assert it.execute().status == "success"
    assert (outcome_questions(it), it.world.read("a.txt")) == ([], "hello\nand hello\n")


def test_in_one_step_a_command_may_take_away_what_the_agent_wrote(tmp_path: Path) -> None:
    tool = calls(call("create_file", path="once.py", content="x = 1\n"))
    it = make_scene(tmp_path, WRITE_A, tool, run_it(GENERATE), SAID, script="import os; os.remove('once.py')")
    it.world.editor.answers_by_name = {"approval": answer(approval="allow_once")}
    it.execute(step=1)
    assert outcome_questions(it) == []


@pytest.mark.parametrize("power", POWERS)
def test_a_rule_to_keep_what_a_command_writes_gives_that_file_no_more_power(tmp_path: Path, power: str) -> None:
    script = (
        "import os, pathlib\nname = 'setup.sh'\n"
        f"if 'more' in pathlib.Path(name).read_text():\n    {POWERS[power]}\n"
        "else:\n    open(name, 'a').write('more\\n')"
    )
    turns = (WRITE_A, run_it(GENERATE), SAID)
    it = make_scene(tmp_path, *turns, *turns, script=script)
    it.answers(answer(outcome="keep_always"), answer(outcome="discard"))
    it.execute(step=1)
    it.execute(step=1)
    assert len(outcome_questions(it)) == 2
    assert it.world.read("setup.sh") == "true\nmore\n"
    assert (tmp_path / "setup.sh").stat().st_mode & 0o777 == 0o644
    values = [[option.value for option in asked.questions[0].options] for asked in it.asked]
    assert ["keep_always" in each for each in values] == [True, False]


def test_a_rule_to_keep_what_a_command_writes_is_for_the_folder_where_it_ran(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/gen.py").write_text("open('../setup.sh', 'a').write('other\\n')")
    below = calls(call("execute_command", command=f"{GENERATE} | tail -3", directory="sub"))
    turns = (WRITE_A, run_it(GENERATE), SAID, *(WRITE_A, below, SAID) * 2)
    it = make_scene(tmp_path, *turns, script="open('setup.sh', 'a').write('more\\n')")
    it.world.editor.answers_by_name = {"outcome": answer(outcome="keep_always")}
    for _ in range(3):
        it.execute(step=1)
    assert [text.partition(" changed ")[0] for text in outcome_questions(it)] == [
        *("`python3 gen.py`", "`cd sub && python3 gen.py`")
    ]
    kept = {rule.allows for rule in it.ws.ports.rules.list()}
    assert kept == {
        AllowedOutcome(command=command, paths=("setup.sh",)) for command in (GENERATE, f"cd sub && {GENERATE}")
    }


@pytest.mark.parametrize(
    ("script", "wrote"),
    [
        ("open('b.txt', 'w').write('bye\\n')", {"b.txt": "bye\n"}),
        ("[open(f'n{at}.py', 'w').write('') for at in range(3)]", {}),
    ],
    ids=["of another step", "the last of many"],
)
def test_what_waits_for_the_next_run_is_judged_as_in_its_own_step(
    tmp_path: Path, script: str, wrote: Mapping[str, str]
) -> None:
    earlier = [run_it(f"touch m{at}.py && grep -q hello a.txt") for at in range(0 if wrote else 3)]
    asking = calls(call("ask_user", questions=[{"name": "q", "question": "Which?"}]))
    turns = (WRITE_A, *earlier, *([asking] if earlier else []), run_it(GENERATE))
    it = make_scene(tmp_path, *turns, SAID, SAID, script=script, most_turns=len(turns))
    it.world.editor.answers_by_name = {"outcome": answer(outcome="discard"), "q": answer(q="this")}
    assert it.execute(step=1).status == "paused"
    assert outcome_questions(it) == []
    it.execute(step=1)
    assert len(outcome_questions(it)) == 1
    assert not (tmp_path / "b.txt").exists()
    assert not [*tmp_path.glob("n*.py")]


@pytest.mark.parametrize("outcome", ["discard", "keep"])
def test_the_record_of_a_run_without_a_plan_names_the_files_that_stayed(tmp_path: Path, outcome: str) -> None:
    script = "open('setup.sh', 'a').write('more\\n')"
    it = make_scene(tmp_path, WRITE_A, run_it(GENERATE), SAID, script=script)
    it.session_id = new_session(it.ws, Mode.ACT).id
    it.world.editor.answers_by_name = {"approval": answer(approval="allow_once"), "outcome": answer(outcome=outcome)}
    asyncio.run(send_message(it.ws, it.session_id, "go"))
    [run] = own_runs(it.ws)
    stayed = ["setup.sh"] if outcome == "keep" else []
    assert [file.path for file in run.steps[0].files] == ["a.txt", *stayed]
    assert it.world.read("setup.sh") == ("true\nmore\n" if stayed else "true\n")


def test_after_a_kill_files_that_are_as_they_were_are_not_told_as_changed() -> None:
    changed = FileChange(path="setup.sh", before="one", after="two", by_command=True)
    put_back = changed.model_copy(update={"before": "two", "after": "one"})
    other = FileChange(path="a.txt", before="", after="three")
    step = Step(step_number=1, action="Write")
    data = [{"step": step.model_dump(), "attempt": 1}, *(each.model_dump() for each in (changed, other, put_back))]
    kinds = ("step_started", *("file_changed",) * 3)
    entries = [
        JournalEntry(number, "s", "e", kind, "", each)
        for number, (kind, each) in enumerate(zip(kinds, data, strict=True))
    ]
    found = interrupted_step(entries)
    assert found is not None
    assert [file.path for file in found.files] == ["a.txt"]


@pytest.mark.parametrize(
    ("said", "status"), [("Add a line to setup.sh", "nothing_done"), ("Try the script", "success")]
)
def test_the_user_is_told_of_what_was_put_back_while_nobody_was_there(tmp_path: Path, said: str, status: str) -> None:
    it = make_scene(tmp_path, run_it(GENERATE), SAID, script="open('setup.sh', 'a').write('more\\n')")
    it.session_id = new_session(it.ws, Mode.ACT).id
    it.answers(NobodyThere())
    result = asyncio.run(send_message(it.ws, it.session_id, said))
    [run] = own_runs(it.ws)
    told = "setup.sh was put back as it was before commands changed it, since nobody was there to be asked."
    shown = [notice.text for notice in it.world.editor.notices if isinstance(notice, ToolNotice)]
    assert [text for text in shown if text.startswith(told)] == [
        f"{told} The setting `outcomes` can keep such changes."
    ]
    assert (run.status, it.world.read("setup.sh")) == (status, "true\n")
    assert result.reason == (f"Nothing was changed: {told}" if status == "nothing_done" else "")
