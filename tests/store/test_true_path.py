"""Real paths are those of `os.path.realpath`, at a few calls for each path, however deep it lies."""

import os
import random
import sys
from pathlib import Path

import pytest

from planact.adapters.store.disk.true_path import real_path
from planact.adapters.store.files import DiskFiles

NAMES = ("a", "b", "ü", "new\nline", "x (deleted)")


def grow(root: Path, chance: random.Random) -> None:
    """Folders, files, and links that lead up, down, out, round and nowhere."""
    folders = [root]
    for _ in range(25):
        path = chance.choice(folders) / chance.choice(NAMES)
        if os.path.lexists(path):
            continue
        match chance.randrange(4):
            case 0:
                path.write_text("x")
            case 1 | 2:
                path.mkdir()
                folders.append(path)
            case _:
                targets = ("..", "../a", "b/../a", "/", str(root), "nowhere", "nowhere/b", path.name, "/proc/self/cwd")
                path.symlink_to(chance.choice(targets))


@pytest.mark.parametrize("seed", range(12))
def test_it_is_what_realpath_says(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    grow(tmp_path, chance)
    parts = (*NAMES, *NAMES, "..", ".", "", "missing")
    for _ in range(300):
        path = "/".join((str(tmp_path), *chance.choices(parts, k=chance.randrange(6))))
        assert real_path(path) == os.path.realpath(path), path
    for path in ("/", "/..", "//", "/proc/self/cwd", "/nowhere", "/nowhere/..", "/a" * 3000):
        assert real_path(path) == os.path.realpath(path), path


@pytest.mark.parametrize("path", ["/a\0b", "/a\udfff\udfff\ud800"])
def test_a_name_that_no_file_has_is_refused_as_realpath_does(path: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (of several kinds)
        os.path.realpath(path)
    with pytest.raises(ValueError):  # noqa: PT011
        real_path(path)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere `realpath` is all there is")
def test_not_each_folder_above_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path.joinpath(*["d"] * 200)
    deep.mkdir(parents=True)
    (deep / "link").symlink_to(tmp_path)
    seen: list[object] = []
    lstat = os.lstat
    monkeypatch.setattr(os, "lstat", lambda path: (seen.append(path), lstat(path))[1])
    for path, real in (("", ""), ("/missing", "/missing"), ("/link", None)):
        assert real_path(f"{deep}{path}") == (str(tmp_path) if real is None else f"{deep}{real}")
    assert len(seen) <= 9


@pytest.mark.parametrize("path", ["link", "link/", "link/.", "./link", "d/../link", "d/up/link"])
def test_a_link_is_itself_however_its_path_is_written(tmp_path: Path, path: str) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d/up").symlink_to("..")
    (tmp_path / "link").symlink_to("d")
    place = DiskFiles(tmp_path).resolve_entry(path)
    assert (place.is_link, place.shown) == (True, "link")


def test_what_lies_beyond_a_link_or_is_none_is_what_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "work/d").mkdir(parents=True)
    (tmp_path / "work/out").symlink_to(tmp_path)
    (tmp_path / "work/in").symlink_to("d")
    (tmp_path / "x").write_text("x")
    files = DiskFiles(tmp_path / "work")
    assert (files.resolve_entry("out/x").relative, files.resolve_entry("in/y").shown) == (None, "d/y")
