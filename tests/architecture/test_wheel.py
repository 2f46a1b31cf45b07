"""The wheel carries all of the package, also what is not Python: prompts, roles, templates, the demo's project."""

import subprocess
import sys
import zipfile
from pathlib import Path, PurePosixPath

from tests.architecture.source import ROOT, repository_files


def test_the_wheel_carries_every_file_of_the_package(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        check=True,
        timeout=180,
    )
    (wheel,) = tmp_path.glob("planact-*-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        carried = {name for name in archive.namelist() if PurePosixPath(name).parts[0] == "planact"}
    package = {
        path.relative_to("server").as_posix() for path in repository_files() if path.parts[:2] == ("server", "planact")
    }
    assert "planact/py.typed" in package
    assert carried == package
