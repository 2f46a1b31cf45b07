"""`make live MODEL=…`: have a model do a small real task with planact, and say what it is able to do and what it cost.

It asks the model for real, so it needs its key and costs some cents; no test does it.
"""

import os
import sys
import tempfile
from pathlib import Path

from tests.real.live.task import Task


def main(model: str) -> int:
    """Print a line for each ability, then tokens and cost; return 1 if one failed."""
    print(f"planact with {model}, in a throw-away repository:", flush=True)
    has_failed = False
    with tempfile.TemporaryDirectory(prefix="planact-live-") as folder:
        task = Task(Path(folder), model, os.environ)
        for ability in task.abilities():
            has_failed |= ability.outcome == "FAIL"
            print(f"  {ability.outcome:<9}  {ability.name:<7}  {ability.remark}".rstrip(), flush=True)
        print(f"  {task.spent().in_words()}")
    return int(has_failed)


if __name__ == "__main__":
    if len(sys.argv) != 2 or not sys.argv[1]:
        sys.exit("Name a model: make live MODEL=anthropic/claude-sonnet-4-5")
    sys.exit(main(sys.argv[1]))
