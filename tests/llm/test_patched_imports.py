"""What is imported with litellm, seen from inside a child process."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

CHILD = """
import asyncio, json, os, sys
from pathlib import Path
tokenizers = []
def watch(event, arguments):
    if event == "open" and str(arguments[0]).endswith("tokenizer.json"):
        tokenizers.append(Path(arguments[0]).parent.parent.name)
sys.addaudithook(watch)
from planact.adapters.llm.litellm_model import LitellmLoader
asyncio.run(LitellmLoader({}).ready())
drawing = sorted({"click", "pygments", "rich"} & sys.modules.keys())
resources = sorted({name.split(".")[2] for name in sys.modules if name.startswith("openai.resources.")})
import openai.resources
embeddings = openai.resources.Embeddings is openai.OpenAI(api_key="none").embeddings.__class__
print(json.dumps({"tokenizers": tokenizers, "drawing": drawing, "resources": resources, "embeddings": embeddings}))
sys.stdout.flush()
os._exit(0)
"""


def loaded(folder: Path) -> Any:
    done = subprocess.run(
        [sys.executable, "-c", CHILD],
        cwd=folder,
        env={"PATH": os.defpath, "HOME": str(folder)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_what_no_conversation_needs_is_left_out_and_comes_when_asked_for(tmp_path: Path) -> None:
    assert loaded(tmp_path) == {
        "tokenizers": ["patches"],
        "drawing": [],
        "resources": ["chat"],
        "embeddings": True,
    }
