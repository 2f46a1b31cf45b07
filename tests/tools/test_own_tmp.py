"""In Plan, commands write to a `/tmp` of their session's own without a question, and to nothing else."""

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from planact.adapters.sandbox.choose import probe
from tests.tools.test_readable import PLAN, Beside, code, text

pytestmark = pytest.mark.slow

NAME = f"/tmp/planact-test-{uuid4().hex}"

needs_mounts = pytest.mark.skipif(not probe().bubblewrap, reason="only bubblewrap mounts a /tmp")


@pytest.fixture
def users_own() -> Iterator[str]:
    path = Path(f"{NAME}.users")
    path.write_text("the user's\n")
    yield str(path)
    assert path.read_text() == "the user's\n"
    path.unlink()


@pytest.fixture
def it() -> Iterator[Beside]:
    """What may be done in a workspace that isn't below `/tmp` itself."""
    folder = Path(tempfile.mkdtemp(prefix="planact-test-", dir="/var/tmp"))
    it = Beside(folder, PLAN)
    it.world.write("a.py", "print(6 * 7)\n")
    before = it.world.tree()
    yield it
    after = it.world.tree()
    shutil.rmtree(folder)
    assert after == before
    assert [path for path in Path("/tmp").glob(f"{Path(NAME).name}*") if path.suffix != ".users"] == []


@needs_mounts
def test_it_lasts_as_long_as_the_session(it: Beside) -> None:
    lines = {
        f"mkdir -p {NAME}.d && cp a.py {NAME}.d && cd {NAME}.d && python3 a.py": "42",
        f"python3 a.py > {NAME}.txt 2>&1; tail -1 {NAME}.txt": "42",
        f"cat {NAME}.txt": "42",
        f"cat > {NAME}.py <<'END'\nprint('in a script')\nEND": "exit code 0",
        f"python3 {NAME}.py | tee {NAME}.txt": "in a script",
        f"rm -rf {NAME}.d {NAME}.txt && ls {NAME}.*": f"{NAME}.py",
        f"mkdir -p {NAME}.p/{{a,b}} && cd {NAME}.p/a && cat > x.py <<'END'\nprint('p')\nEND": "exit code 0",
        f"cd {NAME}.p/a && sed -i s/p/q/2 x.py && python3 x.py > said 2>&1; cat {NAME}.p/a/said": "q",
        f"cd {NAME}.none || cd {NAME}.p; chmod +x a/*.py && rm -r a b && ls | wc -l": "0",
        f"echo ./... pkg/... > {NAME}.txt 2>&1; cat {NAME}.txt": "./... pkg/...",
        f"for i in {{1..3}}; do python3 a.py > {NAME}.txt.$i; done; cat {NAME}.txt.3": "42",
        f"mkdir {NAME}.r && cd {NAME}.r && git init -q && touch x && git add . && git status --short": "A  x",
        f"head -1 /etc/hostname > {NAME}.txt; wc -l {NAME}.txt": f"1 {NAME}.txt",
    }
    for line, said in lines.items():
        told = text(it.run("execute_command", command=line))
        assert said in told
        assert "since it works below `/tmp`, here a folder of this session)" in told
    it.turn = replace(it.turn, session_id="other")
    assert "No such file" in text(it.run("execute_command", command=f"cat {NAME}.py || python3 {NAME}.py"))


@needs_mounts
@pytest.mark.parametrize(
    "line",
    [
        "cp a.py {new} && cp a.py b.py",
        "mkdir {new}; rm a.py",
        "mv a.py {new}",
        "python3 a.py > {new}; git commit -qam all",
        "docker run x > {new}",
        "kill 1 2> {new}",
        "touch {new}/../../x",
        "touch {new} ./.../../../x",
        "touch /tmp/$X",
        "cd {new} && touch ../x",
        "cd {new}; touch x; cd -; touch x",
        "sed -i s/6/7/ a.py {new}",
        "mkdir -p {new} /srv/x",
    ],
)
def test_what_changes_more_is_refused(it: Beside, line: str) -> None:
    assert code(it.run("execute_command", command=line.format(new=NAME))) == "TOOL_BLOCKED_BY_MODE"


@needs_mounts
@pytest.mark.parametrize("line", ["cat {users}", "ls /tmp", "cat {users} | wc -l", "python3 -m json.tool < {users}"])
def test_what_reads_the_users_is_asked_about(it: Beside, users_own: str, line: str) -> None:
    it.listener.answers = ["reject_once"]
    assert code(it.run("execute_command", command=line.format(users=users_own))) == "REFUSED_BY_USER"


@needs_mounts
@pytest.mark.parametrize("line", ["echo x > {users}", "rm -f {users}", "mkdir -p {new} && cp -f a.py {users}"])
def test_what_the_user_has_there_stays(it: Beside, users_own: str, line: str) -> None:
    assert "exit code 0" in text(it.run("execute_command", command=line.format(users=users_own, new=NAME)))


@pytest.mark.parametrize(("contain", "is_held"), [("off", True), ("ask", True), ("on", False)])
def test_without_a_tmp_of_its_own_a_command_may_not_write_there(it: Beside, contain: str, *, is_held: bool) -> None:
    bare = it.turn.policy_context
    held = bare().held - (set() if is_held else {"contain"})
    it.turn = replace(it.turn, policy_context=lambda: replace(bare(), contain=contain, held=held))
    for line in (f"mkdir -p {NAME}", f"ls > {NAME}"):
        assert code(it.run("execute_command", command=line)) == "TOOL_BLOCKED_BY_MODE"


@needs_mounts
def test_where_something_there_is_opened_nothing_takes_its_place(tmp_path: Path) -> None:
    it = Beside(tmp_path, PLAN)
    assert code(it.run("execute_command", command=f"mkdir -p {NAME}")) == "TOOL_BLOCKED_BY_MODE"
