"""Reading outside the workspace: below folders that the user allows without a question, elsewhere with one or not."""

from dataclasses import replace
from pathlib import Path

import pytest

from planact.model.question import Question
from planact.model.rights.rule import AllowedReading, Rule
from planact.model.settings import Settings, WorkspaceSettings
from planact.policy.context import PolicyContext
from planact.tools.tool_result import Done, Failed, Refused
from tests.fakes.bench import ACT, PLAN, Bench
from tests.fakes.world import World

ALWAYS = "always_allow_reading"
OFFERED = ["allow_once", "always_allow", ALWAYS, "reject_once", "reject_and_stop"]


class Beside(Bench):
    """A bench with a repository `sib` beside its workspace, which is readable if `is_named`."""

    def __init__(self, folder: Path, standing: PolicyContext, *answers: str, is_named: bool = False) -> None:
        super().__init__(folder / "ws", standing, *answers)
        self.sib = folder / "sib"
        for name, text in (("src/a.py", "x = 1\n"), (".env", "KEY=1\n"), ("secret.txt", "s\n"), (".git/HEAD", "")):
            (self.sib / name).parent.mkdir(parents=True, exist_ok=True)
            (self.sib / name).write_text(text)
        (self.sib / "out").symlink_to(folder / "elsewhere")
        (folder / "elsewhere").mkdir(exist_ok=True)
        (folder / "elsewhere/b.py").write_text("y = 2\n")
        named = [str(self.sib)] if is_named else []
        settings = Settings(model="played", ignore=["secret.txt"], workspace=WorkspaceSettings(readable=named))
        (folder / "ws").mkdir(exist_ok=True)
        self.world = World(folder / "ws", settings=settings)

        def now() -> PolicyContext:
            rules = frozenset(rule.allows for rule in self.world.ports.rules.list())
            ports = self.world.ports
            return replace(
                self.standing,
                rules=rules,
                readable=tuple(ports.readable.now()),
                session_reading=tuple(self.turn.reading),
                held=ports.runner.enforced(),
            )

        self.turn = replace(self.turn, policy_context=now)

    @property
    def question(self) -> Question:
        return self.listener.asked[-1]


def text(outcome: Done | Refused | Failed) -> str:
    assert isinstance(outcome, Done), outcome
    return outcome.text


def code(outcome: Done | Refused | Failed) -> str:
    assert not isinstance(outcome, Done), outcome
    return outcome.code


@pytest.mark.parametrize("standing", [PLAN, ACT], ids=["plan", "act"])
def test_the_tools_that_read_may_look_there(tmp_path: Path, standing: PolicyContext) -> None:
    it = Beside(tmp_path, standing, is_named=True)
    for path in (f"{it.sib}/src/a.py", "../sib/src/a.py"):
        assert "1\tx = 1" in text(it.run("read_file", path=path))
    assert text(it.run("list_directory", path="../sib")).splitlines() == [".env", ".git/", "out/", "src/"]
    told = f"left out: 1 with credentials ({it.sib}/.env); 1 hidden by the user"
    assert text(it.run("search_code", pattern="=", path=str(it.sib))) == f"{it.sib}/src/a.py:1: x = 1\n{told}"
    assert text(it.run("search_code", pattern="x", path="../sib/src/a.py")) == f"{it.sib}/src/a.py:1: x = 1"
    assert "file, 6 bytes" in text(it.run("get_file_info", path="../sib/src/a.py"))
    assert (it.trace.read, it.listener.asked) == ({}, [])


@pytest.mark.parametrize("standing", [PLAN, ACT], ids=["plan", "act"])
def test_nothing_is_written_there(tmp_path: Path, standing: PolicyContext) -> None:
    it = Beside(tmp_path, replace(standing, approval="acceptAll"), is_named=True)
    before = {path: path.stat().st_mtime_ns for path in it.sib.rglob("*")}
    for tool, arguments in (
        ("create_file", {"path": "../sib/new.py", "content": ""}),
        ("create_file", {"path": f"{it.sib}/p.plan", "content": ""}),
        ("delete_file", {"path": "../sib/src/a.py"}),
        ("make_directory", {"path": "../sib/d"}),
        ("rename_file", {"path": "../sib/src/a.py", "new_path": "a.py"}),
        ("update_file", {"patch": "*** Begin Patch\n*** Update File: ../sib/src/a.py\n-x = 1\n+x = 2\n*** End Patch"}),
    ):
        assert code(it.run(tool, **arguments)) in ("PATH_OUTSIDE_WORKSPACE", "TOOL_BLOCKED_BY_MODE"), tool
    assert {path: path.stat().st_mtime_ns for path in it.sib.rglob("*")} == before


def test_credentials_and_what_the_user_hides_stay_protected(tmp_path: Path) -> None:
    it = Beside(tmp_path, PLAN, is_named=True)
    assert code(it.run("read_file", path="../sib/.env")) == "CREDENTIAL_FILE"
    assert code(it.run("read_file", path="../sib/secret.txt")) == "PATH_HIDDEN"
    assert code(it.run("execute_command", command="cat ../sib/secret.txt")) == "PATH_HIDDEN"
    assert "nothing matches" in text(it.run("search_code", pattern="KEY|^s$", path="../sib"))
    assert it.listener.asked == []


def test_a_link_there_leads_no_further(tmp_path: Path) -> None:
    it = Beside(tmp_path, PLAN, is_named=True)
    for path in ("../sib/out/b.py", "../sib/../elsewhere/b.py", f"{it.sib}x"):
        assert code(it.run("read_file", path=path)) == "PATH_OUTSIDE_WORKSPACE"
    assert "y = 2" not in str(it.run("search_code", pattern="=", path="../sib"))
    assert code(it.run("list_directory", path="../sib/out")) == "PATH_OUTSIDE_WORKSPACE"


def test_without_a_yes_the_tools_look_at_nothing_outside(tmp_path: Path) -> None:
    it = Beside(tmp_path, PLAN)
    assert code(it.run("read_file", path="../sib/src/a.py")) == "PATH_OUTSIDE_WORKSPACE"


@pytest.mark.slow
@pytest.mark.parametrize("standing", [PLAN, ACT], ids=["plan", "act"])
def test_commands_read_there_without_a_question(tmp_path: Path, standing: PolicyContext) -> None:
    it = Beside(tmp_path, standing, is_named=True)
    assert "x = 1" in text(it.run("execute_command", command="cat ../sib/src/a.py"))
    assert "a.py" in text(it.run("execute_command", command="cd ../sib && ls src"))
    assert it.listener.asked == []


@pytest.mark.slow
def test_always_allow_reading_is_a_rule_for_the_repository_that_can_be_revoked(tmp_path: Path) -> None:
    it = Beside(tmp_path, PLAN, ALWAYS)
    assert "x = 1" in text(it.run("execute_command", command="cat ../sib/src/a.py"))
    assert [option.value for option in it.question.options] == OFFERED
    assert it.question.options[2].label == f"Always allow reading below {it.sib}"
    (rule,) = it.world.ports.rules.list()
    assert rule.allows == AllowedReading(folder=str(it.sib))
    assert str(rule.allows) == f"read below {it.sib}"
    assert "x = 1" in text(it.run("execute_command", command="cat ../sib/src/a.py | head"))
    assert "x = 1" in text(it.run("read_file", path="../sib/src/a.py"))
    assert code(it.run("execute_command", command="cat ../sib/.env")) == "TOOL_BLOCKED_BY_MODE"
    assert len(it.listener.asked) == 1
    it.world.ports.rules.revoke(rule.id)
    it.listener.answers = ["reject_once"]
    assert code(it.run("execute_command", command="cat ../sib/src/a.py")) == "REFUSED_BY_USER"
    assert code(it.run("read_file", path="../sib/src/a.py")) == "PATH_OUTSIDE_WORKSPACE"


@pytest.mark.slow
@pytest.mark.parametrize("standing", [PLAN, ACT], ids=["plan", "act"])
def test_a_folder_outside_is_asked_about_once_in_a_session(tmp_path: Path, standing: PolicyContext) -> None:
    it = Beside(tmp_path, standing, "allow_once")
    assert "x = 1" in text(it.run("execute_command", command="cat ../sib/src/a.py"))
    assert it.question.options[0].label == "Allow once"
    assert it.question.options[0].description.endswith(f"may then read below {it.sib}, too")
    for command in ("cat ../sib/src/a.py", f"ls {it.sib}", "grep -rn = ../sib/src", "cd ../sib && cat src/*"):
        assert "exit code 0" in text(it.run("execute_command", command=command)), command
    assert it.world.ports.rules.list() == ()
    assert len(it.listener.asked) == 1
    told = it.run("execute_command", command="grep -rh . ../sib")
    assert "KEY=1" not in str(told), "credentials stay hidden"
    it.listener.answers = ["reject_once"] * 9
    (it.sib / "link").symlink_to(tmp_path / "elsewhere")
    for command in (
        "cat ../sib/out/b.py",
        "cat ../sib/link/*",
        "cat ../elsewhere/b.py ../sib/src/a.py",
        "cat ../sib/../elsewhere/b.py",
        "touch ../sib/new",
        "cat ../sib/.env",
    ):
        asked = len(it.listener.asked)
        assert code(it.run("execute_command", command=command)) in ("REFUSED_BY_USER", "TOOL_BLOCKED_BY_MODE"), command
        assert len(it.listener.asked) > asked or standing is PLAN, command
    it.turn = replace(it.turn, reading=set())  # another session
    assert code(it.run("execute_command", command="cat ../sib/src/a.py")) == "REFUSED_BY_USER"


@pytest.mark.slow
@pytest.mark.parametrize("standing", [PLAN, ACT], ids=["plan", "act"])
def test_what_links_and_words_hide_is_not_read_after_a_yes(tmp_path: Path, standing: PolicyContext) -> None:
    it = Beside(tmp_path, standing, *["allow_once"] * 9)
    assert "x = 1" in text(it.run("execute_command", command="cat ../sib/src/a.py"))
    for command in ("cd ../sib/out && cat b.py", "cd ../sib/out && cat ../elsewhere/b.py", "grep -R y ../sib"):
        it.listener.answers = ["reject_once"]
        assert "y = 2" not in str(it.run("execute_command", command=command)), command


@pytest.mark.slow
@pytest.mark.parametrize("standing", [PLAN, ACT], ids=["plan", "act"])
def test_a_tilde_leads_to_the_user_s_home_after_a_yes(
    tmp_path: Path, standing: PolicyContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home/project/src").mkdir(parents=True)
    (tmp_path / "home/project/src/a.py").write_text("x = 1\n")
    it = Beside(tmp_path, standing, "allow_once")
    for command in ("cat ~/project/src/a.py", "ls ~/project/src && cat ~/project/src/*.py"):
        assert "x = 1" in text(it.run("execute_command", command=command)), command


@pytest.mark.parametrize(
    "command",
    [
        "cat ../x",  # lies in the folder that holds the workspace
        "ls /srv",
        "ls ~",
        "ls /",
        "ls ../.ssh",
        "cat ../sib/src/a.py ../x",
    ],
)
def test_it_is_not_offered_for_what_no_folder_may_stand_for(tmp_path: Path, command: str) -> None:
    it = Beside(tmp_path, PLAN, ALWAYS)
    (tmp_path / ".ssh").mkdir()
    assert code(it.run("execute_command", command=command)) == "REFUSED_BY_USER"
    assert ALWAYS not in [option.value for option in it.question.options]
    assert it.world.ports.rules.list() == ()


def test_a_rule_answers_no_refusal(tmp_path: Path) -> None:
    it = Beside(tmp_path, replace(PLAN, commands_deny=frozenset({"cat"})))
    it.world.ports.rules.add(Rule(id="r", created_at="", allows=AllowedReading(folder=str(it.sib))))
    assert code(it.run("execute_command", command="cat ../sib/src/a.py")) == "COMMAND_DENIED"
    assert code(it.run("execute_command", command="rm ../sib/src/a.py")) == "TOOL_BLOCKED_BY_MODE"
    assert code(it.run("execute_command", command="cat ../sib/.env")) == "TOOL_BLOCKED_BY_MODE"


@pytest.mark.slow
def test_the_scratch_folder_lasts_for_its_session_alone(tmp_path: Path) -> None:
    it = Beside(tmp_path, PLAN)
    assert "exit code 0" in text(it.run("execute_command", command='echo one > "$TMPDIR/x"'))
    assert "one" in text(it.run("execute_command", command="cat $TMPDIR/x"))
    it.standing = ACT
    assert "one" in text(it.run("execute_command", command="cat $TMPDIR/x"))
    mine = it.world.ports.scratch.of("s")
    it.turn = replace(it.turn, session_id="other")
    assert "No such file" in str(it.run("execute_command", command="cat $TMPDIR/x"))
    it.standing, it.listener.answers = PLAN, ["reject_once"]
    assert code(it.run("execute_command", command=f"cat {mine}/x")) == "REFUSED_BY_USER"
    assert it.world.tree() == {}


def test_a_refused_redirection_names_the_scratch_folder(tmp_path: Path) -> None:
    it = Beside(tmp_path, PLAN)
    refused = it.run("execute_command", command="ls > /var/tmp/list")
    assert isinstance(refused, Refused)
    assert '> "$TMPDIR/list"' in refused.hint


def test_without_a_jail_nothing_is_written_there_in_plan(tmp_path: Path) -> None:
    it = Beside(tmp_path, PLAN)
    bare = it.turn.policy_context
    it.turn = replace(it.turn, policy_context=lambda: replace(bare(), held=frozenset()))
    for command in ("ls > $TMPDIR/x", "ls | tee $TMPDIR/x", "mkdir $TMPDIR/d"):
        assert code(it.run("execute_command", command=command)) == "TOOL_BLOCKED_BY_MODE"
    assert "exit code 0" in text(it.run("execute_command", command="ls"))
    assert list(Path(it.world.ports.scratch.of("s")).iterdir()) == []
