"""What every editor is started with: the sample project, a request, and the program on the path."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A git repository with the sample project."""
    folder = tmp_path / "workspace"
    shutil.copytree(HERE / "project", folder, ignore=shutil.ignore_patterns("__pycache__"))
    me = ("-c", "user.name=Tester", "-c", "user.email=tester@example.invalid")
    for words in (("init", "--quiet"), ("add", "--all"), ("commit", "--quiet", "--message", "The sample project")):
        subprocess.run(("git", *me, *words), cwd=folder, check=True, timeout=20)
    return folder


@pytest.fixture
def environment(workspace: Path) -> dict[str, str]:
    """An environment with a home of its own."""
    home = workspace.with_name("home")
    home.mkdir()
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return {"PATH": path, "HOME": str(home), "TMPDIR": str(home), "LANG": "C.UTF-8", "WORKSPACE": str(workspace)}
