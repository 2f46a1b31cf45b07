"""What every editor is started with: the sample project, a request, and the program on the path."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
NAMING_SERVER = HERE.parent / "language_servers" / "naming_server.py"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A git repository with the sample project."""
    folder = tmp_path / "workspace"
    shutil.copytree(HERE / "project", folder, ignore=shutil.ignore_patterns("__pycache__"))
    me = ("-c", "user.name=Tester", "-c", "user.email=tester@example.invalid")
    for words in (("init", "--quiet"), ("add", "--all"), ("commit", "--quiet", "--message", "The sample project")):
        subprocess.run(("git", *me, *words), cwd=folder, check=True, timeout=180)
    return folder


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where every Emacs keeps what it has compiled, which costs each as much as a scenario itself."""
    return tmp_path_factory.mktemp("compiled")


@pytest.fixture
def environment(workspace: Path, compiled: Path) -> dict[str, str]:
    """An environment with a home of its own."""
    home = workspace.with_name("home")
    (home / ".emacs.d").mkdir(parents=True)
    (home / ".emacs.d/eln-cache").symlink_to(compiled)
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return {"PATH": path, "HOME": str(home), "TMPDIR": str(home), "LANG": "C.UTF-8", "WORKSPACE": str(workspace)}


def serve_names(workspace: Path) -> None:
    """Put texts into a workspace, and the language server that knows their names."""
    given = json.loads((HERE / "desk.json").read_text("utf-8"))["names"]
    shutil.copy(NAMING_SERVER, workspace)
    (workspace / "answers.json").write_text(json.dumps(given["answers"]), "utf-8")
    for name, text in given["files"].items():
        (workspace / name).write_text(text, "utf-8")
