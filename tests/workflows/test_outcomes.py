"""Commands that nobody knows run at once in Act; what they changed is judged when the agent's work on the step ends."""

import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from planact.model.question import NobodyThere
from planact.model.rights.rule import AllowedOutcome
from planact.model.runs.change import Change
from planact.model.runs.execution import Execution, FileChange
from planact.model.settings import ApprovalSetting, LimitSettings, Settings
from tests.fakes.world import Turn, answer, call, calls
from tests.workflows.scene import PLAN, SAID, WRITE_A, Scene

GENERATE = "python3 gen.py"


def make_scene(
    root: Path,
    *turns: Turn,
    script: str,
    approval: ApprovalSetting = "ask",
    most_turns: int = 9,
    ignored: str = "",
    **more: Any,
) -> Scene:
    """A repository with a script that changes files, and a step that names `a.txt`."""
    (root / "gen.py").write_text(script)
    (root / ".gitignore").write_text(f"*.log\n.env\n.planact/\n{ignored}")
    (root / "lib.py").write_text("one = 1\n")
    (root / "setup.sh").write_text("true\n")
    for command in (("init", "-q"), ("add", "-A"), ("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x")):
        subprocess.run(["git", *command], cwd=root, check=True)
    settings = Settings(
        model="played", approval=approval, limits=LimitSettings(repairs=0, max_turns=most_turns), **more
    )
    made = Scene(root, *turns, settings=settings)
    made.write_plan(PLAN)
    return made


def run_it(*commands: str) -> Turn:
    return calls(*(call("execute_command", command=command) for command in commands))


def outcome_questions(it: Scene) -> list[str]:
    return [asked.questions[0].question for asked in it.asked if asked.questions[0].name == "outcome"]


def adapted(execution: Execution) -> list[str]:
    return [each.adapted_action for each in execution.adaptations]


def test_an_unknown_command_runs_without_a_question_and_changes_in_named_files_stay(tmp_path: Path) -> None:
    it = make_scene(tmp_path, run_it(GENERATE), SAID, script="open('a.txt', 'w').write('hello\\n')")
    execution = it.execute(step=1)
    assert (execution.status, it.asked, adapted(execution)) == ("success", [], [])
    assert it.world.read("a.txt") == "hello\n"


def test_a_small_change_elsewhere_stays_with_a_note(tmp_path: Path) -> None:
    it = make_scene(tmp_path, WRITE_A, run_it(GENERATE), SAID, script="open('lib.py', 'w').write('one = 2\\n')")
    execution = it.execute(step=1)
    assert it.asked == []
    assert adapted(execution) == ["also changed lib.py, by a command or a tool"]
    assert it.world.read("lib.py") == "one = 2\n"


@pytest.mark.parametrize(
    "script",
    [
        "open('setup.sh', 'a').write('evil\\n')",
        "open('package.json', 'w').write('{}')",
        "import os; os.remove('lib.py')",
        "import os; os.symlink('/etc/passwd', 'link.py')",
        "import os; os.chmod('lib.py', 0o755)",
        "open('b.txt', 'w').write('bye\\n')",
        "[open(f'n{at}.py', 'w').write('x = 1\\n') for at in range(6)]",
    ],
    ids=["script", "manifest", "deleted", "link", "executable", "of another step", "many"],
)
def test_what_may_matter_is_one_question_with_the_difference_and_goes_back_on_a_no(tmp_path: Path, script: str) -> None:
    it = make_scene(tmp_path, WRITE_A, run_it(GENERATE), SAID, script=script)
    before = it.world.tree()
    it.answers(answer(outcome="discard"))
    execution = it.execute(step=1)
    [question] = outcome_questions(it)
    assert question.startswith("`python3 gen.py` changed ")
    after = it.world.tree()
    changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    assert {path for path in changed if not path.startswith((".planact", ".git/"))} == {"a.txt"}
    assert (tmp_path / "lib.py").stat().st_mode & 0o111 == 0
    assert not (tmp_path / "link.py").is_symlink()
    assert execution.steps[0].status.value == "done"
    assert [file.path for file in execution.steps[0].files] == ["a.txt"]
    assert adapted(execution) == []
    assert "was put back, since the plan doesn't name it" in it.ws.ports.sessions.messages(it.session_id)[-2].content


def test_many_small_changes_are_one_question_though_each_few_were_judged_apart(tmp_path: Path) -> None:
    script = "import sys\n[open(f'{sys.argv[1]}{at}.py', 'w').write('x = 1\\n') for at in range(3)]"
    turns = (*(run_it(f"{GENERATE} {name}", "grep -q hello a.txt") for name in "uvwx"), SAID)
    it = make_scene(tmp_path, WRITE_A, *turns, script=script)
    it.world.editor.answers_by_name = {"outcome": answer(outcome="keep")}
    it.execute(step=1)
    assert [text.partition(" changed ")[0] for text in outcome_questions(it)] == ["`python3 gen.py v`"]


def test_the_question_shows_the_difference_and_a_yes_keeps_it(tmp_path: Path) -> None:
    it = make_scene(tmp_path, WRITE_A, run_it(GENERATE), SAID, script="open('setup.sh', 'a').write('more\\n')")
    it.answers(answer(outcome="keep"))
    execution = it.execute(step=1)
    context = it.asked[0].questions[0].context
    assert context is not None
    assert "+more" in context
    assert it.world.read("setup.sh") == "true\nmore\n"
    assert adapted(execution) == ["also changed setup.sh, by a command or a tool"]


@pytest.mark.parametrize(
    ("script", "lines"),
    [
        ("os.symlink('/etc/passwd', 'l\\n+ok')", ['"l\\n+ok": a link to /etc/passwd now, nothing before']),
        (
            "os.remove('lib.py'); os.symlink('setup.sh', 'lib.py')",
            ["lib.py: a link to setup.sh now, a file of mode 644 before"],
        ),
        (
            "os.remove('link'); open('link', 'w').write('more\\n')",
            ["link: a file of mode 644 now, a link to lib.py before", "+more"],
        ),
        ("os.chmod('setup.sh', 0o755)", ["setup.sh: mode 755 now, 644 before"]),
        (
            "open('lib.py', 'a').write('more\\n'); os.chmod('lib.py', 0o666)",
            ["lib.py: mode 666 now, 644 before", "+more"],
        ),
        (
            "open('do.sh', 'w').write('more\\n'); os.chmod('do.sh', 0o755)",
            ["do.sh: a file of mode 755 now, nothing before", "+more"],
        ),
        ("os.mkdir('setup'); os.chmod('pkg', 0o1777)", ["pkg: a folder of mode 1777 now, a folder of mode 755 before"]),
        ("os.rmdir('pkg'); open('new.sh', 'w')", ["pkg: nothing now, a folder of mode 755 before"]),
    ],
)
def test_the_difference_tells_links_folders_and_rights_and_no_name_passes_for_a_line_of_it(
    tmp_path: Path, script: str, lines: Sequence[str]
) -> None:
    made = f"import os\nos.umask(0o022)\n{script}\n"
    (tmp_path / "link").symlink_to("lib.py")
    (tmp_path / "pkg").mkdir(mode=0o755)
    it = make_scene(tmp_path, WRITE_A, run_it(GENERATE), SAID, script=made)
    it.answers(answer(outcome="discard"))
    it.execute(step=1)
    context = it.asked[0].questions[0].context
    assert context is not None
    assert [line for line in lines if line not in context.splitlines()] == [], context
    assert "+ok" not in context.splitlines()


def test_what_is_kept_always_is_kept_without_a_question_for_this_command_and_these_files_alone(tmp_path: Path) -> None:
    script = "import sys\nopen(sys.argv[1] if sys.argv[1:] else 'setup.sh', 'a').write('more\\n')"
    turns = (WRITE_A, run_it(GENERATE), SAID)
    it = make_scene(tmp_path, *turns, run_it(f"{GENERATE} 2>&1 | tail -3"), SAID, script=script)
    it.answers(answer(outcome="keep_always"))
    it.execute(step=1)
    assert [rule.allows for rule in it.ws.ports.rules.list()] == [AllowedOutcome(command=GENERATE, paths=("setup.sh",))]
    it.execute(step=1)
    assert len(outcome_questions(it)) == 1
    assert it.world.read("setup.sh") == "true\nmore\nmore\n"


@pytest.mark.parametrize(
    ("setting", "left"), [("keep", "true\nmore\n"), ("discard", "true\n"), ("fail", "true\nmore\n")]
)
def test_where_nobody_is_there_the_setting_decides(tmp_path: Path, setting: str, left: str) -> None:
    script = "open('setup.sh', 'a').write('more\\n')"
    it = make_scene(tmp_path, WRITE_A, run_it(GENERATE), SAID, script=script, outcomes=setting)
    it.answers(NobodyThere())
    execution = it.execute(step=1)
    assert it.world.read("setup.sh") == left
    assert not it.ws.questions.open()
    assert execution.status == ("paused" if setting == "fail" else "success")


def test_many_files_do_not_wait_for_the_disk_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = "for at in range(30): open(f'{at}.sh', 'w').write('true')"
    it = make_scene(tmp_path, run_it(GENERATE), SAID, script=script)
    it.answers(answer(outcome="discard"))
    journal, waits = it.ws.ports.journal, list[bool]()
    append = journal.append

    def seen(session: str, run: str, kind: str, data: Mapping[str, Any], *, is_synced: bool = True) -> int:
        waits.extend([is_synced] if kind == "file_changed" else ())
        return append(session, run, kind, data, is_synced=is_synced)

    monkeypatch.setattr(journal, "append", seen)
    it.execute(step=1)
    assert waits == [*[False] * 29, True] * 2
    assert not (tmp_path / "0.sh").exists()


def test_nothing_runs_wider_before_what_a_trial_changed_is_judged(tmp_path: Path) -> None:
    script = "open('setup.sh', 'w').write('cat /etc/hostname\\n')"
    both = run_it(GENERATE, "bash setup.sh")
    it = make_scene(tmp_path, WRITE_A, both, SAID, script=script)
    text = PLAN.replace("`grep -q hello a.txt`", "`bash setup.sh`")
    it.write_plan(text)
    it.answers(answer(outcome="discard"))
    execution = it.execute(step=1)
    assert len(outcome_questions(it)) == 1
    assert "cat" not in it.world.read("setup.sh")
    assert [check.output for check in execution.steps[0].checks] == [""]


def test_the_user_s_own_change_meanwhile_stays(tmp_path: Path) -> None:
    it = make_scene(tmp_path, WRITE_A, run_it(GENERATE), SAID, script="open('setup.sh', 'w').write('evil\\n')")

    def type_meanwhile() -> None:
        if it.world.read("setup.sh") == "evil\n":
            it.world.write("setup.sh", "mine\n")

    it.world.editor.meanwhile = type_meanwhile
    it.answers(answer(outcome="discard"))
    execution = it.execute(step=1)
    assert it.world.read("setup.sh") == "mine\n"
    assert execution.status == "success"
    assert "setup.sh stayed" in it.ws.ports.sessions.messages(it.session_id)[-2].content


@pytest.mark.parametrize("more", ["", "\nopen('lib.py', 'a').write('evil\\n')"], ids=["theirs", "of both"])
def test_what_the_user_saves_while_the_command_runs_stays_as_they_saved_it(tmp_path: Path, more: str) -> None:
    script = (
        "import time, pathlib\nopen('setup.sh', 'a').write('evil\\n')\nopen('begun.log', 'w').close()\n"
        "while 'mine' not in pathlib.Path('lib.py').read_text(): time.sleep(0.01)"
    )
    it = make_scene(tmp_path, WRITE_A, run_it(GENERATE), SAID, script=script + more)

    def save_meanwhile() -> None:
        while not (tmp_path / "begun.log").exists():
            time.sleep(0.01)
        it.world.editor.saves.append(("lib.py", "mine\n"))
        (tmp_path / "lib.new").write_text("mine\n")
        (tmp_path / "lib.new").replace(tmp_path / "lib.py")

    user = threading.Thread(target=save_meanwhile)
    user.start()
    it.answers(answer(outcome="discard"))
    it.execute(step=1)
    user.join()
    assert (it.world.read("lib.py"), it.world.read("setup.sh")) == ("mine\n", "true\n")
    assert ("lib.py" in outcome_questions(it)[0]) == bool(more)


@pytest.mark.parametrize("approval", ["acceptAll"])
def test_where_all_is_accepted_all_is_kept(tmp_path: Path, approval: ApprovalSetting) -> None:
    script = "open('setup.sh', 'a').write('more\\n')"
    it = make_scene(tmp_path, WRITE_A, run_it(GENERATE), SAID, script=script, approval=approval)
    it.execute(step=1)
    assert (it.asked, it.world.read("setup.sh")) == ([], "true\nmore\n")


def test_where_edits_are_reviewed_the_command_is_asked_about(tmp_path: Path) -> None:
    script = "open('setup.sh', 'a').write('more\\n')"
    it = make_scene(tmp_path, WRITE_A, run_it(GENERATE), SAID, script=script, approval="review")
    it.answers(answer(approval="allow_once"), answer(approval="reject_once"))
    it.execute(step=1)
    assert [asked.questions[0].name for asked in it.asked] == ["approval", "approval"]
    assert it.world.read("setup.sh") == "true\n"


def test_ignored_files_that_are_no_outputs_can_not_be_changed(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("KEY=1\n")
    script = "open('build.log', 'w').write('x')\nopen('.env', 'w').write('x')"
    it = make_scene(tmp_path, WRITE_A, run_it(GENERATE), SAID, script=script)
    it.execute(step=1)
    assert it.world.read(".env") == "KEY=1\n"


def test_a_run_that_was_cut_off_is_judged_when_the_next_begins(tmp_path: Path) -> None:
    script = "open('setup.sh', 'a').write('more\\n')"
    it = make_scene(tmp_path, WRITE_A, run_it(GENERATE), SAID, script=script, most_turns=2)
    assert it.execute(step=1).status == "paused"
    assert (it.asked, it.world.read("setup.sh")) == ([], "true\nmore\n")
    it.answers(answer(outcome="discard"))
    it.execute(step=1)
    assert it.world.read("setup.sh") == "true\n"
    assert len(outcome_questions(it)) == 1


def test_a_discard_that_was_cut_short_is_finished_without_another_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    script = "import os\nos.mkdir('made')\nopen('made/package.json', 'w').write('x')"
    it = make_scene(tmp_path, WRITE_A, run_it(GENERATE), SAID, SAID, script=script)
    it.answers(answer(outcome="discard"))
    apply = it.world.editor.apply

    async def dying(changes: Sequence[Change], label: str) -> tuple[FileChange, ...]:
        if any(change.place.shown == "made" for change in changes):
            raise Killed
        return await apply(changes, label)

    monkeypatch.setattr(it.world.editor, "apply", dying)
    with pytest.raises(Killed):
        it.execute(step=1)
    assert [path.name for path in tmp_path.glob("made*")] == ["made"]
    monkeypatch.setattr(it.world.editor, "apply", apply)
    it.world.store.lock.release()
    it.execute(step=1)
    assert not [*tmp_path.glob("made*")]
    assert len(outcome_questions(it)) == 1


def test_a_question_of_the_agent_comes_after_what_its_commands_changed_was_judged(tmp_path: Path) -> None:
    script = "open('setup.sh', 'a').write('more\\n')"
    asking = calls(call("ask_user", questions=[{"name": "q", "question": "Which?"}]))
    it = make_scene(tmp_path, WRITE_A, run_it(GENERATE), asking, SAID, script=script)
    it.answers(answer(outcome="discard"), answer(q="this"))
    it.execute(step=1)
    assert [asked.questions[0].name for asked in it.asked] == ["outcome", "q"]
    assert "was put back" in it.said_last()


def test_beside_a_background_command_an_unknown_one_is_asked_about(tmp_path: Path) -> None:
    started = calls(call("start_command", command="sleep 600"))
    it = make_scene(tmp_path, WRITE_A, started, run_it(GENERATE), SAID, script="open('a.txt', 'a').write('x')")
    it.answers(answer(approval="reject_once"))
    it.execute(step=1)
    assert [asked.questions[0].name for asked in it.asked] == ["approval"]


def test_the_network_is_asked_for_with_the_model_s_reason(tmp_path: Path) -> None:
    asking = calls(call("execute_command", command=GENERATE, network=True, why="the words come from a server"))
    it = make_scene(tmp_path, WRITE_A, asking, SAID, script="open('a.txt', 'a').write('x')")
    it.answers(answer(approval="allow_once"))
    it.execute(step=1)
    [asked] = it.asked
    assert "“the words come from a server”" in asked.questions[0].question
    assert it.world.read("a.txt") == "hello\nx"


WANTS_NETWORK = "import socket, os\nopen('setup.sh', 'a').write('x')\nsocket.create_connection(('192.0.2.1', 9), 0.1)"


def test_a_command_that_wanted_the_network_is_put_back_and_offered_again_with_it_once(tmp_path: Path) -> None:
    turns = (WRITE_A, run_it(GENERATE), run_it(GENERATE), SAID)
    it = make_scene(tmp_path, *turns, script=WANTS_NETWORK)
    it.answers(answer(approval="reject_once"))
    it.execute(step=1)
    [asked] = it.asked
    told = asked.questions[0].question
    assert "It was held back, since it wanted the network, and the plan doesn't name it" in told
    assert [option.value for option in asked.questions[0].options] == [
        *("allow_once", "always_allow", "reject_once", "reject_and_stop")
    ]
    assert it.world.read("setup.sh") == "true\n"
    assert "REFUSED_BY_USER" in it.said_last(-2)
    assert "It wanted the network." in it.said_last()


def test_only_what_the_command_itself_changed_is_put_back_even_where_ids_of_calls_repeat(tmp_path: Path) -> None:
    script = (
        "import sys, urllib.request\nopen('setup.sh', 'a').write('x')\n"
        "sys.argv[1:] and urllib.request.urlopen('http://192.0.2.1/')"
    )
    commands = [run_it(line) for line in (GENERATE, f"{GENERATE} more")]
    it = make_scene(tmp_path, WRITE_A, *commands, SAID, script=script)
    it.answers(answer(outcome="keep"), answer(approval="reject_once"))
    it.execute(step=1)
    assert it.world.read("setup.sh") == "true\nx"


@pytest.mark.parametrize(
    "command", ["npm install left-pad", "git commit -am x", "docker build .", "curl http://192.0.2.1"]
)
def test_what_needs_more_than_a_trial_gives_is_asked_about_before(tmp_path: Path, command: str) -> None:
    it = make_scene(tmp_path, WRITE_A, run_it(command), SAID, script="")
    it.answers(answer(approval="reject_once"))
    it.execute(step=1)
    assert [asked.questions[0].name for asked in it.asked] == ["approval"]
