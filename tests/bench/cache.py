"""Generated states that take long to make: made once, and kept below `.test-output`, which `make clean` removes."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

FOLDER = Path(__file__).parents[2] / ".test-output" / "bench-cache"


def cached(name: str, make: Callable[[Path], None]) -> Path:
    """Return the folder of that name, which `make` fills where it isn't there. The name tells what is in it: another
    state needs another name.
    """
    folder = FOLDER / name
    done = folder / ".done"
    if not done.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        make(folder)
        done.touch()
    return Path(os.path.realpath(folder))
