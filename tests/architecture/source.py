"""The files of this repository, for the tests that read them as text. What git would commit, not what lies around."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "server" / "planact"


def repository_files() -> list[Path]:
    """Every file that is tracked, or would be by `git add`, relative to the root."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        timeout=180,
    )
    names = listing.stdout.decode().split("\0")
    return sorted(Path(name) for name in names if name and (ROOT / name).is_file())


def python_modules(folder: Path) -> list[Path]:
    """The public modules of `folder` itself, without `__init__` and without those that begin with `_`."""
    return sorted(path for path in folder.glob("*.py") if not path.name.startswith("_"))
