"""Large folders for the parts that walk them. Repositories are kept for the next run, since making one takes long."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

KEPT = Path(__file__).parents[2] / ".test-output" / "trees"
"""Where repositories are kept; a name has all that they depend on."""

IN_A_FOLDER = 100
RARE, COMMON = "needle_in_the_tree", "return value"
"""Words: one, a function's name, in three files of all, the other in each."""

TEXT = "".join(f"def function_{number}(value: int) -> int:\n    return value + {number}\n\n\n" for number in range(12))


def grow(root: Path, files: int) -> None:
    """Small Python files, a hundred in a folder and ten folders in the one above."""
    for first in range(0, files, IN_A_FOLDER):
        folder = root / f"part_{first // IN_A_FOLDER // 10}" / f"package_{first // IN_A_FOLDER % 10}"
        folder.mkdir(parents=True)
        handle = os.open(folder, os.O_RDONLY)
        try:
            for number in range(first, min(first + IN_A_FOLDER, files)):
                is_rare = number in (files // 3, files // 2, files - 1)
                text = f"def {RARE}() -> None: ...\n\n\n{TEXT}" if is_rare else TEXT
                file = os.open(f"module_{number}.py", os.O_WRONLY | os.O_CREAT, 0o644, dir_fd=handle)
                os.write(file, text.encode())
                os.close(file)
        finally:
            os.close(handle)


def kept_repository(files: int, dependencies: int = 0) -> Path:
    """A repository of so many tracked files, with others in `node_modules`, as it was made in the first run."""
    root = KEPT / f"v1-{files}-{dependencies}"
    if not root.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        making = Path(tempfile.mkdtemp(dir=KEPT))
        grow(making / "src", files)
        if dependencies:
            grow(making / "node_modules", dependencies)
        (making / ".gitignore").write_text("node_modules/\n__pycache__/\n.planact/\n")
        for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "all"]):
            git(making, *words)
        try:
            making.rename(root)
        except OSError:  # another run was faster
            shutil.rmtree(making)
    shutil.rmtree(root / ".planact", ignore_errors=True)
    git(root, "checkout", "-q", "--", ".")  # what a run that broke off had changed
    git(root, "update-index", "-q", "--refresh")
    return root.resolve()


def git(root: Path, *words: str) -> None:
    line = ["git", "-c", "user.name=bench", "-c", "user.email=bench@example.org", *words]
    subprocess.run(line, cwd=root, check=True, capture_output=True)
