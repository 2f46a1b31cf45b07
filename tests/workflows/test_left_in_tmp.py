"""What a command on trial left in `/tmp` is there for the next one of the session, and none reads another's unasked."""

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from planact.adapters.sandbox.choose import probe
from tests.fakes.world import Turn, answer, call, calls
from tests.workflows.scene import SAID, WRITE_A
from tests.workflows.test_outcomes import make_scene, run_it

pytestmark = pytest.mark.skipif(not probe().bubblewrap, reason="the jail needs bubblewrap")

NAME = f"/tmp/planact-test-{uuid4().hex}"
NO = answer(approval="reject_once")


@pytest.fixture
def users_own() -> Iterator[Path]:
    path = Path(f"{NAME}.users")
    path.write_text("the user's\n")
    yield path
    path.unlink()


def test_it_is_written_read_and_run_without_a_question(tmp_path: Path) -> None:
    lines = (
        f"python3 gen.py > {NAME}.txt 2>&1",
        f"tail -1 {NAME}.txt",
        f"grep -c line {NAME}.txt && cat {NAME}.txt | head -1",
        f"cat > {NAME}.py <<'END'\nprint(6 * 7)\nEND",
        f"python3 {NAME}.py",
    )
    it = make_scene(tmp_path, WRITE_A, *map(run_it, lines), SAID, script="print('line 1')\nprint('line 2')")
    execution = it.execute(step=1)
    assert (execution.status, it.asked) == ("success", [])
    told = [it.said_last(-at) for at in (4, 3, 1)]
    for expected, text in zip(("line 2", "2\nline 1", "42"), told, strict=True):
        assert expected in text
    assert not list(Path("/tmp").glob(f"{Path(NAME).name}*"))


def read(*paths: str) -> Turn:
    return calls(*(call("read_file", path=path) for path in paths))


def test_tools_read_it_too_also_where_the_user_has_one_of_that_name(tmp_path: Path, users_own: Path) -> None:
    paths = (f"{NAME}.txt", str(users_own))
    script = f"for path in {paths}: open(path, 'w').write('of the model')"
    it = make_scene(tmp_path, WRITE_A, run_it("python3 gen.py"), read(*paths), SAID, script=script)
    it.execute(step=1)
    told = [message["content"] for message in it.world.model.requests[-1].messages[-2:]]
    assert all("of the model" in text for text in told), told
    assert it.asked == []


def test_what_held_a_place_there_hides_nothing_of_the_user_s(tmp_path: Path, users_own: Path) -> None:
    (tmp_path / "own.txt").write_text("of the workspace\n")
    inside, script = tmp_path / "own.txt", f"open('{users_own}', 'w')"
    it = make_scene(tmp_path, WRITE_A, run_it("python3 gen.py"), read(str(inside), str(users_own)), SAID, script=script)
    it.execute(step=1)
    in_workspace, in_tmp = [message["content"] for message in it.world.model.requests[-1].messages[-2:]]
    assert "of the workspace" in in_workspace
    assert "PATH_OUTSIDE_WORKSPACE" in in_tmp


def test_tools_read_nothing_else_there(tmp_path: Path, users_own: Path) -> None:
    (tmp_path.parent / "beside").write_text("the user's\n")
    links = {"link": users_own, "up": f"../../..{users_own}", "d": tmp_path.parent}
    made = "".join(f"os.symlink('{target}', '{NAME}.{end}')\n" for end, target in links.items())
    script = f"import os\n{made}os.mkdir('{NAME}.made')"
    paths = (f"{NAME}.link", f"{NAME}.up", f"{NAME}.d/beside", str(users_own), f"{NAME}.made/../../..{users_own}")
    it = make_scene(tmp_path, WRITE_A, run_it("python3 gen.py"), read(*paths), SAID, script=script)
    it.execute(step=1)
    told = [message["content"] for message in it.world.model.requests[-1].messages[-len(paths) :]]
    assert all("PATH_OUTSIDE_WORKSPACE" in text for text in told), told
    assert it.asked == []


@pytest.mark.parametrize("line", ["tail -1 {own}", "cat {left} {own}", "ls /tmp", "cat /tmp/*"])
def test_others_files_there_are_asked_about(tmp_path: Path, users_own: Path, line: str) -> None:
    read = line.format(own=users_own, left=f"{NAME}.txt")
    it = make_scene(tmp_path, WRITE_A, run_it(f"python3 gen.py > {NAME}.txt"), run_it(read), SAID, script="print(1)")
    it.answers(NO)
    it.execute(step=1)
    [asked] = it.asked
    assert "reads outside the workspace" in asked.questions[0].question
    assert "the user's" not in it.said_last()
