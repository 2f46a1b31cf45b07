"""Where nothing can be mounted, commands that nobody knows are tried, too, and asked about once they want more."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.fakes import world
from tests.fakes.world import answer
from tests.workflows.scene import SAID, WRITE_A, Scene
from tests.workflows.test_outcomes import GENERATE, make_scene, outcome_questions, run_it


@pytest.fixture(autouse=True)
def without_bubblewrap(monkeypatch: pytest.MonkeyPatch) -> None:
    found = world.probe_once()
    monkeypatch.setattr(world, "probe_once", lambda: replace(found, bubblewrap=None))


def scene(root: Path, *lines: str, script: str = "pass", **more: object) -> Scene:
    (root / "src").mkdir()
    (root / "src/code.py").write_text("one = 1\n")
    it = make_scene(root, WRITE_A, *map(run_it, lines), SAID, script=script, **more)  # type: ignore[arg-type]
    if "contain" not in it.ws.ports.runner.enforced():
        pytest.skip("needs Landlock 4")
    return it


def test_what_is_written_in_a_folder_is_judged_at_the_end_of_the_step(tmp_path: Path) -> None:
    it = scene(tmp_path, "sed -i 's/1/2/' src/code.py && chmod +x src/code.py", "touch src/new.py lib.py")
    it.answers(answer(outcome="discard"))
    assert it.execute(step=1).status == "success"
    assert len(outcome_questions(it)) == len(it.asked) == 1
    assert (it.world.read("src/code.py"), (tmp_path / "src/new.py").exists()) == ("one = 1\n", False)
    assert (tmp_path / "src/code.py").stat().st_mode & 0o111 == 0


def test_a_file_that_the_plan_names_is_written_without_a_question(tmp_path: Path) -> None:
    it = scene(tmp_path, GENERATE, script="open('a.txt', 'a').write('more\\n')")
    assert it.execute(step=1).status == "success"
    assert it.asked == []
    assert "more" in it.world.read("a.txt")


@pytest.mark.parametrize(("chosen", "is_made"), [("allow_once", True), ("reject_once", False)])
def test_what_can_only_be_made_with_more_rights_is_asked_about_by_its_name(
    tmp_path: Path, chosen: str, *, is_made: bool
) -> None:
    script = "open('src/code.py', 'a').write('two = 2\\n'); open('made.txt', 'w').write('x')"
    it = scene(tmp_path, GENERATE, script=script)
    it.answers(answer(approval=chosen), answer(outcome="keep"))
    it.execute(step=1)
    told = it.asked[0].questions[0].question
    assert "It was held back, since it wanted `made.txt`, and the plan doesn't name it" in told
    assert (tmp_path / "made.txt").exists() is is_made
    assert ("two" in it.world.read("src/code.py")) is is_made
    assert is_made or len(it.asked) == 1


def test_one_that_wants_the_network_is_asked_about(tmp_path: Path) -> None:
    it = scene(tmp_path, GENERATE, script="import socket\nsocket.create_connection(('127.0.0.1', 9), 0.1)")
    it.answers(answer(approval="reject_once"))
    it.execute(step=1)
    assert "since it wanted the network" in it.asked[0].questions[0].question
