"""Of files that a command made too large to be told by their content, those go that are still what it left."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from planact.model.notice import ToolNotice
from planact.model.question import NobodyThere, QuestionSet, Shown
from tests.fakes.world import answer
from tests.workflows.scene import SAID, WRITE_A, Scene
from tests.workflows.test_outcomes import GENERATE, make_scene, run_it

LARGE = 80_000_000
SCRIPT = f"import os\nos.truncate('setup.sh', {LARGE})\nopen('new.sh', 'wb').truncate({LARGE})"


def large_scene(root: Path, script: str = SCRIPT, **more: object) -> Scene:
    return make_scene(root, WRITE_A, run_it(GENERATE), SAID, SAID, script=script, **more)


def touched(path: Path) -> None:
    status = path.stat()
    with path.open("r+b") as file:
        file.write(b"mine")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def replaced(path: Path) -> None:
    path.unlink()
    with path.open("wb") as file:
        file.truncate(LARGE)


@pytest.mark.parametrize("change", [touched, replaced, lambda path: path.chmod(0o600)], ids=["written", "new", "mode"])
def test_what_the_user_changed_meanwhile_stays_and_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], object]
) -> None:
    it = large_scene(tmp_path)
    show = it.world.editor.show

    async def changing(question: QuestionSet, problem: str) -> Shown:
        change(tmp_path / "setup.sh")
        return await show(question, problem)

    monkeypatch.setattr(it.world.editor, "show", changing)
    it.answers(answer(outcome="discard"))
    it.execute(step=1)
    assert (tmp_path / "setup.sh").stat().st_size == LARGE
    assert not (tmp_path / "new.sh").exists()
    told = "setup.sh stayed"
    assert any(told in notice.text for notice in it.world.editor.notices if isinstance(notice, ToolNotice))
    assert any(told in message.content for message in it.ws.ports.sessions.messages(it.session_id))


def test_where_nobody_is_there_it_goes_too(tmp_path: Path) -> None:
    it = large_scene(tmp_path, outcomes="discard")
    it.answers(NobodyThere())
    it.execute(step=1)
    assert (it.world.read("setup.sh"), (tmp_path / "new.sh").exists()) == ("true\n", False)
