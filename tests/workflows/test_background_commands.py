"""Commands that go on beside the work: started, read and stopped by id, through the gate, and gone with the run."""

import asyncio
import json
import re
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from planact.base.text import one_line
from planact.model.chat.message import ModelRequest, Reply
from planact.model.rights.permission import Mode
from planact.model.settings import LimitSettings, Settings
from planact.workflows.chat.send_message import send_message
from planact.workflows.undo.roll_back import RollbackTarget, roll_back
from tests.fakes.world import answer, call, calls
from tests.workflows.rolled_back import in_git
from tests.workflows.scene import SAID, Scene, until

YES = answer(approval="allow_once")
KEEP = answer(outcome="keep")
SERVER = "echo listening; while true; do read -t 1 line < /dev/null; sleep 0.05; [ -e go ] && echo went && rm go; done"


def start(command: str = SERVER, _id: str = "1") -> Reply:
    return calls(call("start_command", _id, command=command))


def act(root: Path, *turns: Reply | Callable[[ModelRequest], Reply], **limits: int) -> Scene:
    it = Scene(root, *turns, mode=Mode.ACT, settings=Settings(model="played", limits=LimitSettings(**limits)))
    it.world.editor.answers_by_name = {"approval": YES, "outcome": KEEP}
    asyncio.run(send_message(it.ws, it.session_id, "serve it"))
    return it


def told(it: Scene) -> list[str]:
    """What the model read of each call."""
    texts = [str(message["content"]) for message in it.world.model.requests[-1].messages if message["role"] == "tool"]
    return [re.sub(r"running for \d+ s", "running", text) for text in texts]


def alive(folder: Path) -> list[str]:
    """What runs in the folder."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.cwd() == str(folder) and process.status() != psutil.STATUS_ZOMBIE:
                found.append(" ".join(process.cmdline()))
        except psutil.Error:
            continue
    return found


def go(folder: Path) -> Callable[[ModelRequest], Reply]:
    """What is waited for happens, and the output is read."""

    def turn(_: ModelRequest) -> Reply:
        (folder / "go").touch()
        return calls(call("read_output", "2", id="c1", wait=30))

    return turn


def test_a_server_is_started_read_and_stopped_by_its_id(tmp_path: Path) -> None:
    it = act(tmp_path, start(), go(tmp_path), calls(call("stop_command", "3", id="c1")), SAID)
    assert told(it)[:2] == ["id c1: running\nlistening\n", "running\nwent\n"]
    assert told(it)[2].startswith("stopped")
    assert alive(tmp_path) == []


def test_it_is_judged_and_asked_about_like_any_command(tmp_path: Path) -> None:
    it = Scene(tmp_path, start("sleep 600; rm x"), SAID, mode=Mode.ACT)
    it.answers(answer(approval="reject_once"))
    asyncio.run(send_message(it.ws, it.session_id, "serve it"))
    assert (len(it.asked), "REFUSED_BY_USER" in it.said_last(), alive(tmp_path)) == (1, True, [])
    assert "sleep 600; rm x" in it.asked[0].questions[0].context


def test_in_plan_nothing_is_started_not_even_what_only_reads(tmp_path: Path) -> None:
    it = Scene(tmp_path, start("cat a.txt"), calls(call("read_output", id="c1")), SAID)
    asyncio.run(send_message(it.ws, it.session_id, "serve it"))
    assert [json.loads(text)["error"]["code"] for text in told(it)] == ["TOOL_BLOCKED_BY_MODE"] * 2


@pytest.mark.parametrize("mode", [Mode.PLAN, Mode.ACT])
def test_starting_is_offered_in_act_only(tmp_path: Path, mode: Mode) -> None:
    it = Scene(tmp_path, SAID, mode=mode)
    asyncio.run(send_message(it.ws, it.session_id, "hello"))
    names = {tool["function"]["name"] for tool in it.world.model.requests[0].tools}
    mine = {"start_command", "stop_command"}
    assert names & mine == (mine if mode is Mode.ACT else set())


def test_what_was_started_ends_with_the_run(tmp_path: Path) -> None:
    it = act(tmp_path, start("echo up; sleep 600 & setsid sleep 610 & wait"), SAID)
    assert told(it) == ["id c1: running\nup\n"]
    assert alive(tmp_path) == []


def test_also_where_the_run_is_stopped(tmp_path: Path) -> None:
    it = Scene(tmp_path, start(), calls(call("execute_command", "2", command="touch busy; sleep 600")), mode=Mode.ACT)
    it.answers(YES, YES)

    async def stop() -> None:
        working = asyncio.ensure_future(send_message(it.ws, it.session_id, "serve it"))
        await until((tmp_path / "busy").exists)
        await it.ws.stop(it.session_id)
        await working

    asyncio.run(stop())
    assert alive(tmp_path) == []


def test_what_changes_while_it_goes_on_is_told_and_stays_since_it_may_be_the_users(tmp_path: Path) -> None:
    (tmp_path / "built.css").write_text("old\n")
    (tmp_path / "kept.txt").write_text("kept\n")
    in_git(tmp_path)
    server = "while [ ! -e go ]; do sleep 0.02; done; echo new > built.css; echo new > kept.txt; echo done; sleep 600"
    own = calls(call("update_file", "3", path="kept.txt", edits=[{"old": "new", "new": "mine"}]))
    read = calls(call("read_file", "4", path="kept.txt"))
    it = act(tmp_path, start(server), go(tmp_path), read, own, SAID)

    [run] = it.ws.ports.records.executions()

    assert run.steps[0].uncovered == (
        "built.css, which changed while background commands ran, by them or by another program",
        f"files that git doesn't track and the plan doesn't name, where `{one_line(server, 120)}` changed any",
    )
    done = asyncio.run(roll_back(it.ws, it.session_id, RollbackTarget(run.id), is_confirmed=True))
    assert (it.world.read("built.css"), it.world.read("kept.txt")) == ("new\n", "new\n")
    assert done.stayed == run.steps[0].uncovered


def test_a_server_stays_for_the_next_step_and_ends_with_the_plan(tmp_path: Path) -> None:
    plan = """---
id: plan_20261120_aaaa
---
# Serve
## Steps
- [ ] 1. Start `sleep 62`
  - reason: it is needed
  - tools: start_command
- [ ] 2. Look at it
  - reason: trust is good
  - check: `pgrep -f 'sleep 62'`
"""
    look = calls(call("read_output", id="c1"))
    it = Scene(tmp_path, calls(call("start_command", command="sleep 62")), SAID, look, SAID)
    it.write_plan(plan)
    run = it.execute()
    assert (run.status, it.asked) == ("success", []), run
    assert it.said_last().startswith("running")
    assert alive(tmp_path) == []


def test_long_output_is_cut_and_kept_whole_to_be_read_on_and_searched(tmp_path: Path) -> None:
    wait = calls(call("read_output", "2", id="c1", wait=60))
    found = calls(call("read_output", "3", id="o1", search="line 77"))
    it = act(tmp_path, start("seq -f 'line %g' 300 >o; cat o"), wait, found, SAID, command_output=1_000)
    [cut] = [text for text in told(it) if "\nline 1\nline 2\n" in text]
    assert 'to see them: read_output with id "o1" and first_line ' in cut
    assert cut.endswith("\nline 299\nline 300")
    assert told(it)[2] == "o1: 1 line with 'line 77' of 300\n77\tline 77"


def test_of_endless_output_the_newest_is_kept(tmp_path: Path) -> None:
    flood = "head -c 2900000 /dev/zero | tr '\\0' b; touch flooded; sleep 600"
    wait = calls(call("execute_command", "2", command="touch go; while [ ! -e flooded ]; do sleep 0.02; done"))
    read = calls(call("read_output", "3", id="c1", wait=1))
    slow = start(f"while [ ! -e go ]; do sleep 0.02; done; {flood}")
    it = act(tmp_path, slow, wait, read, SAID, command_output=1_000)
    assert "characters left out …]" in told(it)[-1]
    assert len(told(it)[-1]) < 1_200


def test_a_command_that_ends_at_once_says_how(tmp_path: Path) -> None:
    it = act(tmp_path, start("echo no port; exit 7"), calls(call("read_output", "2", id="c1", wait=5)), SAID)
    assert "no port" in "".join(told(it))
    assert "exit code 7 after" in "".join(told(it))


def test_an_id_that_nobody_started_is_told_with_those_that_are(tmp_path: Path) -> None:
    it = act(tmp_path, start("sleep 600"), calls(call("stop_command", "2", id="c9")), SAID)
    assert json.loads(told(it)[1])["error"]["code"] == "COMMAND_NOT_FOUND"
    assert "c1" in told(it)[1]


def test_what_it_does_to_what_git_believes_is_undone_before_the_next_command(tmp_path: Path) -> None:
    (tmp_path / ".git" / "hooks").mkdir(parents=True)
    plant = "echo evil > .git/hooks/post-commit; sleep 600"
    it = Scene(tmp_path, start(plant), calls(call("execute_command", "2", command="mkdir -p new")), SAID, mode=Mode.ACT)
    it.answers(YES, YES, answer(protected="undo"))
    asyncio.run(send_message(it.ws, it.session_id, "serve it"))
    assert it.asked[-1].questions[0].name == "protected"
    assert not (tmp_path / ".git" / "hooks" / "post-commit").exists()


def test_and_when_the_run_ends(tmp_path: Path) -> None:
    (tmp_path / ".git" / "hooks").mkdir(parents=True)
    it = act(tmp_path, start("echo evil > .git/hooks/post-commit; sleep 600"), SAID)
    assert not (tmp_path / ".git" / "hooks" / "post-commit").exists()
    kinds = [entry.kind for entry in it.world.store.journal.entries]
    assert kinds.count("protected_changed") == 1


def test_no_more_than_eight_run_at_once(tmp_path: Path) -> None:
    many = calls(*(call("start_command", str(number), command="echo up; sleep 600") for number in range(9)))
    it = Scene(tmp_path, many, SAID, mode=Mode.ACT, settings=Settings(model="played", approval="acceptAll"))
    asyncio.run(send_message(it.ws, it.session_id, "serve it"))
    assert [text.startswith("id c") for text in told(it)] == [True] * 8 + [False]
    assert alive(tmp_path) == []
