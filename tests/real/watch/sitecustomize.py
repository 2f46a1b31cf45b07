"""Writes down what a Python process and its Python children reach for; Python imports it by itself from PYTHONPATH.

One line of JSON for each connection, name lookup, program started and first import of litellm, into `$AUDIT_LOG`.
"""

import json
import os
import sys
import time
from typing import Any

_NETWORK = ("socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo", "socket.gethostbyname")
_PROGRAMS = ("subprocess.Popen", "os.posix_spawn", "os.exec", "os.system")


def _watch(log: int) -> None:
    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in _NETWORK:
            # A socket comes first where there is one; a name to look up has its port second.
            what = arguments[:2] if isinstance(arguments[0], str | bytes | None) else arguments[1]
        elif event in _PROGRAMS:
            what = arguments[0]
        elif event == "import" and arguments[0] == "litellm":
            what = "litellm"
        else:
            return
        entry = {"event": event, "what": what, "time": time.monotonic(), "pid": os.getpid()}
        os.write(log, json.dumps(entry, default=str).encode() + b"\n")

    sys.addaudithook(hook)


if "AUDIT_LOG" in os.environ:
    _watch(os.open(os.environ["AUDIT_LOG"], os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600))
