"""The work that is told of a session, and that of others beside it."""

from pathlib import Path

from planact.model.rights.permission import Mode
from planact.workflows.sessions.manage import change_session, new_session
from planact.workflows.work.left import works_left
from tests.fakes.world import answer, call, calls
from tests.workflows.rolled_back import THREE, scene
from tests.workflows.scene import PATH, Scene

OTHER = "other.plan"


def paused(root: Path) -> Scene:
    it = scene(root, calls(call("create_file", path="c.txt", content="")))
    it.answers(answer(approval="reject_and_stop"))
    assert it.execute().status == "paused"
    return it


def told(it: Scene, session_id: str) -> list[tuple[str, str, str]]:
    return [
        (work.session_id, work.state, work.plan_path) for work in works_left(it.ws, session_id, is_run_at_work=False)
    ]


def test_a_paused_run_is_told_in_other_sessions(tmp_path: Path) -> None:
    it = paused(tmp_path)
    mine = (it.session_id, "paused", PATH)
    assert told(it, it.session_id) == [mine]
    assert told(it, new_session(it.ws, Mode.PLAN).id) == [mine]


def test_the_plan_of_another_session_waits_beside_it(tmp_path: Path) -> None:
    it = paused(tmp_path)
    other = new_session(it.ws, Mode.PLAN).id
    it.write_plan(THREE.replace("aaaa", "bbbb"), OTHER)
    change_session(it.ws, other, plan_file=OTHER)
    assert told(it, other) == [(other, "to_review", OTHER), (it.session_id, "paused", PATH)]
    assert told(it, it.session_id) == [(it.session_id, "paused", PATH)]
