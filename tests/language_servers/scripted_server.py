"""A language server that finds an error wherever a text says `wrong`, and misbehaves as its first argument says."""

import json
import os
import socket
import sys
import time
from pathlib import Path
from typing import Any

MANNER = sys.argv[1]
MORE = sys.argv[2:]
out, texts = sys.stdout.buffer, {}
replies: dict[Any, Any] = {}
events: list[str] = []


def send(message: dict[str, Any]) -> None:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    data = b"Content-Length: %d\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n%s" % (
        len(body),
        body,
    )
    for piece in [data] if MANNER != "torn" else [data[at : at + 1] for at in range(len(data))]:
        out.write(piece)
        out.flush()


def receive() -> dict[str, Any]:
    length = 0
    while line := sys.stdin.buffer.readline().strip():
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    if not length:
        sys.exit()
    return json.loads(sys.stdin.buffer.read(length))


def errors(text: str, more: list[str] = []) -> list[dict[str, Any]]:  # noqa: B006 - never changed
    found = [(number, line.strip()) for number, line in enumerate(text.splitlines()) if "wrong" in line]
    found += [(0, line) for line in more]
    return [
        {"range": {"start": {"line": at, "character": 0}, "end": {"line": at, "character": 1}}, "severity": 1,
         "message": f"not good: {line}", "source": "scripted", "code": "bad"}
        for at, line in found
    ]  # fmt: skip


def publish(uri: str, version: int | None, items: list[Any]) -> None:
    versioned = {} if version is None else {"version": version}
    send({"method": "textDocument/publishDiagnostics", "params": {"uri": uri, "diagnostics": items, **versioned}})


def attempts() -> list[str]:
    """What it could do of what no server may, as lines."""
    done = []
    for name in MORE:
        try:
            Path(name).open("a").close()
            done.append(f"wrote {name}")
        except OSError:
            pass
    try:
        (Path.home() / ".config" / "secret").read_text()
        done.append("read the home")
    except OSError:
        pass
    try:
        socket.create_connection(("127.0.0.1", int(os.environ.get("PORT", "9"))), 1).close()
        done.append("connected")
    except OSError as error:
        done.append("refused" if isinstance(error, PermissionError) else "")
    done.append("has a key" if "sk-test" in "".join(os.environ.values()) else "")
    (Path.home() / "own").write_text("")
    return [*filter(None, done), "wrote its own home"]


def say(data: bytes) -> None:
    out.write(data)
    out.flush()


def flood(uri: str, version: int) -> None:
    while True:
        publish(uri, version - 1, [])


def flood_errors() -> None:
    while True:
        os.write(2, b"!" * 65_536)


def speak_of_syntax_first(uri: str, text: str) -> None:
    publish(uri, None, [])
    time.sleep(0.2)
    publish(uri, None, errors(text))


def speak_of_an_earlier_text_first(uri: str, version: int, text: str) -> None:
    publish(uri, version - 1, errors("wrong as it was"))
    time.sleep(0.2)
    publish(uri, version, errors(text))


def be_late(uri: str, version: int, text: str) -> None:
    time.sleep(2 if version > 1 else 0)
    publish(uri, version, errors(text))


def lie(uri: str, version: int) -> None:
    publish("file:///etc/passwd", version, errors("wrong"))
    publish(uri, version, [1, {"message": {}, "range": 3, "severity": "x", "code": []}, *errors("wrong\n" * 9_000)])


def read_project(uri: str, version: int, text: str) -> None:
    """Find nothing while it can't read the project, as gopls does."""
    is_bad = "unreadable" in text
    told = {"kind": "begin", "title": "Error loading workspace", "message": "no go.mod"} if is_bad else {"kind": "end"}
    send({"method": "$/progress", "params": {"token": "load", "value": told}})
    publish(uri, version, [] if is_bad else errors(text))


def die(uri: str, version: int, text: str) -> None:
    if MANNER == "dies" or starts() == 1:
        sys.exit("I can't go on\x1b[31m")
    publish(uri, version, errors(text))


def opened(uri: str, version: int, text: str) -> None:
    texts[uri] = text
    deep = b"[" * 100_000
    manners = {
        "flood": lambda: flood(uri, version),
        "flood-errors": flood_errors,
        "garbage": lambda: say(b"<!doctype html>\n" * 1_000),
        "no-length": lambda: say(b"Content-Size: 3\r\n\r\n{}\n"),
        "huge": lambda: say(b"Content-Length: 99999999\r\n\r\n"),
        "deep": lambda: say(b"Content-Length: %d\r\n\r\n%s" % (len(deep), deep)),
        "dies": lambda: die(uri, version, text),
        "dies-once": lambda: die(uri, version, text),
        "without-version": lambda: speak_of_syntax_first(uri, text),
        "reads-project": lambda: read_project(uri, version, text),
        "stale": lambda: speak_of_an_earlier_text_first(uri, version, text),
        "late": lambda: be_late(uri, version, text),
        "liar": lambda: lie(uri, version),
        "tries": lambda: publish(uri, version, errors("", attempts())),
        "asks": lambda: ask(uri, version),
        "watches": lambda: publish(uri, version, errors("", events)),
        "mute": lambda: None,
        "pulled": lambda: None,
    }
    manners.get(MANNER, lambda: publish(uri, version, errors(text)))()


def starts() -> int:
    """How often it was started: what it writes for a while is all that it can leave behind."""
    with Path(os.environ["TMPDIR"], "starts").open("a+") as file:
        file.write("x")
        file.seek(0)
        return len(file.read())


def ask(uri: str, version: int) -> None:
    edit = {
        "changes": {
            uri: [{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}, "newText": ""}]
        }
    }
    asked = {
        "workspace/configuration": {"items": [{"section": "scripted.depth"}, {"section": "none"}]},
        "client/registerCapability": {"registrations": [{"id": "1", "method": "workspace/didChangeWatchedFiles"}]},
        "window/workDoneProgress/create": {"token": "t"},
        "workspace/workspaceFolders": None,
        "workspace/applyEdit": {"edit": edit},
        "window/showMessageRequest": {"type": 1, "message": "Run it?", "actions": [{"title": "Yes"}]},
        "workspace/executeSomething": {},
    }
    for name, params in asked.items():
        send({"id": name, "method": name, "params": params})
    while len(replies) < len(asked):
        hear()
    publish(uri, version, errors("", [f"{name}: {json.dumps(replies[name])}" for name in asked]))


def hear() -> None:
    message = receive()
    method, params = message.get("method"), message.get("params") or {}
    if method == "initialize":
        if MANNER == "silent":
            time.sleep(1_000)
        provider = {"interFileDependencies": True, "workspaceDiagnostics": False} if MANNER == "pulled" else None
        send({"id": message["id"], "result": {"capabilities": {"textDocumentSync": 1, "diagnosticProvider": provider}}})
    elif method == "shutdown":
        send({"id": message["id"], "result": None})
    elif method == "textDocument/didOpen":
        document = params["textDocument"]
        opened(document["uri"], document["version"], document["text"])
    elif method == "textDocument/didChange":
        document = params["textDocument"]
        opened(document["uri"], document["version"], params["contentChanges"][0]["text"])
    elif method == "textDocument/diagnostic":
        items = errors(texts[params["textDocument"]["uri"]])
        send({"id": message["id"], "result": {"kind": "full", "items": items}})
    elif method == "workspace/didChangeWatchedFiles":
        events.extend(f"{each['type']} {Path(each['uri']).name}" for each in params["changes"])
    elif method == "textDocument/didClose":
        events.append(f"closed {Path(params['textDocument']['uri']).name}")
    elif method is None:
        replies[message.get("id")] = message.get("result", message.get("error"))


while True:
    hear()
