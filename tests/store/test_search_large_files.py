"""What a search does with large files, and with those that planact itself writes."""

import shutil
from pathlib import Path

import pytest

from planact.adapters.store.files import DiskFiles
from planact.adapters.store.search import large_files
from planact.adapters.store.search.large_files import LARGEST_FILE
from planact.base.errors import InvalidInput
from planact.model.file import Skipped
from tests.store.test_search import lines, search


@pytest.mark.parametrize("program", [shutil.which("rg"), None])
async def test_a_large_file_is_searched_as_long_as_all_of_them_are_not_too_much(
    tmp_path: Path, program: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = DiskFiles(tmp_path, (), program)
    (tmp_path / "big.log").write_text(f"{'x' * 99}\n" * (LARGEST_FILE // 100) + "the needle\n")
    assert lines(await search(files, "needle", "big.log")) == [f"big.log:{LARGEST_FILE // 100 + 1}"]
    assert lines(await search(files, "needle")) == [f"big.log:{LARGEST_FILE // 100 + 1}"]
    monkeypatch.setattr(large_files, "MOST_IN_LARGE_FILES", LARGEST_FILE)
    found = await search(files, "needle")
    assert (lines(found), found.skipped) == ([], (Skipped("too large", 1, ("big.log",)),))


@pytest.mark.parametrize(
    ("data", "cause"),
    [(b"x\n" + b"\0" * LARGEST_FILE, "is binary"), (b"x\n" + b"x" * (LARGEST_FILE + 1), "has a line of more than")],
    ids=["binary", "one line"],
)
async def test_a_large_file_that_would_fill_the_memory_is_refused(tmp_path: Path, data: bytes, cause: str) -> None:
    (tmp_path / "big").write_bytes(data)
    with pytest.raises(InvalidInput, match=cause) as caught:
        await search(DiskFiles(tmp_path), "x", "big")
    assert caught.value.code == "FILE_BINARY"


async def test_what_planact_writes_down_itself_is_never_found(tmp_path: Path) -> None:
    files = DiskFiles(tmp_path)
    for path in ("sessions/s.jsonl", "executions/e.json", "plans/a.plan", "sessions.md"):
        (tmp_path / ".planact" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / ".planact" / path).write_text("needle\n")
    (tmp_path / "sub/.planact/sessions").mkdir(parents=True)
    (tmp_path / "sub/.planact/sessions/not-ours.txt").write_text("needle\n")
    found = await search(files, "needle")
    assert lines(found) == [".planact/plans/a.plan:1", ".planact/sessions.md:1", "sub/.planact/sessions/not-ours.txt:1"]
    assert found.skipped == ()
    for place in (".planact/sessions", ".planact/sessions/s.jsonl", ".planact/executions"):
        assert lines(await search(files, "needle", place)) == []
        assert files.names(files.resolve(place), "", skip=()).files == ()
