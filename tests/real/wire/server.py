"""A provider's HTTP API on 127.0.0.1, which refuses what the published schema doesn't know."""

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol, Self, runtime_checkable
from urllib.parse import parse_qsl

from jsonschema import Draft202012Validator


@dataclass(frozen=True)
class Called:
    """A tool call of the model's."""

    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Said:
    """An answer, before a provider puts it into its form. `mark` is in all that the provider signs or encrypts."""

    text: str = ""
    reasoning: str = ""
    calls: Sequence[Called] = ()
    mark: str = "mark0"


@dataclass(frozen=True)
class Answer:
    """The bytes of an HTTP response. With `is_cut` the connection breaks after them."""

    body: bytes
    kind: str = "text/event-stream"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    is_cut: bool = False


@dataclass(frozen=True)
class Sent:
    """One request as it came in; names of headers in small letters."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


class Family(Protocol):
    """A published API, as one or several providers speak it."""

    path: str
    """Expression that the path of each request has to match."""

    def schema(self) -> Mapping[str, Any]:
        """Return the schema of a request's body. It knows all published fields, and no others."""
        ...

    def more_problems(self, sent: Sent) -> Iterator[str]:
        """Yield what a provider refuses though it fits the schema."""
        ...

    def answer(self, said: Said, sent: Sent) -> Answer:
        """Return what was said as the provider streams it."""
        ...


@runtime_checkable
class LogsIn(Protocol):
    """A family whose clients log in before they ask."""

    def log_in(self, sent: Sent) -> Answer | None:
        """Return the answer to a login; None for any other request."""
        ...


def problems_of(family: Family, sent: Sent) -> list[str]:
    """Return what the provider would refuse in a request."""
    validator = _validator(json.dumps(family.schema()))
    if not re.search(family.path, sent.path):
        return [f"no such path: {sent.path}"]
    found = [f"{error.json_path}: {error.message[:300]}" for error in validator.iter_errors(sent.body)]
    return found + list(family.more_problems(sent))


@lru_cache
def _validator(schema: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(schema))


def record(_required: Sequence[str] = (), **properties: Any) -> dict[str, Any]:
    """Return the schema of an object with these fields and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(_required),
        "additionalProperties": False,
    }


def items(schema: Any, **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": schema, **more}


def either(*schemas: Any) -> dict[str, Any]:
    return {"anyOf": list(schemas)}


def sse(*events: Any, names: bool = False) -> bytes:
    """Return events as a server sends them; with `names` each has its type as its name, too."""
    lines = []
    for event in events:
        name = f"event: {event['type']}\n" if names else ""
        lines.append(f"{name}data: {event if isinstance(event, str) else json.dumps(event)}\n\n")
    return "".join(lines).encode()


ANY: dict[str, Any] = {}
TEXT = {"type": "string"}
WHOLE = {"type": "integer"}
NUMBER = {"type": "number"}
FLAG = {"type": "boolean"}
OBJECT = {"type": "object"}


class Provider:
    """The server; a context manager. `give` returns the answer to a request that has no fault; else the client gets a
    status 400, and `problems` says why.
    """

    def __init__(self, family: Family, give: Callable[[Sent], Answer]) -> None:
        self.sent: list[Sent] = []
        self.problems: list[str] = []
        self.family, self.give = family, give
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.provider = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def answer_to(self, sent: Sent) -> Answer:
        """Check a request and return the answer."""
        if isinstance(self.family, LogsIn) and (answer := self.family.log_in(sent)):
            return answer
        self.sent.append(sent)
        problems = problems_of(self.family, sent)
        self.problems += problems
        if problems:
            body = json.dumps({"error": {"message": "; ".join(problems), "type": "invalid_request_error"}})
            return Answer(body.encode(), "application/json", 400)
        return self.give(sent)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    provider: Provider
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """A client that leaves is no traceback."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["content-length"])).decode()
        is_form = self.headers["content-type"] == "application/x-www-form-urlencoded"
        body = dict(parse_qsl(content)) if is_form else json.loads(content)
        headers = {name.lower(): value for name, value in self.headers.items()}
        answer = self.server.provider.answer_to(Sent(self.path, headers, body))
        self.send_response_only(answer.status)
        for name, value in {"content-type": answer.kind, "transfer-encoding": "chunked", **answer.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        for start in range(0, len(answer.body), 97):  # pieces that fit no event
            piece = answer.body[start : start + 97]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        if answer.is_cut:
            self.close_connection = True
        else:
            self.wfile.write(b"0\r\n\r\n")
