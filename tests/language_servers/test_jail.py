"""A server is the user's program on a repository's files: it can change nothing, tell nobody and see no keys."""

import socket
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from planact.model.settings import Settings
from tests.fakes import world as worlds
from tests.language_servers.conftest import Yard
from tests.language_servers.test_edits import checked, messages

pytestmark = pytest.mark.slow


def test_a_server_writes_its_own_home_and_nothing_else(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = Path.home() / ".config" / "secret"
    secret.parent.mkdir(parents=True, exist_ok=True)
    secret.write_text("x")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        environment = {
            **worlds.ENVIRONMENT,
            "MY_TOKEN": "sk-test",
            "OPENAI_API_KEY": "sk-test",
            "HOME": str(Path.home()),
        }
        environment["PORT"] = str(listening.getsockname()[1])
        monkeypatch.setattr(worlds, "ENVIRONMENT", environment)
        places = [
            yard.root / "made.txt",
            yard.root / ".git-hook",
            yard.root.parent / "made.txt",
            Path.home() / "made.txt",
        ]
        world = yard.world("tries", *map(str, places))
        said = messages(yard.run(world, lambda: checked(world, None, "x\n")))
    # In bubblewrap it has a network and a `/tmp` of its own; by Landlock it is refused both.
    assert {*said} - {"refused", f"wrote {places[2]}"} == {"wrote its own home"}
    assert not any(place.exists() for place in places)
    assert not (Path.home() / "own").exists()


def test_without_a_jail_that_holds_it_none_starts(yard: Yard) -> None:
    world = yard.world("versioned")
    world.settings = Settings(model="played", sandbox="off")
    check = yard.run(world, lambda: checked(world, None, "wrong\n"))
    assert (check.new, check.trouble) == (None, "there is no jail on this machine that would hold it")


@pytest.mark.parametrize(
    ("field", "trouble"),
    [
        ("is_restricted", "this workspace isn't trusted in the editor"),
        ("awaits_trust", "this folder isn't trusted yet (planact trust)"),
    ],
)
def test_in_a_folder_without_trust_none_starts_until_there_is_trust(yard: Yard, field: str, trouble: str) -> None:
    world = yard.world("versioned")
    answers = [True, False]
    setattr(world.ws, field, lambda: answers.pop(0) if len(answers) > 1 else answers[0])

    async def edits() -> None:
        check = await checked(world, None, "wrong\n")
        assert (check.new, check.trouble) == (None, trouble)
        assert not yard.processes()
        assert messages(await checked(world, "wrong\n", "wrong\nwrong 2\n")) == [
            "wrong",
            "wrong 2",
        ]  # none of them was told yet

    yard.run(world, edits)


@pytest.mark.skipif(sys.platform != "linux", reason="the jail is Linux's")
def test_a_server_ends_with_a_planact_that_is_killed(yard: Yard) -> None:
    script = textwrap.dedent(f"""
        import asyncio, sys
        from pathlib import Path
        from tests.language_servers.conftest import Yard
        async def main():
            yard = object.__new__(Yard)
            yard.root = Path({str(yard.root)!r})
            world = yard.world("versioned")
            await world.language_servers.check({{"a.txt": "wrong"}})
            print("up", flush=True)
            await asyncio.sleep(600)
        asyncio.run(main())
    """)
    root = Path(__file__).parents[2]
    process = subprocess.Popen([sys.executable, "-c", script], cwd=root, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with process.stdout as output:
        assert output.readline() == "up\n"
        assert yard.processes()
        process.kill()
        process.wait()
    end = time.monotonic() + 180
    while yard.processes():
        assert time.monotonic() < end, "it lives on"
        time.sleep(0.05)
