"""Folders of which nothing is left out are searched as a whole: that finds and tells what a look at each file does."""

import os
import random
from pathlib import Path

import pytest

from planact.adapters.store.disk.walk import ListedFile, ListedFolder, each_file, walk
from planact.adapters.store.files import DiskFiles
from planact.adapters.store.search import large_files, portions
from planact.adapters.store.search.large_files import SearchedFiles
from planact.adapters.store.search.portions import PortionSearch
from planact.adapters.store.search.query import compile_search, find_ripgrep
from planact.adapters.store.search.skipped import SkipList
from planact.model.file import SearchPage, Skipped
from tests.soak import times
from tests.store.test_search import lines, search

LARGE = 2_000
CASES = times(20, 1_000)


@pytest.fixture
def ripgrep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Its path; files of more than 2,000 bytes are large."""
    found = find_ripgrep(os.environ["PATH"], tmp_path)
    if found is None:
        pytest.skip("ripgrep is not installed")
    monkeypatch.setattr(large_files, "LARGEST_FILE", LARGE)
    options = [f"--max-filesize={LARGE}" if "size" in each else each for each in portions._FOLDER_OPTIONS]
    monkeypatch.setattr(portions, "_FOLDER_OPTIONS", options)
    return found


def grow(root: Path, chance: random.Random) -> None:
    """A tree of folders with files alone and of others, with all that a search leaves out."""
    contents = (
        "needle\n",
        "no\n",
        "x\n" * LARGE + "needle\n",
        "needle" + "x" * LARGE,
        "needle\n\0",
        "needle\n" * 5,
        "",
    )
    names = (
        "a.py",
        "b.txt",
        ".hidden",
        "-dash",
        "a b",
        "z.log",
        "id_rsa",
        "key.pem",
        "käse",
        ".git",
        "ign",
        ".planact-1.tmp",
    )
    folders = ["", *(f"f{number}" for number in range(6)), "f1/deep", "f2/.hid", "f3/d/e/f", ".git/x", "ign/x"]
    for folder in folders:
        (root / folder).mkdir(parents=True, exist_ok=True)
    for folder in folders:
        for name in chance.sample(names, chance.randrange(7)):
            if not (root / folder / name).exists():
                (root / folder / name).write_text(chance.choice(contents))
        deed = chance.randrange(12)
        if deed == 0:
            (root / folder / ".gitignore").write_text("ign\n*.log\n!z.log\n")
        elif deed == 1:
            (root / folder / "link").symlink_to("a.py")
        elif deed == 2:
            os.mkfifo(root / folder / "pipe")


@pytest.mark.soak
async def test_random_trees_are_searched_as_by_a_look_at_each_file(
    tmp_path: Path, ripgrep: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = 0
    for case in range(CASES):
        chance = random.Random(case)
        root = tmp_path / str(case)
        grow(root, chance)
        files = DiskFiles(root, [], ripgrep)
        limit, per_file = chance.choice((1, 3, 100)), chance.choice((0, 2))
        whole += sum(isinstance(one, ListedFolder) for one in walk(root, "", (), frozenset()))
        found = await search(files, "needle", limit=limit, per_file=per_file)
        with monkeypatch.context() as patch:
            patch.setattr(large_files, "_MOST_AT_ONCE", 0)
            each = await search(files, "needle", limit=limit, per_file=per_file)
        assert found.hits == each.hits, case
        assert (found.is_cut, found.cut_files) == (each.is_cut, each.cut_files), case
        if not found.is_cut:
            assert {*found.skipped} == {*each.skipped}, case
    assert whole > CASES


async def test_a_large_file_in_such_a_folder_is_searched_in_its_place_or_told(tmp_path: Path, ripgrep: str) -> None:
    (tmp_path / "a.txt").write_text("x\n" * LARGE + "needle\n")
    (tmp_path / "b.txt").write_text("needle\n" * 9)
    (tmp_path / "c.txt").write_text("needle" + "x" * large_files.LARGEST_FILE)
    files = DiskFiles(tmp_path, [], ripgrep)
    found = await search(files, "needle", limit=2)
    assert (lines(found), found.is_cut) == ([f"a.txt:{LARGE + 1}", "b.txt:1"], True)
    assert found.skipped == (Skipped("too large", 1, ("c.txt",)),)


async def test_what_comes_into_such_a_folder_after_it_was_listed_is_not_found(tmp_path: Path, ripgrep: str) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("needle\n")
    listed = list(walk(tmp_path, "", (), frozenset()))
    assert [type(one) for one in listed] == [ListedFolder]
    (tmp_path / ".env").write_text("needle\n")
    chosen = SearchedFiles(tmp_path, SkipList())
    wanted = compile_search("needle", SearchPage(100, 0, 0, 0), 30, is_literal=True)
    for gone in (None, "a.txt"):  # then as many are searched as were listed
        if gone:
            (tmp_path / gone).unlink()
        hits = await PortionSearch(chosen, wanted, ripgrep).hits(list(chosen.among(listed)))
        assert [hit.path for hit in hits] == [name for name in ("a.txt", "b.txt") if name != gone]


def test_a_folder_with_anything_left_out_does_not_come_whole(tmp_path: Path) -> None:
    for folder in ("plain", "ruled", "temporary", "linked", "above", "above/below"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.txt").touch()
    (tmp_path / "ruled/.gitignore").write_text("*.log\n")
    (tmp_path / "ruled/x.log").touch()
    (tmp_path / "temporary/.planact-1.tmp").touch()
    (tmp_path / "linked/link").symlink_to("a.txt")
    found = list(walk(tmp_path, "", (), frozenset()))
    assert [one.path for one in found if isinstance(one, ListedFolder)] == ["above/below", "plain"]
    assert [one.path for one in found if isinstance(one, ListedFile)] == [
        "above/a.txt",
        "linked/a.txt",
        "ruled/.gitignore",
        "ruled/a.txt",
        "temporary/a.txt",
    ]
    assert "plain/a.txt" in [file.path for file in each_file(found)]
