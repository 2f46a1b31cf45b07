"""What the rest of the system sees of MCP servers: nothing before they are used, and nothing after."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.program import Program
from tests.mcp.conftest import SERVER, Fixture


def toml(fixture: Fixture, **more: object) -> str:
    server = {"command": sys.executable, "args": [str(SERVER), str(fixture.log)], **more}
    lines = [f"{key} = {json.dumps(value)}" for key, value in server.items()]
    return "\n".join(["[mcp.servers.it]", *lines, ""])


@pytest.fixture
def planact(tmp_path: Path) -> Program:
    folder, home = tmp_path / "work", tmp_path / "home"
    (folder / ".planact").mkdir(parents=True)
    home.mkdir()
    (folder / "greeting.txt").write_text("hello\n")
    return Program(folder, home)


def ask(planact: Program) -> None:
    ran = planact.run("chat", "What does it say?", "--json")
    assert ran.code == 0, ran


def test_a_repositorys_servers_are_not_started_until_it_is_trusted(fixture: Fixture, planact: Program) -> None:
    config = planact.folder / ".planact" / "config.toml"
    config.write_text(toml(fixture, readOnly=["peek"]))
    ask(planact)
    planact.run("doctor")
    assert fixture.said("started") == []
    assert planact.run("trust").code == 0
    ask(planact)
    assert len(fixture.said("started")) == 1
    config.write_text(toml(fixture, readOnly=["peek", "note"]))
    ask(planact)
    assert len(fixture.said("started")) == 1
    assert fixture.alive() == []


def test_doctor_lists_the_servers_and_whether_they_start(fixture: Fixture, planact: Program) -> None:
    config = planact.home / ".config" / "planact" / "config.toml"
    config.parent.mkdir(parents=True)
    more = '[mcp.servers.it.env]\nAPI_TOKEN = "very-secret-1"\n[mcp.servers.bad]\ncommand = "no-such-program"\n'
    config.write_text(toml(fixture, readOnly=["peek", "nots"]) + more)
    assert planact.run("trust").code == 0
    ran = planact.run("doctor", "--json")
    found = [(row["state"], row["text"]) for row in ran.json["findings"] if row["name"] == "mcp"]
    assert found[0][1].startswith("the MCP server bad: no program named no-such-program is on PATH")
    assert [state for state, _ in found] == ["problem", "ok", "problem"]
    assert found[1][1] == "it runs, with 19 tools, 1 of them readOnly by your settings"
    assert found[2][1] == "it has no tool nots, which mcp.servers.it.readOnly names"
    assert "very-secret-1" not in ran.out + ran.err
    assert fixture.alive() == []


@pytest.mark.skipif(sys.platform != "linux", reason="only there the kernel ends them")
def test_a_server_that_heeds_nothing_ends_with_planact_even_when_that_is_killed(
    fixture: Fixture, tmp_path: Path
) -> None:
    stubborn = (
        "import os, signal, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
        f"open({str(fixture.log / 'started')!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    )
    code = (
        "import asyncio, sys; from pathlib import Path\n"
        "from planact.adapters.mcp.context import LaunchContext\n"
        "from planact.adapters.mcp.servers import McpConnections\n"
        "from planact.model.settings import McpServer\n"
        "context = LaunchContext(Path.cwd() / 'work', {}, '', [Path.cwd() / 'mcp'])\n"
        "servers = McpConnections(context, 'PLANACT_COMMAND', '1')\n"
        f"servers.use({{'it': McpServer(command=sys.executable, args=['-c', {stubborn!r}])}})\n"
        "asyncio.run(servers.listings(['it']))\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path)
    try:
        wait_for(lambda: fixture.said("started") != [])
        assert len(fixture.alive()) == 1
        os.kill(process.pid, signal.SIGKILL)
        wait_for(lambda: fixture.alive() == [])
    finally:
        process.kill()
        process.wait(180)


def wait_for(is_so) -> None:  # type: ignore[no-untyped-def]
    for _ in range(1_200):
        if is_so():
            return
        time.sleep(0.05)
    raise AssertionError("it took too long")
