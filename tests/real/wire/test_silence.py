"""Nothing but planact writes to the terminal while a model answers."""

import subprocess
import sys
from pathlib import Path

from tests.real.wire.providers import WIRES


def test_no_library_warns_between_the_answers() -> None:
    titles = [wire.title for wire in WIRES if wire.title in ("OpenAI, responses", "Anthropic", "Gemini 3")]
    command = (sys.executable, "-m", "tests.real.wire.features", *titles)
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, cwd=Path(__file__).parents[3])
    assert (done.stdout.count("\n"), done.stderr) == (len(titles), "")
