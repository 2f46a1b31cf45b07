"""No file grows into the one that everything passes through."""

from tests.architecture.source import ROOT, repository_files

LIMIT = 400
SUFFIXES = {".py", ".ts", ".mjs", ".js", ".lua", ".sh"}

# Path → why it may be longer.
ALLOWED = {"client-vscode/src/protocol.ts": "generated from the server's types, read by nobody top to bottom"}


def test_no_source_file_is_longer_than_400_lines() -> None:
    files = [path for path in repository_files() if path.suffix in SUFFIXES]
    lengths = {str(path): len((ROOT / path).read_text("utf-8").splitlines()) for path in files}
    assert "server/planact/__init__.py" in lengths
    too_long = {path: count for path, count in lengths.items() if count > LIMIT}
    assert too_long.keys() == ALLOWED.keys(), too_long
