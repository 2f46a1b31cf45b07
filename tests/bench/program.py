"""The real program, and what it is started with: the room's home, and a model on this machine.

Tests put forks in the place of `SERVED_BY` and `start`, which is why parts ask the module for `start`.
"""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from tests.fakes.loopback_model import LoopbackModel
from tests.lsp.commands.planact_client import planact_client

SERVER = ("-m", "planact", "serve")
SERVED_BY: Sequence[str] = SERVER


def server_client(folder: Path, settings: Mapping[str, Any] | None = None) -> AbstractAsyncContextManager[Any]:
    """A client of the server as editors start it, and not of a fork of a process that has imported it all."""
    return planact_client(folder, settings=settings, program=SERVED_BY)


def start(
    words: Sequence[str], folder: Path, environment: Mapping[str, str], output: int = subprocess.DEVNULL
) -> "subprocess.Popen[bytes]":
    """Start `planact` with these words. `output` gets its errors, too."""
    program = [sys.executable, "-m", "planact", *words]
    return subprocess.Popen(
        program, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
    )


def environment(model: LoopbackModel, **more: str) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "HOME": os.environ["HOME"],
        "OPENAI_API_KEY": "sk-bench",
        "PLANACT_MODEL": "openai/bench",
        "PLANACT_MODEL_ENDPOINT": model.url,
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # litellm alone asks the net for prices when it is imported
        **more,
    }
