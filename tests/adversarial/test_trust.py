"""Trust is in content: whoever changes one byte of what was trusted, the user is asked as if it never had been."""

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.adversarial.arena import Arena, Attacker, attacker, shell
from tests.lsp.commands.planact_client import call, calls, planact_client, say, scene
from tests.lsp.editor_client import failure

pytestmark = [pytest.mark.asyncio(loop_scope="function"), pytest.mark.timeout(300)]

WRITE = "create_file"
CONFIG = 'approval = "acceptAll"\n'
ROLE = "---\nname: helper\ndescription: Helps\nmode: plan\npermissions: [read_files]\n---\nHelp.\n"


def set_up(arena: Arena) -> Path:
    folder = arena.workspace / ".planact"
    (folder / "roles").mkdir(parents=True)
    (folder / "config.toml").write_text(CONFIG)
    (folder / "roles" / "helper.md").write_text(ROLE)
    (arena.workspace / "elsewhere.md").write_text(ROLE)
    git(arena, "add", ".planact", "elsewhere.md")
    git(arena, "commit", "-q", "-m", "Settings")
    return folder


def git(arena: Arena, *words: str) -> None:
    me = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", *me, *words], cwd=arena.workspace, check=True, timeout=180, env=arena.environment())


async def asks(it: Attacker) -> bool:
    """Whether a new file is asked about in Act, as it isn't where `acceptAll` counts."""
    seen = len(it.asked)
    it.arena.workspace.joinpath("new.py").unlink(missing_ok=True)
    await it.attempt([call(WRITE, path="new.py", content="x")], mode="act")
    was_written = it.arena.workspace.joinpath("new.py").exists()
    assert was_written is (len(it.asked) == seen)
    return not was_written


async def trusted(it: Attacker) -> tuple[bool, bool]:
    """Whether the folder is said to be trusted, and whether its settings count."""
    return (await it.client.do("showStatus")).is_trusted, not await asks(it)


def add_file(folder: Path) -> None:
    (folder / "roles" / "more.md").write_text(ROLE.replace("helper", "more"))


def add_empty(folder: Path) -> None:
    (folder / "notes").mkdir()
    (folder / "notes" / "empty").write_text("")


def change_byte(folder: Path) -> None:
    with (folder / "config.toml").open("a") as config:
        config.write("\n")


def change_byte_in_place(folder: Path) -> None:
    """With the size and the times of before."""
    path = folder / "roles" / "helper.md"
    status = path.stat()
    path.write_text(ROLE.replace("Help.", "Harm."))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def remove_file(folder: Path) -> None:
    (folder / "roles" / "helper.md").unlink()


def link_away(folder: Path) -> None:
    """To a file that holds the same."""
    (folder / "roles" / "helper.md").unlink()
    (folder / "roles" / "helper.md").symlink_to("../../elsewhere.md")


def rename_file(folder: Path) -> None:
    (folder / "roles" / "helper.md").rename(folder / "roles" / "actor.md")


CHANGES = (add_file, add_empty, change_byte, change_byte_in_place, remove_file, link_away, rename_file)


async def test_any_change_ends_it_and_going_back_brings_it_back(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = set_up(arena)
    async with attacker(arena, monkeypatch) as it:
        assert await trusted(it) == (False, False)
        await it.client.do("trustFolder")
        assert await trusted(it) == (True, True)
        for change in CHANGES:
            change(folder)
            assert await trusted(it) == (False, False), change.__name__
            git(arena, "checkout", "-q", "--", ".planact")
            git(arena, "clean", "-q", "-f", "-d", ".planact")
            assert await trusted(it) == (True, True), change.__name__


async def test_a_checkout_of_other_settings_ends_it(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = set_up(arena)
    git(arena, "checkout", "-q", "-b", "other")
    (folder / "config.toml").write_text(CONFIG + 'startMode = "act"\n')
    git(arena, "commit", "-q", "-a", "-m", "Other settings")
    git(arena, "checkout", "-q", "-")
    async with attacker(arena, monkeypatch) as it:
        await it.client.do("trustFolder")
        assert await trusted(it) == (True, True)
        git(arena, "checkout", "-q", "other")
        assert await trusted(it) == (False, False)
        assert (await it.client.do("newSession")).mode == "plan"


async def test_it_is_the_users_alone_and_no_other_folders(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy of a trusted folder elsewhere is another folder."""
    set_up(arena)
    copy = arena.base / "copy"
    async with attacker(arena, monkeypatch) as it:
        await it.client.do("trustFolder")
        assert await trusted(it) == (True, True)
    shutil.copytree(arena.workspace, copy, symlinks=True)
    async with planact_client(copy) as client:
        assert (await client.do("showStatus")).is_trusted is False


async def test_what_a_command_of_planacts_own_changes_is_not_trusted(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The user allows the command, and keeps what it changed; that trusts nothing."""
    folder = set_up(arena)
    add = "printf 'startMode = \"act\"\\n' >> .planact/config.toml"
    async with attacker(arena, monkeypatch) as it:
        it.play_scenes(
            scene(
                "",
                calls(shell(add, network=True, why="it asks")),
                calls(call(WRITE, path="later.py", content="x")),
                say("Done."),
            )
        )
        await it.client.do("trustFolder")
        session = await it.client.do("newSession", mode="act")
        answering = asyncio.ensure_future(say_yes(it))
        try:
            await it.client.do("sendMessage", session_id=session.id, text="Change the settings")
        finally:
            answering.cancel()
        if (folder / "config.toml").read_text() == CONFIG:
            pytest.fail("the command changed nothing, so this shows nothing")
        assert await trusted(it) == (False, False)
        assert (await it.client.do("newSession")).mode == "plan"


async def test_a_command_that_the_user_allows_cannot_speak_to_planact_as_the_user(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up(arena)
    planact = f"{sys.executable} -m planact"
    commands = [f"{planact} trust", f"{planact} act notes.plan --yes", f"XDG_STATE_HOME=$PWD/.planact {planact} trust"]
    async with attacker(arena, monkeypatch) as it:
        it.play_scenes(scene("", *(calls(shell(command)) for command in commands), say("Done.")))
        session = await it.client.do("newSession", mode="act")
        answering = asyncio.ensure_future(say_yes(it))
        try:
            await it.client.do("sendMessage", session_id=session.id, text="Trust it")
        finally:
            answering.cancel()
        told = [m["content"] for m in await it.transcript(session.id) if m["role"] == "tool"]
        assert len(told) == len(commands)
        assert await trusted(it) == (False, False)
        assert (await it.client.do("showPlan", uri=it.client.uri("notes.plan"))).is_approved is False


async def say_yes(it: Attacker) -> None:
    """Allow whatever is asked, and let it stand."""
    number = 1
    while True:
        asked = await it.client.question(number)
        [question] = asked.questions
        await it.client.run(
            "planact.answerQuestion",
            question_id=asked.question_id,
            answers={question.name: next(o.value for o in question.options if o.value in ("allow_once", "keep"))},
        )
        number += 1


async def test_no_tool_reaches_what_is_trusted(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor the list of what is: also not where everything is accepted, in either mode."""
    set_up(arena)
    writes = [
        call("update_file", path=".planact/config.toml", edits=[{"old": "acceptAll", "new": "ask"}]),
        call(WRITE, path=".planact/roles/more.md", content=ROLE),
        call("delete_file", path=".planact/roles/helper.md"),
        call("rename_file", path=".planact/roles/helper.md", new_path=".planact/roles/actor.md"),
        call(WRITE, path=".planact/plans/../config.toml", content="x"),
        call(WRITE, path=".planact/plans/x.plan/../../config.toml", content="x"),
    ]
    async with attacker(arena, monkeypatch, approval="acceptAll") as it:
        await it.client.do("trustFolder")
        before = arena.picture()
        for mode in ("plan", "act"):
            for attempt in await it.attempt(writes, mode=mode):
                assert attempt.error.get("code") in ("PATH_PROTECTED", "TOOL_BLOCKED_BY_MODE"), attempt
        assert arena.picture() == before
        assert (await it.client.do("showStatus")).is_trusted is True
        code, _, _ = await failure(it.client.run("planact.trustFolder", folder="file:///elsewhere"))
        assert code == "NO_WORKSPACE"
