"""An MCP server that isn't quite as the protocol has it, run as a process: `odd_server.py`. It uses no SDK."""

import json
import os
import sys
from typing import Any

HALF = "cut in \\ud83d"
SCHEMA = '{"type": "object", "properties": {}}'
TOOLS = [
    f'{{"name": "half", "description": "{HALF}", "inputSchema": {SCHEMA}}}',
    f'{{"name": "bytes", "inputSchema": {SCHEMA}}}',
    f'{{"name": "new", "inputSchema": {SCHEMA}}}',
    f'{{"name": "marked", "inputSchema": {SCHEMA}}}',
    f'{{"name": "list", "inputSchema": {SCHEMA}}}',
    f'{{"name": "nothing", "inputSchema": {SCHEMA}}}',
    '{"name": "untyped", "inputSchema": {}}',
    f'{{"name": "array", "inputSchema": {SCHEMA}, "outputSchema": {{"type": "array"}}}}',
    '{"name": "unfit"}',
    '{"name": "worse", "inputSchema": {"type": "object", "required": [1]}}',
]
ANSWERS = {
    "half": f'{{"content": [{{"type": "text", "text": "{HALF}"}}]}}'.encode(),
    "bytes": b'{"content": [{"type": "text", "text": "caf\xe9"}]}',
    "new": b'{"content": [{"type": "hologram", "depth": 3}, {"type": "text", "text": "seen"}]}',
    "marked": b'{"content": [{"type": "text", "text": "seen", "annotations": {"audience": ["martians"]}}]}',
    "list": b'{"structuredContent": [1, 2]}',
    "nothing": b"{}",
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


for line in sys.stdin:
    request = json.loads(line)
    if "id" in request:
        os.write(1, b'{"jsonrpc": "2.0", "id": %d, "result": %s}\n' % (request["id"], answer(request)))
