"""A model server on 127.0.0.1 that speaks the OpenAI chat protocol over real HTTP, programmed in Python.

`answer(request)` gets the JSON of each request and says what comes back: `Say`, `Fault`, `Page`, or an exception, which
the client sees as a status 400 (not worth another try) and which `close` raises again: a test cannot pass over it.
In a test:

    with LoopbackModel(lambda request: Say("hello")) as model:
        ...  # point a client at model.url
        assert model.requests[0].json["messages"]

The server lives in a thread, so a client may be in this process or in another. From a shell,
`python -m tests.fakes.loopback_model FILE.py [PORT]` serves the `answer` of that file and prints the URL first.
"""

import importlib.util
import json
import select
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise, zip_longest
from pathlib import Path
from typing import Any, Self


@dataclass(frozen=True)
class Call:
    """A tool call; `arguments` given as text go out as they are, valid or not. An empty `id` is left out. A call of
    OpenAI's kind `custom` takes text in their place.
    """

    name: str
    arguments: Mapping[str, Any] | str = field(default_factory=dict)
    id: str | None = None
    is_custom: bool = False

    def text(self) -> str:
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments, ensure_ascii=False)


@dataclass(frozen=True)
class Say:
    """An answer that is streamed in pieces; the chunks of several calls are interleaved.

    `drop_after`, `stall_after` and `garbage_after` count chunks: there the connection breaks, goes silent until the
    client leaves, or carries something that isn't JSON. `end_after` ends the stream in good order, only too early.
    `is_endless` says the text again and again, with the count in place of a `%`.
    """

    text: str = ""
    calls: Sequence[Call] = ()
    reasoning: str = ""
    finish_reason: str = ""
    usage: Mapping[str, Any] | None = field(default_factory=lambda: {"prompt_tokens": 100, "completion_tokens": 20})
    drop_after: int | None = None
    stall_after: int | None = None
    garbage_after: int | None = None
    end_after: int | None = None
    is_endless: bool = False
    pause: float = 0.0


@dataclass(frozen=True)
class Fault:
    """An HTTP error with the body that OpenAI sends for it."""

    status: int
    message: str
    code: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Page:
    """What a proxy or a page to sign in sends in a model's place."""

    status: int
    body: str
    kind: str = "text/html"


HANG_UP = Page(0, "")
"""The connection is closed without a word."""

SIGN_IN = "<!DOCTYPE html><html><head><title>Sign in</title></head><body>Please sign in</body></html>"
UNAUTHORIZED = Fault(401, "Incorrect API key provided", "invalid_api_key")
MODEL_NOT_FOUND = Fault(404, "The model `nonesuch` does not exist", "model_not_found")
OVERLOADED = Fault(529, "Overloaded", "overloaded_error")
UNAVAILABLE = Fault(503, "The server is currently overloaded", "server_error")
CONTEXT_FULL = Fault(
    400,
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
    "context_length_exceeded",
)


def rate_limited(retry_after: str = "7") -> Fault:
    return Fault(429, "Rate limit reached", "rate_limit_exceeded", {"retry-after": retry_after})


def filling(window: int, answer: "Answer") -> "Answer":
    """The same with a window of so many tokens, four characters each: what is longer is refused."""

    def within(request: dict[str, Any]) -> "Say | Fault | Page":
        tokens = len(json.dumps([request["messages"], request.get("tools", [])], ensure_ascii=False)) // 4
        if tokens <= window:
            return answer(request)
        message = f"This model's maximum context length is {window} tokens, and you sent {tokens}."
        return Fault(400, message, "context_length_exceeded")

    return within


Answer = Callable[[dict[str, Any]], "Say | Fault | Page"]


@dataclass(frozen=True)
class Received:
    """One request as it came in; `came` is when, as `time.perf_counter` tells it."""

    path: str
    headers: Mapping[str, str]
    body: bytes
    came: float

    @cached_property
    def json(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found

    @property
    def key(self) -> str:
        return self.headers.get("authorization", "").removeprefix("Bearer ")


class LoopbackModel:
    """The server; a context manager. `abandoned` is set when a client leaves before the end of its answer; `ended` has
    the times at which answers were out.
    """

    def __init__(self, answer: Answer, port: int = 0) -> None:
        self.answer = answer
        self.requests: list[Received] = []
        self.ended: list[float] = []
        self.failures: list[Exception] = []
        self.abandoned = threading.Event()
        self._closing = threading.Event()
        self._server = _Server(("127.0.0.1", port), _Handler)
        self._server.model = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        """What a client takes for the base URL of the API."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def closing(self) -> bool:
        return self._closing.is_set()

    def start(self) -> Self:
        self._thread.start()
        return self

    def close(self) -> None:
        """Stop, and raise what `answer` raised."""
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        if self.failures:
            raise self.failures[0]

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()


class _Server(ThreadingHTTPServer):
    model: LoopbackModel
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """A client that leaves is an event, not a traceback."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else every answer of many small chunks waits 40 ms
    server: _Server

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        model = self.server.model
        came = time.perf_counter()
        data = self.rfile.read(int(self.headers["content-length"]))
        model.requests.append(Received(self.path, {k.lower(): v for k, v in self.headers.items()}, data, came))
        body = json.loads(data)
        try:
            answer = model.answer(body)
        except Exception as failure:  # noqa: BLE001  `close` raises it again
            model.failures.append(failure)
            answer = Fault(400, f"the test's answer failed: {failure}")
        if isinstance(answer, Fault):
            self._fail(answer)
        elif answer is HANG_UP:
            self.close_connection = True
        elif isinstance(answer, Page):
            self._send_whole(answer.status, answer.body.encode(), {"content-type": answer.kind})
        elif not body.get("stream"):
            self._fail(Fault(400, "this server only streams"))
        else:
            try:
                self._stream(answer, str(body["model"]))
            except OSError:
                model.abandoned.set()
                self.close_connection = True

    def _fail(self, fault: Fault) -> None:
        error = {"message": fault.message, "type": "error", "param": None, "code": fault.code}
        data = json.dumps({"error": error}).encode()
        self._send_whole(fault.status, data, {"content-type": "application/json", **fault.headers})

    def _send_whole(self, status: int, data: bytes, headers: Mapping[str, str]) -> None:
        self.send_response_only(status)  # without a date, which it would give twice
        for name, value in {"content-length": str(len(data)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, answer: Say, model: str) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        count = 0
        while answer.is_endless and not self.server.model.closing:
            count += 1
            text = answer.text.replace("%", str(count))
            self._send(json.dumps(_chunk(model, [{"index": 0, "delta": {"content": text}}])))
        for count, chunk in enumerate(_chunks(answer, model)):
            if count == answer.drop_after:
                self.close_connection = True
                return
            if count == answer.stall_after:
                self._wait_until_left(600)
            if count == answer.garbage_after:
                self._send("{not json")
            if count == answer.end_after:
                break
            self._send(json.dumps(chunk))
            self._wait_until_left(answer.pause)
        else:
            self._send("[DONE]")
        self.wfile.write(b"0\r\n\r\n")
        self.server.model.ended.append(time.perf_counter())

    def _send(self, event: str) -> None:
        data = f"data: {event}\n\n".encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))

    def _wait_until_left(self, seconds: float) -> None:
        """Wait; raises OSError as soon as the client closes its side."""
        while seconds > 0 and not self.server.model.closing:
            ready, _, _ = select.select([self.connection], [], [], min(seconds, 0.05))
            if ready:
                raise ConnectionAbortedError
            seconds -= 0.05


def _chunks(answer: Say, model: str) -> Iterator[dict[str, Any]]:
    for delta in _deltas(answer):
        yield _chunk(model, [{"index": 0, "delta": delta, "finish_reason": None}])
    reason = answer.finish_reason or ("tool_calls" if answer.calls else "stop")
    yield _chunk(model, [{"index": 0, "delta": {}, "finish_reason": reason}])
    if answer.usage is not None:
        yield _chunk(model, []) | {"usage": dict(answer.usage)}


def _chunk(model: str, choices: list[dict[str, Any]]) -> dict[str, Any]:
    return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": model, "choices": choices}


def _deltas(answer: Say) -> Iterator[dict[str, Any]]:
    yield {"role": "assistant", "content": ""}
    yield from ({"reasoning_content": piece} for piece in _pieces(answer.reasoning))
    yield from ({"content": piece} for piece in _pieces(answer.text))
    for number, call in enumerate(answer.calls):
        identity = {"id": f"call_{number}" if call.id is None else call.id} if call.id != "" else {}
        kind, text = ("custom", "input") if call.is_custom else ("function", "arguments")
        yield {"tool_calls": [{"index": number, **identity, "type": kind, kind: {"name": call.name, text: ""}}]}
    for round_ in zip_longest(*(_pieces(call.text()) for call in answer.calls)):
        for number, piece in enumerate(round_):
            if piece is not None:
                kind = (
                    {"type": "custom", "custom": {"input": piece}}
                    if answer.calls[number].is_custom
                    else {"function": {"arguments": piece}}
                )
                yield {"tool_calls": [{"index": number, **kind}]}


def _pieces(text: str, size: int = 7) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]


# --- reading a request, for programs that answer it


def last_user(request: Mapping[str, Any]) -> str:
    """The text of the last user message."""
    return next((text_of(m) for m in reversed(request["messages"]) if m["role"] == "user"), "")


def system(request: Mapping[str, Any]) -> str:
    """All system text."""
    return "\n".join(text_of(message) for message in request["messages"] if message["role"] == "system")


def plan_in(request: Mapping[str, Any]) -> str:
    """The approved plan of the request; empty = none."""
    pinned = (text_of(m) for m in request["messages"] if text_of(m).startswith("[planact] ## APPROVED EXECUTION PLAN"))
    return next(pinned, "")


def results(request: Mapping[str, Any], tool: str = "") -> list[str]:
    """The texts of all tool results in order, or those of one tool."""
    names = {
        call["id"]: call["function"]["name"]
        for message in request["messages"]
        for call in message.get("tool_calls") or ()
    }
    found = [message for message in request["messages"] if message["role"] == "tool"]
    return [text_of(message) for message in found if tool in ("", names.get(message["tool_call_id"]))]


def without_surroundings(messages: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Messages without those on the place that the agent works in."""
    told = ("[planact] The surroundings", "[planact] Since then:")
    return [message for message in messages if not text_of(message).startswith(told)]


def this_try(request: Mapping[str, Any]) -> Mapping[str, Any]:
    """The request without what came before the step was handed out last."""
    messages = request["messages"]
    begins = [place for place, message in enumerate(messages) if "Carry out step" in text_of(message)]
    return {**request, "messages": messages[begins[-1] :] if begins else messages}


def are_prefixes(requests: Sequence[Received]) -> bool:
    """Each begins with the one before, and offers the same tools."""
    bodies = [request.json for request in requests]
    return all(
        later["messages"][: len(earlier["messages"])] == earlier["messages"] and later["tools"] == earlier["tools"]
        for earlier, later in pairwise(bodies)
    )


def turn(request: Mapping[str, Any]) -> int:
    """How many assistant messages follow the last user message."""
    roles = [message["role"] for message in request["messages"]]
    last = max((place for place, role in enumerate(roles) if role == "user"), default=-1)
    return roles[last + 1 :].count("assistant")


def text_of(message: Mapping[str, Any]) -> str:
    """The text of a message, without its images."""
    content = message.get("content") or ""
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def _main(file: str, port: str = "0") -> None:
    spec = importlib.util.spec_from_file_location("answers", Path(file))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    model = LoopbackModel(module.answer, int(port)).start()
    print(model.url, flush=True)
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        model.close()


if __name__ == "__main__":
    from tests.fakes import loopback_model  # the classes that the file's answers are of

    loopback_model._main(*sys.argv[1:])
