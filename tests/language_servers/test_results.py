"""What the model reads of a server's words: behind the result of an edit, and when it asks."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from planact.model.notice import ToolNotice
from planact.model.rights.permission import Mode
from planact.tools.tool_result import Done
from tests.fakes.bench import ACT, Bench
from tests.fakes.world import World, call
from tests.language_servers.conftest import Yard

pytestmark = pytest.mark.slow
NOT_YET = "scripted hasn't checked {} yet: what it finds comes with a later result"


def bench_of(world: World) -> Bench:
    bench = Bench(world.root, ACT, world=world)
    world.ws.accepting.add("s")
    return bench


async def told(bench: Bench, tool: str, **arguments: object) -> str:
    result = await bench.world.ws.gate.call(call(tool, **arguments), bench.turn)
    assert isinstance(result, Done), result
    return result.text


async def until(bench: Bench, words: str) -> str:
    """The first result of a harmless call that says these words."""
    for _ in range(5_000):
        if words in (text := await told(bench, "get_file_info", path="a.py")):
            return text
        await asyncio.sleep(0.02)
    raise AssertionError(f"nobody said {words}")


def play(yard: Yard, manner: str, job: Callable[[Bench], Awaitable[None]], files: tuple[str, ...] = (".py",)) -> None:
    world = yard.world(manner, files=files)
    yard.run(world, lambda: job(bench_of(world)))


def test_the_first_edit_waits_for_nobody_and_later_ones_end_with_their_new_errors(yard: Yard) -> None:
    async def job(bench: Bench) -> None:
        bench.world.write("a.py", "one\n")
        await told(bench, "read_file", path="a.py")
        first = await told(bench, "update_file", path="a.py", edits=[{"old": "one", "new": "wrong 1"}])
        assert first == f"changed a.py: 1 place\n[planact] {NOT_YET.format('a.py')}"
        later = await until(bench, "since your edit")
        assert later.endswith(
            "\n[planact] scripted: 1 new error in a.py since your edit\na.py:1: error: not good: wrong 1 (scripted bad)"
        )
        assert "scripted" not in await told(bench, "get_file_info", path="a.py")
        second = await told(bench, "update_file", path="a.py", edits=[{"old": "wrong 1", "new": "two"}])
        assert second.endswith("\n[planact] scripted: no new errors in a.py since your edit, 1 gone")

    play(yard, "versioned", job)


def test_all_files_of_a_patch_are_checked_and_a_moved_one_by_its_new_name(yard: Yard) -> None:
    async def job(bench: Bench) -> None:
        bench.standing = replace(ACT, planned_files=frozenset({"a.py", "b.py", "c.py"}))
        bench.world.write("a.py", "one\n")
        bench.world.write("b.py", "wrong 0\ntwo\n")
        patch = (
            "*** Begin Patch\n*** Update File: a.py\n@@\n-one\n+wrong 1\n"
            "*** Update File: b.py\n*** Move to: c.py\n@@\n wrong 0\n-two\n+wrong 2\n*** End Patch"
        )
        await bench.world.language_servers.check({"a.py": "one\n"})
        text = await told(bench, "update_file", patch=patch)
        assert "scripted: 1 new error in a.py since your edit\na.py:1: error: not good: wrong 1" in text
        assert "scripted: 1 new error in c.py since your edit\nc.py:2: error: not good: wrong 2" in text

    play(yard, "versioned", job)


def test_an_editor_that_tells_its_diagnostics_has_servers_of_its_own(yard: Yard) -> None:
    async def job(bench: Bench) -> None:
        bench.world.editor.told_problems = ()
        bench.world.write("a.py", "one\n")
        text = await told(bench, "update_file", path="a.py", edits=[{"old": "one", "new": "wrong"}])
        assert text == "changed a.py: 1 place\n[planact] the editor: no new errors in a.py since your edit"
        assert not yard.processes()

    play(yard, "versioned", job)


def test_only_what_was_checked_is_called_free_of_problems(yard: Yard) -> None:
    async def job(bench: Bench) -> None:
        for name in ("a.py", "sub/b.py", "sub/c.md", "hidden/d.py", "node_modules/e.py"):
            bench.world.write(name, "wrong\n" if name == "sub/b.py" else "fine\n")
        bench.world.write(".planactignore", "hidden/\nserver.py\n")
        bad = "sub/b.py:1: error: not good: wrong (scripted bad)"
        assert await told(bench, "get_diagnostics", path="sub/b.py") == bad
        assert await told(bench, "get_diagnostics") == f"{bad}\nscripted finds nothing in a.py"
        assert (await told(bench, "get_diagnostics", path="sub/c.md")).startswith("no language server looks at it")

    play(yard, "versioned", job)


def test_more_files_than_are_checked_are_counted(yard: Yard) -> None:
    async def job(bench: Bench) -> None:
        bench.world.write(".planactignore", "server.py\n")
        for number in range(25):
            bench.world.write(f"many/{number}.py", "fine\n")
        text = await told(bench, "get_diagnostics", path="many")
        assert text.endswith("\n5 further files weren't checked; name a narrower path")

    play(yard, "versioned", job)


def test_a_server_that_is_of_no_use_is_told_and_the_linters_are_named(yard: Yard) -> None:
    async def job(bench: Bench) -> None:
        bench.world.write("a.py", "one\n")
        bench.world.write("pyproject.toml", "[tool.ruff]\n")
        text = await told(bench, "get_diagnostics", path="a.py")
        assert text == (
            "scripted didn't check a.py: it ended, and said: I can't go on [31m\nrun with execute_command: ruff check ."
        )
        edited = await told(bench, "update_file", path="a.py", edits=[{"old": "one", "new": "two"}])
        text = edited if "can't check" in edited else await until(bench, "can't check")
        assert "scripted can't check a.py and further files: it ended, and said: I can't go on" in text
        notices = [each for each in bench.world.editor.notices if isinstance(each, ToolNotice) and each.code]
        assert [(each.tool, each.code) for each in notices] == [("scripted", "LANGUAGE_SERVER_UNUSABLE")]
        assert "scripted" not in await told(bench, "update_file", path="a.py", edits=[{"old": "two", "new": "one"}])

    play(yard, "dies", job)


def test_a_running_server_hears_what_else_changes_on_disk(yard: Yard) -> None:
    async def job(bench: Bench) -> None:
        bench.standing = replace(ACT, planned_files=frozenset({"a.py", "old.py", "gone.py", "new.py"}))
        bench.listener.answers = ["allow_once"]
        for name in ("old.py", "gone.py"):
            bench.world.write(name, "x\n")
        await bench.world.language_servers.check({"gone.py": "x\n"})
        await told(bench, "delete_file", path="gone.py")
        await told(bench, "rename_file", path="old.py", new_path="new.py")
        await told(bench, "create_file", path="a.py", content="x\n")
        text = await told(bench, "get_diagnostics", path="a.py")
        events = [line.partition("not good: ")[2].removesuffix(" (scripted bad)") for line in text.splitlines()]
        assert [event for event in events if event] == [
            *("3 gone.py", "closed gone.py"),
            *("3 old.py", "1 new.py", "1 a.py"),
        ]

    play(yard, "watches", job)


def test_ten_new_errors_are_told_and_the_rest_counted(yard: Yard) -> None:
    async def job(bench: Bench) -> None:
        await bench.world.language_servers.check({"b.py": ""})
        bench.world.write("a.py", "one\n")
        lines = "\n".join(f"wrong {number} \u202e{'x' * 3_000}" for number in range(13))
        text = await told(bench, "update_file", path="a.py", edits=[{"old": "one", "new": lines}])
        told_lines = text.splitlines()
        assert told_lines[1] == "[planact] scripted: 13 new errors in a.py since your edit"
        assert (len(told_lines), told_lines[-1], "\u202e" in text) == (13, "… and 3 more", False)
        assert max(map(len, told_lines)) < 700

    play(yard, "versioned", job)


def test_planacts_own_calls_hear_nothing_of_it(yard: Yard, tmp_path: Path) -> None:
    async def job(bench: Bench) -> None:
        await bench.world.language_servers.check({"b.py": ""})
        bench.world.write("a.py", "one\n")
        object.__setattr__(bench.turn, "model", "")
        text = await told(bench, "update_file", path="a.py", edits=[{"old": "one", "new": "wrong"}])
        assert (text, bench.standing.mode) == ("changed a.py: 1 place", Mode.ACT)

    play(yard, "versioned", job)
