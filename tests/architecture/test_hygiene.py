"""The repository names no download host, no folder of a developer's machine, and nothing left for later."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.architecture.source import ROOT, repository_files

# Links to sponsors and licences may stand in a lock; places to download from may not.
SOURCE = {
    ".json": re.compile(r'"(?:resolved|version)":\s*"[a-z+]+:'),
    ".txt": re.compile(r"https?://|file:|--(?:extra-)?index-url|--find-links"),
    ".npmrc": re.compile(r"registry\s*=|https?://"),
}

# Written so that this file doesn't match itself.
MACHINE = re.compile(r"/(?:root|work|home)/(?!\.\.\.)[a-z.]")
LATER = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b")


def lines(path: Path) -> list[tuple[int, str]]:
    data = (ROOT / path).read_bytes()
    return [] if b"\0" in data else list(enumerate(data.decode("utf-8", "replace").splitlines(), 1))


def hits(pattern: re.Pattern[str], files: list[Path]) -> list[str]:
    return [
        f"{path}:{number}: {line.strip()[:120]}"
        for path in files
        for number, line in lines(path)
        if pattern.search(line)
    ]


def test_locks_name_no_host_to_download_from() -> None:
    locks = [path for path in repository_files() if is_lock(path)]
    assert {Path("requirements.txt"), Path("requirements-dev.txt"), Path("client-vscode/package-lock.json")} <= {*locks}
    assert [hit for path in locks for hit in hits(SOURCE[path.suffix or path.name], [path])] == []


def is_lock(path: Path) -> bool:
    is_requirements = path.name.startswith("requirements") and path.suffix == ".txt"
    return is_requirements or path.name in {"package-lock.json", ".npmrc"}


def test_every_requirement_is_pinned_with_hashes() -> None:
    for name in ("requirements.txt", "requirements-dev.txt"):
        entries = re.split(r"\n(?=\S)", (ROOT / name).read_text("utf-8"))
        requirements = [entry for entry in entries if not entry.startswith("#")]
        assert len(requirements) > 20
        loose = [entry.splitlines()[0] for entry in requirements if "==" not in entry or "--hash=sha256:" not in entry]
        assert loose == []


def test_every_dependency_of_the_manifest_is_locked() -> None:
    manifest = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    runtime = manifest["project"]["dependencies"]
    development = manifest["dependency-groups"]["dev"]
    assert names(runtime) - pins("requirements.txt").keys() == set()
    assert names(runtime + development) - pins("requirements-dev.txt").keys() == set()


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[<>=]", requirement)[0] for requirement in requirements}


def test_what_is_tested_is_what_is_shipped() -> None:
    shipped = pins("requirements.txt")
    tested = pins("requirements-dev.txt")
    assert {name: tested.get(name) for name in shipped} == shipped


def pins(name: str) -> dict[str, str]:
    return dict(re.findall(r"^([a-z0-9-]+)==(\S+)", (ROOT / name).read_text("utf-8"), re.MULTILINE))


def test_no_file_names_a_folder_of_a_developers_machine() -> None:
    # Tests may speak of made-up homes; the product has no reason to.
    assert hits(MACHINE, [path for path in repository_files() if path.parts[0] != "tests"]) == []


def test_nothing_is_left_for_later() -> None:
    files = [path for path in repository_files() if path != Path(__file__).relative_to(ROOT)]
    code = [path for path in files if path.suffix in {".py", ".ts", ".mjs", ".md", ".sh", ".toml", ".lua"}]
    assert len(code) > 20
    assert hits(LATER, [path for path in code if path.parts[:2] != ("tests", "data")]) == []


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        (SOURCE[".json"], '"resolved": "https://registry.example/x.tgz",'),
        (SOURCE[".json"], '"version": "git+ssh://forge.example/x.git",'),
        (SOURCE[".txt"], "--extra-index-url simple"),
        (SOURCE[".txt"], "x @ file:///x.whl"),
        (SOURCE[".npmrc"], "registry=https://registry.example"),
        (MACHINE, "cd " + "/".join(["", "root", "x"])),
        (LATER, "# " + "TO" + "DO: later"),
    ],
)
def test_what_is_forbidden_is_recognised(pattern: re.Pattern[str], line: str) -> None:
    assert pattern.search(line)
