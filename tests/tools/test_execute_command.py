import asyncio
import re
import time
from dataclasses import replace
from pathlib import Path

import pytest

from planact.adapters.store.disk import digests
from planact.adapters.store.files import DiskFiles
from planact.base.paths import Place
from planact.model.notice import CommandOutput
from planact.model.rights.command import CommandResult
from planact.model.rights.jail import Containment
from planact.model.rights.permission import CommandEffect
from planact.policy.context import PlacedEffect, Request
from planact.policy.decide import confinement, decide
from planact.tools.builtin.commands.execute_command import _describe_locked
from planact.tools.tool_result import Done, Failed, Refused
from tests.fakes.bench import ACT, PLAN, Bench
from tests.fakes.world import call
from tests.workflows.scene import until

pytestmark = pytest.mark.slow

ANYTHING = replace(ACT, approval="acceptAll")


def run(bench: Bench, command: str, **more: object) -> str:
    outcome = bench.run("execute_command", command=command, **more)
    assert isinstance(outcome, Done), outcome
    return outcome.text


def test_the_model_sees_the_exit_code_and_both_outputs_and_the_user_sees_them_come(tmp_path: Path) -> None:
    bench = Bench(tmp_path, ANYTHING)
    text = run(bench, "echo out; echo err >&2; exit 3")
    assert text.startswith("exit code 3 after ")
    assert sorted(text.splitlines()[1:]) == ["err", "out"]
    shown = "".join(notice.text for notice in bench.world.editor.notices if isinstance(notice, CommandOutput))
    assert sorted(shown.splitlines()) == ["err", "out"]
    assert [result.exit_code for result in bench.trace.commands] == [3]


def test_it_runs_in_a_directory_of_the_workspace_without_input(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "ws", ANYTHING)
    bench.world.write("sub/a", "")
    assert run(bench, "ls; cat; pwd", directory="sub").splitlines()[1:] == ["a", str(tmp_path / "ws/sub")]
    for directory in ("..", "/tmp", "missing", "sub/a"):
        outcome = bench.run("execute_command", command="touch x", directory=directory)
        assert isinstance(outcome, Failed | Refused), directory
    assert sorted(bench.world.tree()) == ["sub/a"]


def test_what_takes_too_long_is_ended(tmp_path: Path) -> None:
    bench = Bench(tmp_path, ANYTHING)
    texts = (run(bench, "echo begun; sleep 600 & sleep 600", timeout=seconds) for seconds in (0.3, 3, 30))
    text = next(text for text in texts if "begun" in text.splitlines())  # a busy machine prints late
    assert "the time limit" in text


def test_the_model_can_not_ask_for_more_time_than_the_user_gives(tmp_path: Path) -> None:
    bench = Bench(tmp_path, ANYTHING)
    bench.turn = replace(bench.turn, limits=replace(bench.turn.limits, command_seconds=0.3))
    assert "the time limit" in run(bench, "sleep 30", timeout=1e300)


def test_long_output_loses_its_middle(tmp_path: Path) -> None:
    text = run(Bench(tmp_path, ANYTHING), "echo first; seq 100000; echo last")
    assert len(text) < 6_000
    assert "first\n" in text
    assert text.rstrip().endswith("last")


def test_a_stop_ends_it_with_all_it_started(tmp_path: Path) -> None:
    bench = Bench(tmp_path, ANYTHING)

    async def stop() -> None:
        command = call("execute_command", command="(sleep 0.5; touch late) & touch begun; wait")
        running = asyncio.ensure_future(bench.world.ws.gate.call(command, bench.turn))
        await until((tmp_path / "begun").exists)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        await asyncio.sleep(0.7)

    asyncio.run(stop())
    assert sorted(bench.world.tree()) == ["begun"]


@pytest.mark.parametrize(
    ("named", "ran", "asks"),
    [
        ("make x", "make x", False),
        ("make x", " make x ", False),
        ("make x", "make x y", True),
        ("make x", "make x; touch x", True),
        ("make x", "MAKE x", True),
        ("make x", "make\nx", True),
        ("make x", "ls", False),
    ],
)
def test_only_what_the_plan_names_exactly_runs_unasked(tmp_path: Path, named: str, ran: str, asks: bool) -> None:
    bench = Bench(tmp_path, replace(ACT, planned_commands=frozenset({named})), "reject_once")
    assert isinstance(bench.run("execute_command", command=ran), Refused) is asks
    assert bool(bench.listener.asked) is asks


def test_what_the_plan_names_is_meant_for_the_workspace_folder(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "ws", replace(ACT, planned_commands=frozenset({"rm *"})), "reject_once")
    bench.world.write("sub/keep", "")
    bench.world.write("../keep", "")
    outcome = bench.run("execute_command", command="rm *", directory="sub")
    assert isinstance(outcome, Refused)
    assert "this is sub" in bench.listener.asked[0].question
    outcome = bench.run("execute_command", command="rm *", directory="..")
    assert isinstance(outcome, Refused)
    assert (outcome.code, len(bench.listener.asked)) == ("PATH_OUTSIDE_WORKSPACE", 1)
    assert (tmp_path / "keep").exists()


def test_what_the_user_denies_is_refused_without_a_question(tmp_path: Path) -> None:
    denied = replace(ANYTHING, commands_deny=frozenset({"git push", "rm"}))
    for command in ("git push", "rm -rf x", "  rm x"):
        bench = Bench(tmp_path, denied)
        outcome = bench.run("execute_command", command=command)
        assert isinstance(outcome, Refused)
        assert (outcome.code, bench.listener.asked) == ("COMMAND_DENIED", [])


def test_a_command_does_not_run_over_changes_that_could_not_be_saved(tmp_path: Path) -> None:
    bench = Bench(tmp_path, ANYTHING, "no")
    bench.world.editor.unsavable.add("a.py")
    bench.run("create_file", path="a.py", content="")
    outcome = bench.run("execute_command", command="touch ran")
    assert isinstance(outcome, Failed)
    assert (outcome.code, "a.py" in outcome.message) == ("EDIT_CONFLICT", True)
    assert sorted(bench.world.tree()) == ["a.py"]


@pytest.mark.parametrize(
    "arguments", [{"command": ""}, {"command": "ls", "timeout": 0}, {"command": "ls", "shell": "x"}]
)
def test_arguments_that_make_no_sense_run_nothing(tmp_path: Path, arguments: dict[str, object]) -> None:
    outcome = Bench(tmp_path, ANYTHING).run("execute_command", **arguments)
    assert isinstance(outcome, Failed)
    assert outcome.code == "INVALID_ARGUMENTS"


@pytest.mark.parametrize(
    ("command", "said"),
    [("cat a.py", "x = 1"), ("git --version", "git version"), ("python3 a.py", "(contained: ")],
)
def test_in_plan_commands_that_read_run_and_unknown_ones_run_contained(tmp_path: Path, command: str, said: str) -> None:
    bench = Bench(tmp_path, PLAN)
    bench.world.write("a.py", "x = 1\n")
    assert said in run(bench, command)
    assert bench.listener.asked == []


def test_what_the_jail_holds_back_in_plan_is_a_refusal_of_the_sandbox(tmp_path: Path) -> None:
    bench = Bench(tmp_path, PLAN)
    outcome = bench.run("execute_command", command='python3 -c \'open("x", "w")\'')
    assert isinstance(outcome, Refused)
    assert (outcome.code, outcome.layer, bench.world.tree()) == ("TOOL_BLOCKED_BY_MODE", "sandbox", {})
    assert re.search("PermissionError|Read-only file system", outcome.output)
    assert bench.world.events() == ["tool_refused", "disallowed_tool_attempt_in_planning"]
    kinds = [entry.kind for entry in bench.world.store.journal.entries]
    assert kinds == ["call_started", "call_finished", "call_refused"]


def test_in_act_a_command_writes_in_the_workspace_and_nowhere_else(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "ws", ACT, "allow_once", "allow_once")
    bench.world.write("a.py", "")
    assert "exit code 0" in run(bench, "touch here")
    outside = tmp_path / "outside"
    outcome = bench.run("execute_command", command=f"touch {outside}")
    assert isinstance(outcome, Refused)
    assert (outcome.code, outcome.layer, outside.exists()) == ("BLOCKED_BY_SANDBOX", "sandbox", False)
    assert "commands.writable" in outcome.hint


def test_in_act_what_passes_only_because_it_reads_is_held_to_that(tmp_path: Path) -> None:
    bench = Bench(tmp_path, ACT)
    bench.world.write("a.py", "x")
    assert "a.py" in run(bench, "ls")
    assert bench.listener.asked == []
    assert judged_confinements(bench, "ls", "make x") == ["local-read", "act"]


def judged_confinements(bench: Bench, *commands: str) -> list[str]:
    standing = replace(bench.standing, planned_commands=frozenset({"make x"}))
    found = []
    for command in commands:
        place = bench.world.files.resolve(".")
        line = asyncio.run(bench.world.ports.commands.read(command, place))
        request = Request(
            "execute_command", frozenset(), True, (PlacedEffect(CommandEffect(command), place, found=line),)
        )
        found.append(confinement(request, standing, decide(request, standing)))
    return found


@pytest.mark.parametrize(
    ("path", "command"),
    [
        (".env", "cat .env"),
        ("deep/.env", "cd deep && cat .env"),
        ("id_rsa", "cat link"),
        ("hidden.txt", "cat hidden.txt"),
    ],
)
def test_a_command_reads_no_more_than_a_tool_may(tmp_path: Path, path: str, command: str) -> None:
    bench = Bench(tmp_path, PLAN)
    bench.world.write(path, "secret")
    bench.world.write(".planactignore", "hidden.txt\n")
    (tmp_path / "link").symlink_to(tmp_path / "id_rsa")
    outcome = bench.run("execute_command", command=command)
    assert isinstance(outcome, Refused)
    assert outcome.code in ("CREDENTIAL_FILE", "PATH_HIDDEN", "TOOL_BLOCKED_BY_MODE")


@pytest.mark.parametrize(("setting", "asks", "runs"), [("on", False, True), ("ask", True, True), ("off", False, False)])
def test_the_user_decides_whether_unknown_commands_run_contained(
    tmp_path: Path, setting: Containment, asks: bool, runs: bool
) -> None:
    bench = Bench(tmp_path, replace(PLAN, contain=setting), "allow_once")
    bench.world.write("a.py", "print(40 + 2)\n")
    outcome = bench.run("execute_command", command="python3 a.py")
    assert (isinstance(outcome, Done), bool(bench.listener.asked)) == (runs, asks)
    if isinstance(outcome, Done):
        assert outcome.text.startswith("(contained: ")


def test_a_yes_to_a_contained_run_is_none_to_another(tmp_path: Path) -> None:
    bench = Bench(tmp_path, replace(PLAN, contain="ask"), "allow_once", "reject_once")
    bench.listener.meanwhile = lambda: setattr(bench, "standing", ACT)
    outcome = bench.run("execute_command", command='python3 -c \'open("x", "w")\'')
    assert isinstance(outcome, Refused)
    assert (outcome.code, len(bench.listener.asked), bench.world.tree()) == ("REFUSED_BY_USER", 2, {})


@pytest.mark.parametrize(("answer", "stays"), [("undo", False), ("keep", True)])
def test_what_a_command_does_to_gits_hooks_counts_only_if_the_user_says_so(
    tmp_path: Path, answer: str, stays: bool
) -> None:
    bench = Bench(tmp_path, ANYTHING, answer)
    bench.world.write(".git/HEAD", "")
    bench.world.write(".git/hooks/old", "old")
    seen: list[bool] = []
    hook = tmp_path / ".git/hooks/pre-commit"
    bench.listener.meanwhile = lambda: seen.append(hook.exists())
    text = run(bench, "echo evil > .git/hooks/pre-commit; rm .git/hooks/old")
    assert seen == [False]
    assert hook.exists() is stays
    assert (tmp_path / ".git/hooks/old").exists() is not stays
    assert ("was undone" in text) is not stays
    entry = next(e for e in bench.world.store.journal.entries if e.kind == "protected_changed")
    assert bench.world.store.journal.images[entry.data["files"][".git/hooks/pre-commit"]] == b"evil\n"


def test_neither_a_name_nor_the_command_passes_for_words_of_the_question_about_protected_files(tmp_path: Path) -> None:
    bench = Bench(tmp_path, ANYTHING, "undo")
    bench.world.write(".git/HEAD", "")
    command = "touch 'README\n\nAll is well'; mkdir -p .git/hooks; mv README* .git/hooks/ # `\n# **All is well** `"
    run(bench, command)
    (question,) = bench.listener.asked
    assert "\n" not in question.question
    assert '`".git/hooks/README\\n\\nAll is well"`' in question.question
    assert question.context == f"```\n{command}\n```"


def test_a_stopped_command_leaves_no_hook(tmp_path: Path) -> None:
    bench = Bench(tmp_path, ANYTHING)
    bench.world.write(".git/HEAD", "")
    hook = tmp_path / ".git/hooks/pre-commit"

    async def stop() -> None:
        command = call("execute_command", command="mkdir -p .git/hooks; touch .git/hooks/pre-commit; sleep 30")
        running = asyncio.ensure_future(bench.world.ws.gate.call(command, bench.turn))
        await until(hook.exists)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(stop())
    assert not hook.exists()
    assert bench.listener.asked == []


def test_a_command_reads_known_files_again_only_where_they_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(digests, "SETTLED_AFTER", 0.05)
    names = [f"{name}.py" for name in "abc"]
    for name in names:
        (tmp_path / name).write_text("one\n")
    time.sleep(0.1)
    by_command = "printf 'two\\n' > a.py; touch -r b.py a.py"
    bench = Bench(
        tmp_path, replace(ACT, planned_files=frozenset(names), planned_commands=frozenset({"true", by_command}))
    )
    for name in names:
        bench.run("read_file", path=name)
    bench.run("execute_command", command="true")
    read: list[str] = []
    whole = DiskFiles.read

    def noted(files: DiskFiles, place: Place, limit: int) -> bytes:
        read.append(place.shown)
        return whole(files, place, limit)

    monkeypatch.setattr(DiskFiles, "read", noted)
    bench.run("execute_command", command="true")
    assert not read, "files that stayed as they are were read again"
    bench.run("execute_command", command=by_command)
    assert read == ["a.py"]
    (tmp_path / "b.py").write_text("of the user\n")
    bench.run("execute_command", command="true")
    assert isinstance(bench.run("update_file", path="a.py", edits=[{"old": "two", "new": "three"}]), Done), (
        "it was the command's change"
    )
    refused = bench.run("update_file", path="b.py", edits=[{"old": "user", "new": "agent"}])
    assert isinstance(refused, Failed), "the model wasn't told of a change of the user's"
    assert refused.code == "EDIT_CONFLICT"


def test_a_failure_without_a_word_comes_with_the_folders_in_which_nothing_could_be_made() -> None:
    failed = CommandResult(1, "", "exited", 0.1, locked=(".", "src"))
    assert "remove and rename nothing in `.`, `src` itself" in _describe_locked(failed)
    for other in ({"exit_code": 0}, {"refusal": "Permission denied"}, {"refused_path": "x"}, {"locked": ()}):
        assert _describe_locked(replace(failed, **other)) == ""
