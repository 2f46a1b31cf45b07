import asyncio
import time
from dataclasses import replace
from pathlib import Path

import pytest

from planact.model.notice import CommandOutput
from planact.tools.outcome import Done, Failed, Refused
from tests.fakes.bench import ACT, Bench
from tests.fakes.world import call

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
    begun = time.monotonic()
    text = run(Bench(tmp_path, ANYTHING), "echo begun; sleep 30 & sleep 30", timeout=0.3)
    assert "the time limit" in text
    assert "begun" in text
    assert time.monotonic() - begun < 5


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
        async with asyncio.timeout(10):
            while not (tmp_path / "begun").exists():  # noqa: ASYNC110 (nobody tells)
                await asyncio.sleep(0.01)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        await asyncio.sleep(0.7)

    asyncio.run(stop())
    assert sorted(bench.world.tree()) == ["begun"]


@pytest.mark.parametrize(
    ("named", "ran", "asks"),
    [
        ("ls", "ls", False),
        ("ls", " ls ", False),
        ("ls", "ls -l", True),
        ("ls", "ls; touch x", True),
        ("ls", "LS", True),
        ("ls", "l\ns", True),
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
