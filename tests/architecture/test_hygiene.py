"""The repository names no download host, no folder of a developer's machine, and nothing left for later."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.architecture.source import ROOT, repository_files

LOCKS = {"requirements.txt", "requirements-dev.txt", "package-lock.json", ".npmrc"}
HOST = re.compile(r"https?://|file:|--(?:extra-)?index-url|--find-links|registry\s*=")
# Licence texts and funding links are documentation even inside a lock.
NOT_A_SOURCE = re.compile(r'^\s*"(?:url|deprecated|license)":')

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
    assert Path("requirements.txt") in locks
    assert Path("requirements-dev.txt") in locks
    assert [hit for path in locks for hit in hosts(path)] == []


def is_lock(path: Path) -> bool:
    return path.name in LOCKS or (path.name.startswith("requirements") and path.suffix == ".txt")


def hosts(path: Path) -> list[str]:
    return [
        f"{path}:{number}: {line.strip()[:120]}"
        for number, line in lines(path)
        if HOST.search(line) and not NOT_A_SOURCE.search(line)
    ]


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
        (HOST, '"resolved": "https://registry.example/x.tgz",'),
        (HOST, "--extra-index-url simple"),
        (HOST, "x @ file:///x.whl"),
        (MACHINE, "cd " + "/".join(["", "root", "x"])),
        (LATER, "# " + "TO" + "DO: later"),
    ],
)
def test_what_is_forbidden_is_recognised(pattern: re.Pattern[str], line: str) -> None:
    assert pattern.search(line)
