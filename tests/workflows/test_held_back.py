"""A command that its trial held back is offered again with exactly what it wanted, and a yes gives it no more."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from planact.adapters.sandbox.choose import probe
from tests.fakes.world import Turn, answer
from tests.workflows.scene import PLAN, SAID, WRITE_A, Scene
from tests.workflows.test_outcomes import GENERATE, adapted, make_scene, run_it

YES, NO = answer(approval="allow_once"), answer(approval="reject_once")


def held_scene(tmp_path: Path, script: str, *turns: Turn) -> Scene:
    """A scene with a database that git ignores, and a file and a secret elsewhere."""
    (tmp_path / "data.sqlite").write_text("rows\n")
    (elsewhere := elsewhere_of(tmp_path)).mkdir()
    for name in ("words", "others"):
        (elsewhere / name).write_text(f"text of {name}\n")
    begin = f"import os, socket, sys\nELSE = {str(elsewhere)!r}\n"
    return make_scene(tmp_path, WRITE_A, *turns, SAID, script=begin + script, ignored="data.sqlite\n")


def elsewhere_of(tmp_path: Path) -> Path:
    return tmp_path.with_name(f"{tmp_path.name}-elsewhere")


REACHES_MORE = """
for reach in (lambda: open(ELSE + '/others').read(), lambda: open('uploads/x', 'a').close(),
              lambda: socket.create_connection(('192.0.2.1', 9), 0.1)):
    try:
        reach()
        print('reached more')
    except OSError as error:
        print(type(error).__name__)
"""


def test_a_command_may_change_what_it_wanted_after_a_yes_and_reaches_no_more(tmp_path: Path) -> None:
    script = "open('setup.sh', 'a').write('x')\nopen('data.sqlite', 'a').write('more\\n')"
    it = held_scene(tmp_path, script + REACHES_MORE, run_it(GENERATE))
    it.answers(YES, answer(outcome="keep"))
    it.execute(step=1)
    first, second = (asked.questions[0] for asked in it.asked)
    assert "since it wanted `data.sqlite`" in first.question
    assert f"it runs as before, and may use {tmp_path}/data.sqlite" in first.options[0].description
    assert [option.value for option in first.options] == ["allow_once", "reject_once", "reject_and_stop"]
    assert second.name == "outcome"
    assert (it.world.read("data.sqlite"), it.world.read("setup.sh")) == ("rows\nmore\n", "true\nx")
    told = it.said_last()
    assert "reached more" not in told
    assert "exit code 0" in told


def test_a_database_that_git_ignores_is_asked_about_by_its_name(tmp_path: Path) -> None:
    it = held_scene(
        tmp_path,
        "import sqlite3\nwith sqlite3.connect('data.sqlite') as it: it.execute('delete from t')",
        run_it(GENERATE),
    )
    (tmp_path / "data.sqlite").unlink()
    with closing(sqlite3.connect(tmp_path / "data.sqlite")) as made, made:
        made.executescript("create table t (x); insert into t values (1)")
    it.answers(YES)
    it.execute(step=1)
    [asked] = it.asked
    assert "since it wanted `data.sqlite`" in asked.questions[0].question
    with closing(sqlite3.connect(tmp_path / "data.sqlite")) as made:
        assert made.execute("select * from t").fetchall() == []


def test_a_command_that_reads_files_elsewhere_is_asked_about_each_of_them_once(tmp_path: Path) -> None:
    script = "print(open(ELSE + '/words').read(), open(ELSE + '/others').read())\nopen('setup.sh', 'a').write('x')"
    it = held_scene(tmp_path, script, run_it(GENERATE), run_it(GENERATE))
    it.answers(YES, YES, answer(outcome="discard"))
    execution = it.execute(step=1)
    elsewhere = elsewhere_of(tmp_path)
    questions = [asked.questions[0].question for asked in it.asked]
    assert f"since it wanted `{elsewhere / 'words'}`" in questions[0]
    assert f"since it wanted `{elsewhere / 'others'}`" in questions[1]
    assert [asked.questions[0].name for asked in it.asked] == ["approval", "approval", "outcome"]
    for told in (it.said_last(-2), it.said_last()):
        assert "text of words" in told
        assert "text of others" in told
    assert it.world.read("setup.sh") == "true\n"
    assert adapted(execution) == []


def test_what_the_user_did_not_give_is_not_asked_for_again(tmp_path: Path) -> None:
    it = held_scene(tmp_path, "print(open(ELSE + '/words').read())", run_it(GENERATE), run_it(GENERATE))
    it.answers(NO)
    it.execute(step=1)
    assert len(it.asked) == 1
    assert "text of words" not in it.said_last(-2) + it.said_last()


def test_a_folder_around_the_work_is_never_opened_on_trial(tmp_path: Path) -> None:
    script = f"print('Permission denied: {tmp_path.parent}'); sys.exit(1)"
    it = held_scene(tmp_path, script, run_it(GENERATE))
    it.answers(NO)
    it.execute(step=1)
    [asked] = it.asked
    assert "has the network that your settings give" in asked.questions[0].options[0].description


@pytest.mark.parametrize("name", [".venv", "env"])
def test_a_command_that_makes_a_folder_of_packages_is_asked_about(tmp_path: Path, name: str) -> None:
    line = f"python3 -m venv --without-pip {name}"
    it = held_scene(tmp_path, "", run_it(line))
    it.answers(YES)
    it.execute(step=1)
    [asked] = it.asked
    assert f"since it wanted `{name}`" in asked.questions[0].question
    assert "has the network that your settings give" in asked.questions[0].options[0].description
    assert (tmp_path / name / "bin/python3").exists()
    assert "exit code 0" in it.said_last()


def test_after_a_no_nothing_is_left_of_a_folder_of_packages_nor_of_what_came_with_it(tmp_path: Path) -> None:
    it = held_scene(tmp_path, "", run_it("echo x > made.sh && python3 -m venv --without-pip .venv"))
    it.world.editor.answers_by_name = {"approval": NO, "outcome": answer(outcome="keep")}
    it.execute(step=1)
    assert [asked.questions[0].name for asked in it.asked] == ["approval"]
    assert not (tmp_path / ".venv").exists()
    assert not (tmp_path / "made.sh").exists()


def test_a_command_that_wanted_two_things_is_asked_about_the_one_that_a_yes_gives(tmp_path: Path) -> None:
    script = (
        "try:\n    socket.create_connection(('192.0.2.1', 9), 0.1)\nexcept OSError:\n    pass\n"
        "open('data.sqlite', 'a').write('more\\n')"
    )
    it = held_scene(tmp_path, script, run_it(GENERATE))
    it.answers(YES)
    it.execute(step=1)
    [asked] = it.asked
    assert "since it wanted `data.sqlite`" in asked.questions[0].question
    assert it.world.read("data.sqlite") == "rows\nmore\n"


LISTENS = "import tempfile\nsocket.socket(socket.AF_UNIX).bind(tempfile.mkdtemp() + '/s')\nprint('listens')\n"
NEEDS_BUBBLEWRAP = pytest.mark.skipif(not probe().bubblewrap, reason="the jail needs bubblewrap")


def checked_scene(tmp_path: Path, script: str) -> Scene:
    """A scene whose step is checked by the script."""
    it = held_scene(tmp_path, script)
    it.write_plan(PLAN.replace("grep -q hello a.txt", GENERATE))
    return it


@NEEDS_BUBBLEWRAP
def test_a_check_that_needs_sockets_of_its_own_runs_on_trial_without_a_question(tmp_path: Path) -> None:
    it = checked_scene(tmp_path, LISTENS)
    execution = it.execute(step=1)
    [check] = execution.steps[0].checks
    assert (check.passed, check.output, it.asked) == (True, "listens\n", [])


@NEEDS_BUBBLEWRAP
def test_what_such_a_check_changed_is_judged(tmp_path: Path) -> None:
    it = checked_scene(tmp_path, LISTENS + "open('setup.sh', 'a').write('x')")
    it.answers(answer(outcome="discard"))
    execution = it.execute(step=1)
    assert [asked.questions[0].name for asked in it.asked] == ["outcome"]
    assert execution.steps[0].checks[0].passed
    assert it.world.read("setup.sh") == "true\n"


@NEEDS_BUBBLEWRAP
@pytest.mark.parametrize("wanted", ["open(ELSE + '/words', 'a')", "socket.create_connection(('192.0.2.1', 9), 0.1)"])
def test_a_check_that_fails_on_trial_too_stays_held(tmp_path: Path, wanted: str) -> None:
    refused = "sys.exit('PermissionError: Operation not permitted')"
    script = f"open('setup.sh', 'a').write('x')\ntry: {wanted}\nexcept OSError: {refused}\n"
    it = checked_scene(tmp_path, script)
    execution = it.execute(step=1)
    assert (execution.steps[0].checks[0].ended, it.asked) == ("held", [])
    assert it.world.read("setup.sh") == "true\nx"  # by the approved command; the one on trial was put back


@pytest.mark.parametrize("ignored", ["*.sqlite\n", "*.sqlite*\n"])
def test_a_yes_to_a_database_is_one_to_what_it_keeps_beside_it(tmp_path: Path, ignored: str) -> None:
    write = "import os, sqlite3\nit = sqlite3.connect('data.sqlite')\nit.execute('delete from t')\nit.commit()\n"
    script = f"{write}os._exit(0)"
    it = make_scene(tmp_path, WRITE_A, run_it(GENERATE), SAID, script=script, ignored=ignored)
    with closing(sqlite3.connect(tmp_path / "data.sqlite")) as others:
        others.execute("pragma journal_mode=wal")
        others.executescript("create table t (x); insert into t values (1)")
        others.commit()
        it.world.editor.answers_by_name = {"approval": YES, "outcome": answer(outcome="keep")}
        it.execute(step=1)
        assert "exit code 0" in it.said_last()
        assert [asked.questions[0].name for asked in it.asked] == ["approval"]
        assert others.execute("select * from t").fetchall() == []
    assert (tmp_path / "data.sqlite").exists()
