"""An MCP server that isn't quite as the protocol has it, run as a process: `odd_server.py [json|events]`. It uses no
SDK.
"""

import http.server
import json
import os
import sys
from typing import Any

HALF = "cut in \\ud83d"
SCHEMA = '{"type": "object", "properties": {}}'
TOOLS = [
    f'{{"name": "half", "description": "{HALF}", "inputSchema": {SCHEMA}}}',
    f'{{"name": "bytes", "inputSchema": {SCHEMA}}}',
    f'{{"name": "whole", "inputSchema": {SCHEMA}}}',
    f'{{"name": "new", "inputSchema": {SCHEMA}}}',
    f'{{"name": "marked", "inputSchema": {SCHEMA}}}',
    f'{{"name": "list", "inputSchema": {SCHEMA}}}',
    f'{{"name": "nothing", "inputSchema": {SCHEMA}}}',
    f'{{"name": "null", "inputSchema": {SCHEMA}}}',
    f'{{"name": "text", "inputSchema": {SCHEMA}}}',
    '{"name": "untyped", "inputSchema": {}}',
    f'{{"name": "array", "inputSchema": {SCHEMA}, "outputSchema": {{"type": "array"}}}}',
    f'{{"name": "two words", "inputSchema": {SCHEMA}}}',
    '{"name": "unfit"}',
    '{"name": "worse", "inputSchema": {"type": "object", "required": [1]}}',
]
ANSWERS = {
    "half": f'{{"content": [{{"type": "text", "text": "{HALF}"}}]}}'.encode(),
    "bytes": b'{"content": [{"type": "text", "text": "caf\xe9"}]}',
    "whole": rb'{"content": [{"type": "text", "text": "\ud83d\ude42 \\ud83d \ude42\ud83d\n"}]}',
    "new": b'{"content": [{"type": "hologram", "depth": 3}, {"type": "text", "text": "seen"}]}',
    "marked": b'{"content": [{"type": "text", "text": "seen", "annotations": {"audience": ["martians"]}}]}',
    "list": b'{"structuredContent": [1, 2]}',
    "nothing": b"{}",
    "null": b"null",
    "text": b'"done"',
}


def answer(request: dict[str, Any]) -> bytes:
    match request["method"]:
        case "initialize":
            version = request["params"]["protocolVersion"]
            server = {"name": "odd", "version": "1"}
            return json.dumps(
                {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": server}
            ).encode()
        case "tools/list":
            return f'{{"tools": [{", ".join(TOOLS)}]}}'.encode()
        case _:
            return ANSWERS[request["params"]["name"]]


class Web(http.server.BaseHTTPRequestHandler):
    """The same over HTTP, as JSON or as a stream of events in small portions."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if "id" not in request:
            self.send_response(202)
            self.send_header("content-length", "0")
            self.end_headers()
            return
        body = b'{"jsonrpc": "2.0", "id": %d, "result": %s}' % (request["id"], answer(request))
        is_stream = sys.argv[1] == "events"
        body = b"event: message\ndata: %s\n\n" % body if is_stream else body
        self.send_response(200)
        self.send_header("content-type", "text/event-stream" if is_stream else "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        for start in range(0, len(body), 7):
            self.wfile.write(body[start : start + 7])
            self.wfile.flush()

    def log_message(self, *_: object) -> None:
        pass


if len(sys.argv) > 1:
    web = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Web)
    print(web.server_port, flush=True)
    web.serve_forever()
for line in sys.stdin:
    request = json.loads(line)
    if "id" in request:
        os.write(1, b'{"jsonrpc": "2.0", "id": %d, "result": %s}\n' % (request["id"], answer(request)))
