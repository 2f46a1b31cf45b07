import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from planact.adapters.mcp import connection
from planact.adapters.mcp.context import LaunchContext
from planact.adapters.mcp.servers import McpConnections
from planact.base.errors import McpFailure
from planact.model.mcp import McpListing, McpTool
from planact.model.settings import McpServer
from tests.mcp.conftest import Fixture
from tests.workflows.scene import until

T = TypeVar("T")
TOKEN = "PLANACT_COMMAND"


class Servers:
    """The port, used in one event loop and closed at its end."""

    def __init__(self, root: Path, **servers: McpServer) -> None:
        root = root / "work"
        root.mkdir(exist_ok=True)
        context = LaunchContext(root, {"INHERITED": "yes"}, "/usr/bin:/bin", [root.parent / "state" / "mcp"])
        self.connections = McpConnections(context, TOKEN, "1.0")
        self.connections.use(servers)
        self._names = tuple(servers)

    def during(self, work: Callable[["Servers"], Awaitable[T]]) -> T:
        async def run() -> T:
            try:
                async with asyncio.timeout(180):
                    return await work(self)
            finally:
                await self.connections.close()

        return asyncio.run(run())

    async def list(self) -> dict[str, McpListing]:
        return {listing.server: listing for listing in await self.connections.listings(self._names)}

    async def tool(self, name: str, server: str = "it") -> McpTool:
        while "still starting" in (listing := (await self.list())[server]).problem:  # noqa: ASYNC110
            await asyncio.sleep(0.1)
        return next(tool for tool in listing.tools if tool.name == name)

    async def call(self, name: str, /, *, seconds: float = 180, limit: int = 1_000, **arguments: Any) -> str:
        return (await self.connections.call(await self.tool(name), arguments, seconds, limit)).text

    async def failed(self, name: str, seconds: float = 180) -> str:
        with pytest.raises(McpFailure) as failure:
            await self.call(name, seconds=seconds)
        return f"{failure.value.message} | {failure.value.hint}"


def test_nothing_is_started_before_it_is_asked_for(fixture: Fixture, tmp_path: Path) -> None:
    servers = Servers(tmp_path, it=fixture.stdio())
    servers.during(lambda it: asyncio.sleep(0.3))
    assert fixture.said("started") == []


@pytest.mark.parametrize("kind", ["stdio", "http"])
def test_tools_are_listed_and_called(
    fixture: Fixture, tmp_path: Path, kind: str, request: pytest.FixtureRequest
) -> None:
    server = fixture.stdio() if kind == "stdio" else McpServer(url=request.getfixturevalue("address"))

    async def work(it: Servers) -> None:
        listing = (await it.list())["it"]
        assert listing.problem == ""
        assert {"note", "peek", "read_file"} < {tool.name for tool in listing.tools}
        assert [tool.name for tool in listing.tools if tool.says_read_only] == ["peek"]
        assert await it.call("note", text="milk") == "noted milk"
        assert await it.call("sizes", names=["a", "bc"]) == '{\n  "a": 1,\n  "bc": 2\n}'
        assert "the disk is full" in await it.failed("fail")
        assert await it.call("pieces") == (
            "first\n[image/png, 3 bytes, not shown]\n[the resource manual at file:///manual.pdf, not read]\n"
            "[the resource file:///a.txt]\ninlined"
        )
        assert await it.call("shout", count=5_000, limit=10) == "aaaaa\n[… 4990 characters left out …]\naaaaa"
        assert "declined" in await it.call("want")

    Servers(tmp_path, it=server).during(work)
    assert fixture.said("notes") == ["milk"]
    assert len(fixture.said("started")) == 1


def test_a_server_gets_what_commands_get_and_what_the_user_says(fixture: Fixture, tmp_path: Path) -> None:
    async def work(it: Servers) -> list[str]:
        return [await it.call("variable", name=name) for name in ("INHERITED", "MINE", "HOME")]

    server = fixture.stdio(env={"MINE": "too"})
    assert Servers(tmp_path, it=server).during(work) == ["yes", "too", "(unset)"]


BAD = [
    ({"command": "no-such-program"}, "no program named no-such-program is on PATH"),
    (
        {"command": "sh", "args": ["-c", "echo the database is gone >&2; exit 3"]},
        "it ended with code 3, and said: the database is gone",
    ),
    (
        {"command": "sh", "args": ["-c", "seq 1 500 >&2; echo 'KeyError: no TOKEN' >&2; exit 1"]},
        "KeyError: no TOKEN",
    ),
    ({"command": "sleep", "args": ["60"]}, "it is still starting after 0.5 s"),
    ({"command": "yes"}, "messages within a minute"),
    ({"command": "cat", "args": ["/dev/zero"]}, "it sent a message of more than 10,000,000 bytes"),
    ({"command": "sh", "cwd": "nowhere"}, "No such file or directory"),
    ({"url": "http://127.0.0.1:9/mcp"}, "connection attempts failed"),
]


@pytest.mark.parametrize(("settings", "cause"), BAD)
def test_a_server_that_fails_is_told_and_costs_nobody_else(
    fixture: Fixture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, Any], cause: str
) -> None:
    if "still" in cause:
        monkeypatch.setattr(connection, "PATIENCE_SECONDS", 0.5)

    async def work(it: Servers) -> dict[str, McpListing]:
        if "still" in cause:
            return {"bad": (await it.connections.listings(["bad"]))[0], "it": McpListing("it", (), "")}
        return await it.list()

    listings = Servers(tmp_path, bad=McpServer(**settings), it=fixture.stdio()).during(work)
    assert cause in listings["bad"].problem, listings["bad"].problem
    assert listings["bad"].problem.startswith("the MCP server bad: ")
    assert listings["it"].problem == ""


@pytest.mark.parametrize(
    ("tool", "cause"),
    [
        ("die", "it ended with code 3, and said: out of memory"),
        ("flood", "it sent a message of more than 10,000,000 bytes"),
        ("chatter", "messages within a minute"),
        ("groan", "and 0 messages within a minute"),
    ],
)
def test_a_server_that_breaks_down_in_a_call_is_ended_and_started_again(
    fixture: Fixture, tmp_path: Path, tool: str, cause: str
) -> None:
    async def work(it: Servers) -> None:
        assert cause in await it.failed(tool)
        with pytest.raises(McpFailure):
            await it.connections.call(McpTool("it", "note", "", {}, False, ""), {}, 5, 100)
        assert await it.call("note", text="again") == "noted again"
        assert len(fixture.alive()) == 1

    Servers(tmp_path, it=fixture.stdio()).during(work)
    assert len(fixture.said("started")) == 2
    assert fixture.alive() == []


def test_a_call_that_is_never_answered_ends_in_time_and_the_server_is_told(fixture: Fixture, tmp_path: Path) -> None:
    async def work(it: Servers) -> None:
        assert "hang did not answer within 0.5 s" in await it.failed("hang", seconds=0.5)
        await until(lambda: fixture.said("cancelled"))
        hanging = asyncio.ensure_future(it.call("hang"))
        await until(lambda: len(fixture.said("hanging")) == 2)
        hanging.cancel()
        await until(lambda: len(fixture.said("cancelled")) == 2)
        assert await it.call("note", text="on") == "noted on"

    Servers(tmp_path, it=fixture.stdio()).during(work)
    assert len(fixture.said("started")) == 1


def test_a_tool_that_changed_is_another_one(fixture: Fixture, tmp_path: Path) -> None:
    async def work(it: Servers) -> None:
        before = await it.tool("note")
        assert before == await it.tool("note")
        await it.call("change")
        after = await it.tool("note")
        assert before.fingerprint != after.fingerprint
        with pytest.raises(McpFailure) as failure:
            await it.connections.call(before, {"text": "x"}, 5, 100)
        assert "is not what it was" in failure.value.message

    Servers(tmp_path, it=fixture.stdio()).during(work)
    assert fixture.said("notes") == []


def test_a_server_ends_when_the_settings_change(fixture: Fixture, tmp_path: Path) -> None:
    async def work(it: Servers) -> None:
        await it.list()
        it.connections.use({"it": fixture.stdio()})
        assert len(fixture.alive()) == 1
        it.connections.use({"it": fixture.stdio(env={"A": "b"})})
        await until(lambda: fixture.alive() == [])
        assert await it.call("variable", name="A") == "b"
        it.connections.use({"it": fixture.stdio(disabled=True)})
        await until(lambda: fixture.alive() == [])
        assert await it.list() == {}

    Servers(tmp_path, it=fixture.stdio()).during(work)


def test_redirects_to_other_places_are_not_followed(fixture: Fixture, tmp_path: Path, address: str) -> None:
    redirecting = (
        "import http.server, sys\n"
        "class Away(http.server.BaseHTTPRequestHandler):\n"
        "    def do_POST(self):\n"
        "        self.send_response(307); self.send_header('Location', sys.argv[1]); self.end_headers()\n"
        "server = http.server.HTTPServer(('127.0.0.1', 0), Away)\n"
        "print(server.server_port, flush=True)\n"
        "server.serve_forever()\n"
    )

    async def work() -> McpListing:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            redirecting,
            address,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        assert process.stdout is not None
        port = int(await asyncio.wait_for(process.stdout.readline(), 180))
        servers = McpConnections(LaunchContext(tmp_path, {}, "", []), TOKEN, "1.0")
        servers.use({"it": McpServer(url=f"http://127.0.0.1:{port}/mcp")})
        try:
            return (await servers.listings(["it"]))[0]
        finally:
            await servers.close()
            process.kill()
            await process.wait()

    listing = asyncio.run(asyncio.wait_for(work(), 180))
    assert (listing.tools, "it redirects to another address" in listing.problem) == ((), True)


def test_a_server_at_work_on_a_call_is_let_be(
    fixture: Fixture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "_LIST_SECONDS", 0.01)

    async def work(it: Servers) -> None:
        tool = await it.tool("block")
        blocking = asyncio.ensure_future(it.connections.call(tool, {}, 20, 100))
        await until(lambda: fixture.said("blocking"))
        assert (await it.list())["it"].tools
        assert (await blocking).text == "done"

    Servers(tmp_path, it=fixture.stdio()).during(work)
    assert len(fixture.said("started")) == 1


@pytest.mark.parametrize("form", ["json", "events"])
def test_half_a_character_over_http_costs_no_answer(tmp_path: Path, form: str) -> None:
    async def work(it: Servers) -> None:
        assert (await it.list())["it"].tools[0].description == "cut in \ufffd"
        assert await it.call("half", seconds=20) == "cut in \ufffd"
        assert await it.call("bytes", seconds=20) == "caf\ufffd"
        assert await it.call("whole", seconds=20) == "\U0001f642 \\ud83d \ufffd\ufffd\n"
        assert "answered with what is no result" in await it.failed("null", seconds=20)

    odd = Path(__file__).with_name("odd_server.py")
    with subprocess.Popen([sys.executable, str(odd), form], stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            address = f"http://127.0.0.1:{int(process.stdout.readline())}/mcp"
            Servers(tmp_path, it=McpServer(url=address)).during(work)
        finally:
            process.kill()


def test_one_odd_tool_or_part_costs_none_of_the_others(tmp_path: Path) -> None:
    async def work(it: Servers) -> None:
        listing = (await it.list())["it"]
        assert [tool.name for tool in listing.tools] == [
            *("half", "bytes", "whole", "new", "marked", "list", "nothing", "null", "text", "untyped", "array"),
        ]
        assert listing.problem == (
            "the MCP server it: 2 of its tools are not described as the protocol asks and are left out; "
            "1 of its tools is left out, since names can be 1 to 128 letters, digits and -_./: “two words”"
        )
        assert listing.tools[0].description == "cut in \ufffd"
        assert await it.call("half", seconds=20) == "cut in \ufffd"
        assert await it.call("bytes", seconds=20) == "caf\ufffd"
        assert await it.call("new") == "[a part in a form that isn't known here: hologram]\nseen"
        assert await it.call("marked") == "seen"
        assert await it.call("list") == "[1, 2]"
        for tool in ("nothing", "null", "text"):
            assert "answered with what is no result" in await it.failed(tool)
        assert (await it.list())["it"].problem == listing.problem

    odd = McpServer(command=sys.executable, args=[str(Path(__file__).with_name("odd_server.py"))])
    Servers(tmp_path, it=odd).during(work)
