"""No file grows into the one that everything passes through, and no folder into one that nobody knows by heart."""

from collections import defaultdict
from pathlib import Path

from tests.architecture.source import ROOT, repository_files

LIMIT = 400
MOST_ENTRIES = 20
SUFFIXES = {".py", ".ts", ".mjs", ".js", ".lua", ".sh"}

# Path → why it may be longer.
ALLOWED = {"client-vscode/src/protocol.ts": "generated from the server's types, read by nobody top to bottom"}


def test_no_source_file_is_longer_than_400_lines() -> None:
    files = [path for path in repository_files() if path.suffix in SUFFIXES]
    lengths = {str(path): len((ROOT / path).read_text("utf-8").splitlines()) for path in files}
    assert "server/planact/__init__.py" in lengths
    too_long = {path: count for path, count in lengths.items() if count > LIMIT}
    assert too_long.keys() == ALLOWED.keys(), too_long


def test_no_folder_of_the_server_has_more_than_20_entries() -> None:
    """Files and folders, without `__init__.py`, in which nothing is looked for."""
    entries: dict[Path, set[str]] = defaultdict(set)
    for path in repository_files():
        for folder in path.parents:
            if folder.parts[:1] == ("server",) and path.name != "__init__.py":
                entries[folder].add(path.relative_to(folder).parts[0])
    assert len(entries[Path("server/planact")]) > 10
    too_many = {str(folder): len(names) for folder, names in entries.items() if len(names) > MOST_ENTRIES}
    assert not too_many, f"divide into folders whose names a stranger predicts: {too_many}"
