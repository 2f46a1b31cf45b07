from typing import Any

import pytest

from planact.model.layer import Layer
from planact.model.settings import McpServer
from planact.policy.mcp import read_servers
from planact.policy.merge_settings import merge

GOOD = {
    "files": {"command": "npx", "args": ["-y", "files"], "env": {"ROOT": "/x"}, "cwd": "sub", "readOnly": ["list"]},
    "web": {"url": "https://mcp.example.com:8443/v1?x=1", "headers": {"Authorization": "Bearer abcdefgh1"}},
    "off": {"disabled": True},
}


def test_servers_are_programs_or_addresses() -> None:
    servers, problems = read_servers(GOOD)
    assert problems == []
    assert servers == {
        "files": McpServer(command="npx", args=["-y", "files"], env={"ROOT": "/x"}, cwd="sub", read_only=["list"]),
        "web": McpServer(url="https://mcp.example.com:8443/v1?x=1", headers={"Authorization": "Bearer abcdefgh1"}),
        "off": McpServer(disabled=True),
    }


BAD: list[tuple[Any, str, str]] = [
    ({"command_": "x"}, "command_", "is not known; did you mean 'command'?"),
    ({"command": "x", "readonly": []}, "readonly", "is not known; did you mean 'readOnly'?"),
    ({"command": "x", "zzz": 1}, "zzz", "is not known; remove it"),
    ({"command": 1}, "command", "is not a text; correct it"),
    ({"command": "x", "args": "y"}, "args", "is not a list of texts; correct it"),
    ({"command": "x", "env": {"A": 1}}, "env", "is not a table of texts; correct it"),
    ({"command": "x", "disabled": "no"}, "disabled", "is not true or false; correct it"),
    ({"command": "x", "env": {"A=B": "s3cr3t-value"}}, "env", "holds a name or value that no environment can have"),
    ({}, "", "has neither a command nor a url; give one"),
    ({"command": "x", "url": "http://x"}, "", "has both a command and a url; give one"),
    ({"url": "http://x", "env": {"A": "b"}}, "env", "means nothing for a server with a url; remove it"),
    ({"command": "x", "headers": {"A": "b"}}, "headers", "means nothing for a server with a command; remove it"),
    ({"url": "ftp://x"}, "url", "is no http or https address; correct it"),
    ({"url": "http://"}, "url", "is no http or https address; correct it"),
    ({"url": "http://x:99999"}, "url", "is no http or https address; correct it"),
    ({"url": "https://me:s3cr3t-value@x"}, "url", "holds a user name or password; put them into headers"),
    ({"url": "http://x", "headers": {"A": "s3cr3t-value\r\nB: c"}}, "headers", "holds a name or value that no HTTP"),
    ("npx", "", "is no table; write [mcp.servers.NAME] with a command or a url"),
]


@pytest.mark.parametrize(("said", "key", "problem"), BAD)
def test_a_server_that_is_not_clear_is_left_out_and_costs_nobody_else(said: Any, key: str, problem: str) -> None:
    servers, problems = read_servers({"bad": said, "good": {"command": "x"}})
    assert [*servers] == ["good"]
    found = dict(problems)
    at = ".".join(filter(None, ("mcp.servers.bad", key)))
    assert found[at].startswith(problem), problems
    assert "s3cr3t-value" not in str(problems)


@pytest.mark.parametrize("name", ["", "a_b", "a.b", "a b", "x" * 25, "é", "../x"])
def test_names_are_parts_of_names_of_tools(name: str) -> None:
    servers, problems = read_servers({name: {"command": "x"}})
    assert (servers, len(problems)) == ({}, 1)


def test_all_of_it_must_be_a_table() -> None:
    assert read_servers(["npx"])[0] == {}


def layer(source: Any, *, is_trusted: bool = True, **servers: Any) -> Layer:
    return Layer(source, source, {"mcp": {"servers": servers}}, is_trusted)


def test_sources_add_their_servers_and_the_later_ones_win_by_name() -> None:
    merged = merge(
        (
            layer("user", a={"command": "mine"}, b={"command": "b"}),
            layer("repository", a={"command": "theirs"}, c={"url": "http://c"}),
            layer("environment", c={"disabled": True}),
        )
    )
    assert merged.problems == ()
    assert {name: server.command for name, server in merged.settings.mcp.servers.items()} == {
        "a": "theirs",
        "b": "b",
        "c": "",
    }
    assert merged.settings.mcp.servers["c"].disabled


def test_a_repository_that_nobody_trusts_adds_and_changes_none() -> None:
    mine = layer("user", a={"command": "mine"})
    theirs = layer("repository", is_trusted=False, a={"command": "x", "readOnly": ["y"]}, b={"command": "z"})
    merged = merge((mine, theirs))
    assert merged.settings.mcp.servers == {"a": McpServer(command="mine")}
    assert [problem.message for problem in merged.problems] == [
        "mcp.servers in repository is ignored: only you may set it. Set it in your own settings, or trust the folder"
    ]
