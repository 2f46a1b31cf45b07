"""How the real server begins: `initialize` is answered at once, and whatever comes instead of it or in it is borne."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.capabilities import ServerCapabilitiesBuilder

from planact.lsp.connection import create_server
from planact.lsp.server import new_converter
from planact.lsp.wire import initialize_reply
from tests.lsp.commands.planact_client import folder_of
from tests.lsp.raw_client import raw_client
from tests.lsp.recorded_clients import READ, RECORDED, declared_by

SERVER = ("-m", "planact", "serve")

UP_TO_THE_FIRST_LATE_IMPORT = """
import os, sys
class Watch:
    def find_spec(self, name, *_):
        if name == "planact.lsp.wire.late_types":
            found = sorted(each for each in sys.modules if each.partition(".")[0] not in sys.stdlib_module_names)
            slow = {"asyncio", "dataclasses", "logging", "sqlite3", "ssl"} & sys.modules.keys()
            print(*found, *slow, file=sys.stderr)
            os._exit(0)
sys.meta_path.insert(0, Watch())
sys.argv[1:] = ["serve"]
from planact.__main__ import main
main()
"""


BODY = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
INITIALIZE = b"Content-Length: %d\r\n\r\n%b" % (len(BODY), BODY)


def test_initialize_is_answered_before_anything_else_is_imported(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-S", "-c", UP_TO_THE_FIRST_LATE_IMPORT],
        input=INITIALIZE,
        capture_output=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(initialize_reply.__file__).parents[3])},
        timeout=180,
        check=False,
    )
    assert b'"executeCommandProvider"' in ran.stdout
    wire = "planact.lsp.wire planact.lsp.wire.initialize_reply planact.lsp.wire.stdio"
    assert ran.stderr.decode().split() == [
        "__main__",
        "planact",
        "planact.__main__",
        "planact.lsp",
        "planact.lsp.serve",
        *wire.split(),
    ]


AT_THE_END = """
import os, sys
leave = os._exit
def tell(code):
    print(sys.getswitchinterval(), file=sys.stderr)
    leave(code)
os._exit = tell
sys.argv[1:] = ["serve"]
from planact.__main__ import main
main()
"""


def test_other_threads_give_way_to_the_one_that_answers_sooner_than_python_has_them(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", AT_THE_END],
        input=INITIALIZE,
        capture_output=True,
        cwd=tmp_path,
        timeout=180,
        check=False,
    )
    assert float(ran.stderr.split()[-1]) < sys.getswitchinterval()


OTHERS = "annotated_types attr attrs cattr cattrs lsprotocol platformdirs psutil pydantic pydantic_core pygls"
OTHERS += " typing_extensions typing_inspection yaml"


def test_the_server_is_made_of_few_packages_of_others_before_it_is_asked_anything() -> None:
    code = "import planact.lsp.connection, sys; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=180, check=True)
    tops = set(ran.stdout.split()) - sys.stdlib_module_names
    found = {name for name in tops if not name.startswith(("_", "cython", "planact", "sitecustomize"))}
    assert found <= {*OTHERS.split()}


@pytest.mark.parametrize("name", [*RECORDED, *READ])
def test_a_client_hears_what_pygls_would_tell_it_but_what_is_registered_later(name: str) -> None:
    declared, server, converter = declared_by(name), create_server(), new_converter()
    client = converter.unstructure(declared)
    registered = server.protocol.fm
    expected = converter.unstructure(
        ServerCapabilitiesBuilder(
            declared,
            {*registered.features, *registered.builtin_features},
            registered.feature_options,
            list(registered.commands),
            types.TextDocumentSyncKind.Incremental,
            position_encoding=ServerCapabilitiesBuilder.choose_position_encoding(declared),
        ).build()
    )
    later = initialize_reply.registrations(initialize_reply.advertised(), client)
    for provider, _ in map(initialize_reply.PROVIDERS.__getitem__, later):
        del expected[provider]
    for key in ("willSave", "willSaveWaitUntil"):  # said to be none, or not said
        assert expected["textDocumentSync"].pop(key, False) is False
    said = initialize_reply.answer(initialize_reply.advertised(), client)["capabilities"]
    is_asked = "textDocumentContent" in client.get("workspace", {})
    assert ("textDocumentContent" in said["workspace"]) is is_asked
    said["workspace"].pop("textDocumentContent", None)
    assert said == expected


@pytest.mark.parametrize(
    "first",
    [
        {"method": "textDocument/hover", "params": {}},
        {"method": "initialize"},
        {"method": "initialize", "params": {"capabilities": 3}},
    ],
)
async def test_whatever_comes_first_gets_an_answer_and_initialize_comes_then(
    tmp_path: Path, first: dict[str, Any]
) -> None:
    async with raw_client(tmp_path, SERVER) as client:
        client.send(id="first", **first)
        assert "error" in await client.answer("first")
        capabilities = {"general": {"positionEncodings": ["utf-32"]}}
        said = await client.initialize(capabilities=capabilities)
        assert (
            said["capabilities"] == initialize_reply.answer(initialize_reply.advertised(), capabilities)["capabilities"]
        )
        assert "result" in await client.call("planact.showStatus")
        assert await client.leave() == 0


@pytest.mark.parametrize(
    "capabilities",
    [
        {"textDocument": 5},
        {"workspace": {"symbol": {"symbolKind": {"valueSet": [1, 999]}}}},
        {"textDocument": {"hover": {"dynamicRegistration": True, "contentFormat": 3}}},
    ],
)
async def test_a_client_that_declares_what_nobody_knows_is_served_like_one_that_declares_nothing(
    tmp_path: Path, capabilities: dict[str, Any]
) -> None:
    async with raw_client(tmp_path, SERVER) as client:
        folder = {"uri": folder_of(tmp_path).uri, "name": "folder"}
        await client.initialize(capabilities=capabilities, workspaceFolders=[folder])
        assert (await client.call("planact.listSessions"))["result"] == {"sessions": []}


@pytest.mark.parametrize(
    "odd",
    [
        {"trace": "compact"},
        {"processId": "none"},
        {"clientInfo": 5},
        {"workspaceFolders": [{"uri": "file:///half/\ud800", "name": "half"}], "rootUri": None},
        {"workspaceFolders": 7},
    ],
)
async def test_what_can_not_be_read_of_initialize_counts_as_not_sent(tmp_path: Path, odd: dict[str, Any]) -> None:
    async with raw_client(tmp_path, SERVER) as client:
        folder = {"uri": folder_of(tmp_path).uri, "name": "folder"}
        capabilities = {"workspace": {"applyEdit": True}, "general": {"positionEncodings": ["utf-32"]}}
        said = {"workspaceFolders": [folder], "rootUri": folder["uri"], "capabilities": capabilities, **odd}
        await client.initialize(**said)
        folders = (await client.call("planact.showStatus"))["result"]["folders"]
        assert [each["uri"] for each in folders] == ([folder["uri"]] if said["rootUri"] else [])
        assert await client.leave() == 0


async def test_a_folder_that_cannot_be_read_costs_none_of_the_others(tmp_path: Path) -> None:
    uris = []
    for name in "abcde":
        (tmp_path / name).mkdir()
        uris.append(folder_of(tmp_path / name).uri)
    a, b, c, d, e = uris
    async with raw_client(tmp_path, SERVER) as client:
        folders = [
            {"uri": a},
            {"uri": b, "name": 5},
            {"uri": 7, "name": "no"},
            {"name": "no"},
            None,
            {"uri": c, "name": "C"},
        ]
        await client.initialize(workspaceFolders=folders, rootUri=a, capabilities={})
        event = {"added": [{"uri": d}, {}, {"uri": e, "name": "E"}], "removed": [{"uri": a}, None]}
        client.send(method="workspace/didChangeWorkspaceFolders", params={"event": event})
        told = (await client.call("planact.showStatus"))["result"]["folders"]
        assert [(each["uri"], each["name"]) for each in told] == [(b, "b"), (c, "C"), (d, "d"), (e, "E")]


async def test_a_client_that_leaves_at_once_ends_the_process(tmp_path: Path) -> None:
    async with raw_client(tmp_path, SERVER) as client:
        client.close()
        assert await client.end() == 1


NO_HOME = """
import pwd, sys
def no(user): raise KeyError("uid not found")
pwd.getpwuid = no
sys.argv[1:] = ["serve"]
from planact.__main__ import main
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="each user has a home there")
def test_a_user_without_a_home_is_shown_why_the_server_ends(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "HOME"}
    command = [sys.executable, "-c", NO_HOME]
    ran = subprocess.run(
        command, input=INITIALIZE, capture_output=True, cwd=tmp_path, env=environment, timeout=180, check=False
    )
    told = (
        "planact can't start: your home folder is unknown: HOME is not set. Set HOME to a folder that you can write."
        " [CONFIG_INVALID]"
    )
    shown = json.loads(ran.stdout.split(b"\r\n\r\n")[-1])
    assert (shown["method"], shown["params"]) == ("window/showMessage", {"type": 1, "message": told})
    assert (ran.returncode, ran.stderr.decode()) == (1, f"{told}\n")
