"""Nothing but planact writes to the terminal while a model answers, and nothing is reached but the model."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.real.wire.providers import WIRES

WATCHED = """
import runpy, sys
def watch(event, arguments):
    if event in ("socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname"):
        place = arguments[1] if event in ("socket.connect", "socket.sendto") else arguments[0]
        host = place[0] if isinstance(place, tuple) else place
        if host not in ("127.0.0.1", b"127.0.0.1", "localhost"):
            sys.stderr.write(f"{event}: {place!r}\\n")
            raise OSError(f"not there: {place!r}")
sys.addaudithook(watch)
runpy.run_module("tests.real.wire.features", run_name="__main__", alter_sys=True)
"""


@pytest.mark.timeout(360)
def test_no_library_warns_or_reaches_out_between_the_answers() -> None:
    command = (sys.executable, "-c", WATCHED, *(wire.title for wire in WIRES))
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=Path(__file__).parents[3])
    assert (done.stdout.count("\n"), done.stderr) == (len(WIRES), "")
