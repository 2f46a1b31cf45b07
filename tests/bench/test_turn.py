"""What planact itself takes for a turn with many tool calls: from the end of an answer to the next request.

The model's server measures it, with the real program and litellm over HTTP. A bare client that sends the same is the
baseline.
"""

import http.client
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from threading import Thread

import pytest

TURNS = (20, 100, 500)
FILES = 50
LINES = 40
"""Of each file; a call reads one line, so that a request grows by some 400 bytes."""


@dataclass
class Watch:
    """What the server saw: each request with the time it came in, and the times at which answers ended."""

    turns: int
    requests: list[bytes] = field(default_factory=list)
    came: list[float] = field(default_factory=list)
    ended: list[float] = field(default_factory=list)

    @property
    def own(self) -> list[float]:
        """Milliseconds between the end of an answer and the next request."""
        return [(came - ended) * 1_000 for ended, came in zip(self.ended, self.came[1:], strict=False)]

    @property
    def prefixes(self) -> int:
        """How many requests begin with all messages of the one before."""
        messages = [json.loads(body)["messages"] for body in self.requests]
        return sum(later[: len(earlier)] == earlier for earlier, later in pairwise(messages))


@contextmanager
def model(turns: int) -> Iterator[tuple[Watch, str]]:
    """A model that reads `turns` times, then says that it is done; and its URL."""
    watch = Watch(turns)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def log_message(self, *_: object) -> None:
            pass

        def do_POST(self) -> None:
            came = time.perf_counter()
            body = self.rfile.read(int(self.headers["content-length"]))
            watch.came.append(came)
            watch.requests.append(body)
            self.send_response_only(200)
            self.send_header("content-type", "text/event-stream")
            answer = answer_to(len(watch.requests), turns)
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)
            watch.ended.append(time.perf_counter())

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield watch, f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()


def answer_to(number: int, turns: int) -> bytes:
    path, line = f"file_{number % FILES}.txt", number // FILES % LINES + 1
    arguments = json.dumps({"path": path, "first_line": line, "last_line": line})
    call = {"index": 0, "id": f"call_{number}", "type": "function"}
    reads = {"tool_calls": [{**call, "function": {"name": "read_file", "arguments": arguments}}]}
    delta, reason = (reads, "tool_calls") if number <= turns else ({"content": "Done."}, "stop")
    choices = ([{"index": 0, "delta": delta}], [{"index": 0, "delta": {}, "finish_reason": reason}], [])
    chunks = [
        {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": choice}
        for choice in choices
    ]
    chunks[-1]["usage"] = {"prompt_tokens": 100, "completion_tokens": 20}
    return "".join(f"data: {text}\n\n" for text in (*map(json.dumps, chunks), "[DONE]")).encode()


def planact(folder: Path, turns: int) -> tuple[Watch, float]:
    """The turn as planact makes it, and its peak memory in MB."""
    workspace, home = folder / "work", folder / "home"
    workspace.mkdir()
    home.mkdir()
    for number in range(FILES):
        (workspace / f"file_{number}.txt").write_text("".join(f"{line}\n" for line in range(LINES)))
    with model(turns) as (watch, url):
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "OPENAI_API_KEY": "sk-bench",
            "PLANACT_MODEL": "openai/bench",
            "PLANACT_MODEL_ENDPOINT": url,
            "PLANACT_LIMITS_MAX_TURNS": str(turns + 1),
        }
        program = [sys.executable, "-m", "planact", "plan", "Look at all of it"]
        with subprocess.Popen(
            program, cwd=workspace, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            _, _, used = os.wait4(process.pid, 0)
            process.returncode = 0  # it was waited for here
    assert len(watch.requests) == turns + 1
    return watch, used.ru_maxrss / 1_024


def bare(requests: Sequence[bytes], turns: int) -> Watch:
    """The same requests from a client that parses each answer and writes the next request as JSON, and no more."""
    with model(turns) as (watch, url):
        connection = http.client.HTTPConnection(url.split("/")[2])
        for request in requests:
            body = json.dumps(json.loads(request))
            connection.request("POST", "/v1/chat/completions", body)
            for line in connection.getresponse().read().splitlines():
                if line.startswith(b"data: {"):
                    json.loads(line[6:])
        connection.close()
    return watch


@pytest.mark.timeout(600)
@pytest.mark.parametrize("turns", TURNS)
def test_a_long_turn_costs_per_call_what_a_short_one_does(turns: int, tmp_path: Path) -> None:
    ours, memory = planact(tmp_path, turns)
    base = bare(ours.requests, turns)
    first, last = ours.requests[0], ours.requests[-1]
    late = ours.own[-min(turns, 20) :]
    print(
        f"\n{turns} tool calls: own time a call, median {statistics.median(ours.own):.1f} ms"
        f" (bare client {statistics.median(base.own):.2f}), of the last 20 {statistics.median(late):.1f},"
        f" p90 {statistics.quantiles(ours.own, n=10)[-1]:.1f}; peak {memory:.0f} MB;"
        f" first request {len(first):,} bytes, last {len(last):,}; {ours.prefixes} of {turns} begin the next"
    )
    assert ours.prefixes == turns
