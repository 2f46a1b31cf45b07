"""Pages of a server on this machine: asked about once for the server, whatever the page, and for no other."""

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from planact.tools.calls.judged_call import ALWAYS_SIMILAR
from planact.tools.tool_result import Done, Refused
from tests.fakes.bench import ACT
from tests.tools.test_approval import ALWAYS, RuledBench

pytestmark = pytest.mark.skipif("sys.platform != 'linux'", reason="the jails are Linux's")


class Quiet(SimpleHTTPRequestHandler):
    def do_POST(self) -> None:
        self.send_response(201)
        self.end_headers()
        self.wfile.write(b"got " + self.rfile.read(int(self.headers["Content-Length"])))

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    served = tmp_path / "served"
    served.mkdir()
    (served / "a.txt").write_text("of this machine\n")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(served)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


def test_always_lets_each_page_of_the_server_be_fetched(tmp_path: Path, port: int) -> None:
    bench = RuledBench(tmp_path, ACT, ALWAYS, "reject_once", "reject_once")
    first = bench.run("execute_command", command=f"curl -s http://127.0.0.1:{port}/a.txt")
    assert isinstance(first, Done)
    assert "of this machine" in first.text
    assert bench.question.options[1].description == f"from now on, ask 127.0.0.1:{port} by commands that only read"
    again = bench.run("execute_command", command=f"curl -s -o /dev/null -w '%{{http_code}}' 127.0.0.1:{port}/b | cat")
    assert isinstance(again, Done)
    assert "404" in again.text
    assert len(bench.listener.asked) == 1
    for beyond in (f"curl -s 127.0.0.1:{port + 1}/a.txt", f"curl -sL 127.0.0.1:{port}/a.txt"):
        assert isinstance(bench.run("execute_command", command=beyond), Refused)
    assert len(bench.listener.asked) == 3


def test_always_for_calls_like_one_that_sends_covers_all_that_is_sent_there_from_the_line(
    tmp_path: Path, port: int
) -> None:
    bench = RuledBench(tmp_path, ACT, ALWAYS_SIMILAR, "reject_once", "reject_once", "reject_once")
    first = bench.run("execute_command", command=f"curl -sX POST 127.0.0.1:{port}/a -d '{{\"a\": 1}}'")
    assert isinstance(first, Done)
    assert 'got {"a": 1}' in first.text
    said = f"from now on, send any requests to 127.0.0.1:{port} by `curl` in the workspace folder"
    assert bench.question.options[2].description == f"{said}; other options are asked about"
    again = bench.run("execute_command", command=f"curl -s -XPOST --json '[2]' 127.0.0.1:{port}/b 2>&1 | head -3")
    assert isinstance(again, Done)
    assert "got [2]" in again.text
    assert len(bench.listener.asked) == 1
    for beyond in (
        f"curl -d @a.txt 127.0.0.1:{port}",
        f"curl -d a 127.0.0.1:{port + 1}",
        f"curl -d a -L 127.0.0.1:{port}",
    ):
        assert isinstance(bench.run("execute_command", command=beyond), Refused)
    assert len(bench.listener.asked) == 4
