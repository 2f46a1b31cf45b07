"""Where no trial is held, commands that nobody knows run contained in Act, and are asked about once they want more."""

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from planact.adapters.store.git.footprints import FileFootprints
from planact.base.filetext import FileText
from planact.base.paths import Place
from tests.fakes.world import answer
from tests.workflows.scene import SAID, WRITE_A, Scene
from tests.workflows.test_outcomes import GENERATE, make_scene, run_it

PRINTS = "print('12 passed')"
WRITES = "open('lib.py', 'w').write('one = 2\\n')"


@pytest.fixture(autouse=True)
def without_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder is too large for them."""
    monkeypatch.setattr(FileFootprints, "can_try", lambda _: False)


def scene(root: Path, *lines: str, script: str, **more: object) -> Scene:
    it = make_scene(root, WRITE_A, *map(run_it, lines), SAID, script=script, **more)  # type: ignore[arg-type]
    if "contain" not in it.ws.ports.runner.enforced():
        pytest.skip("nothing here holds unknown commands")
    return it


def test_one_that_changes_nothing_runs_without_a_question(tmp_path: Path) -> None:
    it = scene(tmp_path, GENERATE, script=PRINTS)
    assert it.execute(step=1).status == "success"
    assert it.asked == []
    assert "12 passed" in it.said_last()
    assert (
        "(contained: it could change nothing but this session's temporary files and reach nothing, since"
        in it.said_last()
    )
    assert "call it again with network and why" in it.said_last()


def test_one_that_wants_to_write_is_asked_about_and_does_it_after_a_yes(tmp_path: Path) -> None:
    it = scene(tmp_path, GENERATE, GENERATE, script=WRITES)
    it.answers(answer(approval="always_allow"))
    assert it.execute(step=1).status == "success"
    [asked] = it.asked
    told = asked.questions[0].question
    assert "It was held back, since it wanted to do more than read, and the plan doesn't name it" in told
    assert it.world.read("lib.py") == "one = 2\n"
    assert "contained" not in it.said_last()


def test_after_a_no_it_changed_nothing_and_is_not_offered_again(tmp_path: Path) -> None:
    it = scene(tmp_path, GENERATE, GENERATE, script=WRITES)
    it.answers(answer(approval="reject_once"))
    it.execute(step=1)
    assert len(it.asked) == 1
    assert it.world.read("lib.py") == "one = 1\n"
    assert re.search("Permission denied|Read-only file system", it.said_last())


def test_one_that_was_kept_from_the_network_is_asked_about(tmp_path: Path) -> None:
    it = scene(tmp_path, GENERATE, script="import socket\nsocket.create_connection(('192.0.2.7', 9), 0.1)")
    it.answers(answer(approval="reject_once"))
    it.execute(step=1)
    assert len(it.asked) == 1


def test_a_database_that_cannot_be_written_is_told_as_held_back(tmp_path: Path) -> None:
    script = "import sqlite3\nsqlite3.connect('.coverage').execute('create table a (b)')"
    it = scene(tmp_path, GENERATE, script=script)
    it.answers(answer(approval="reject_once"))
    it.execute(step=1)
    assert len(it.asked) == 1


def test_who_wants_to_see_all_is_asked_before_and_who_accepts_all_is_not_asked(tmp_path: Path) -> None:
    for name in ("review", "acceptAll"):
        (tmp_path / name).mkdir()
    reviewed = scene(tmp_path / "review", GENERATE, script=PRINTS, approval="review")
    reviewed.answers(answer(approval="allow_once"), answer(approval="reject_once"))
    reviewed.execute(step=1)
    assert "REFUSED_BY_USER" in reviewed.said_last()
    assert "held back" not in reviewed.asked[-1].questions[0].question
    accepted = scene(tmp_path / "acceptAll", GENERATE, script=WRITES, approval="acceptAll")
    accepted.execute(step=1)
    assert accepted.asked == []
    assert accepted.world.read("lib.py") == "one = 2\n"


def test_what_is_known_to_change_something_is_asked_about_before(tmp_path: Path) -> None:
    it = scene(tmp_path, "rm setup.sh", script=PRINTS)
    it.answers(answer(approval="reject_once"))
    it.execute(step=1)
    [asked] = it.asked
    assert "held back" not in asked.questions[0].question


def test_it_sees_the_text_that_the_user_sees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    it = scene(tmp_path, GENERATE, script="print(open('lib.py').read())")

    async def save(places: Sequence[Place]) -> tuple[Place, ...]:
        for place in places:
            if buffer := it.world.editor.buffers.pop(place.shown, None):
                it.world.write(place.shown, buffer.text)
        return ()

    monkeypatch.setattr(it.world.editor, "save", save)
    it.world.editor.buffers["lib.py"] = FileText("one = 3\n", sha256=hashlib.sha256(b"one = 1\n").hexdigest())
    it.execute(step=1)
    assert "one = 3" in it.said_last()
    assert "(contained" in it.said_last()
