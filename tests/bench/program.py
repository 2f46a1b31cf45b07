"""What the real program is started with: the room's home, and a model on this machine."""

import os
from functools import partial

from tests.fakes.loopback_model import LoopbackModel
from tests.lsp.commands.planact_client import planact_client

SERVER = ("-m", "planact", "serve")
server_client = partial(planact_client, program=SERVER)
"""A client of the server as editors start it, and not of a fork of a process that has imported it all."""


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
