"""Another process that puts a link into the way of a change, at any moment, leads it nowhere else."""

import asyncio
import ctypes
import multiprocessing
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic

import pytest

from planact.adapters.store.disk.pinned_folder import pinned_entry, pinned_folder
from planact.adapters.store.files import DiskFiles
from planact.base.errors import PlanactError
from planact.base.paths import Place
from planact.model.file import SearchPage

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such handles")
_EXCHANGE = 2


def exchange(one: bytes, other: bytes) -> None:
    libc = ctypes.CDLL(None)
    while True:
        libc.renameat2(-100, one, -100, other, _EXCHANGE)


@pytest.fixture
def swapped(tmp_path: Path) -> Iterator[Path]:
    """A workspace in which the folder `d` and a link to the folder `out` beside it change places all the time."""
    root = tmp_path / "ws"
    (root / "d").mkdir(parents=True)
    (tmp_path / "out").mkdir()
    (root / "link").symlink_to(tmp_path / "out")
    process = multiprocessing.get_context("fork").Process(
        target=exchange, args=(os.fsencode(root / "d"), os.fsencode(root / "link")), daemon=True
    )
    process.start()
    yield root
    process.kill()
    process.join()


def create(files: DiskFiles, place: Place) -> None:
    files.write(place, b"x", None)


def make_folder(files: DiskFiles, place: Place) -> None:
    files.make_directory(place, 0o700)


def make_link(files: DiskFiles, place: Place) -> None:
    files.make_link(place, b"target")


def move(files: DiskFiles, place: Place) -> None:
    name = str(place.relative).replace("/", "-")
    (files.root / name).write_text("x")
    files.rename(files.resolve(name), place)


@pytest.mark.parametrize("below", ["", "/a/b"])
@pytest.mark.parametrize("change", [create, make_folder, make_link, move])
def test_no_change_lands_outside(swapped: Path, change: Callable[[DiskFiles, Place], None], below: str) -> None:
    files = DiskFiles(swapped)
    done, until = 0, monotonic() + 0.7
    while monotonic() < until:
        place = files.resolve(f"d/{done}{below}")
        if str(place.relative) == f"d/{done}{below}":
            done += 1
            with suppress(PlanactError):
                change(files, place)
    assert done > 10
    assert [*(swapped.parent / "out").iterdir()] == []


def test_nothing_outside_is_read(swapped: Path) -> None:
    (swapped.parent / "out" / "same").write_text("the user's")
    files, done, until = DiskFiles(swapped), 0, monotonic() + 2.0
    while monotonic() < until:
        for folder in ("d", "link"):
            with suppress(OSError):
                own = os.open(swapped / folder, os.O_PATH | os.O_NOFOLLOW | os.O_DIRECTORY)
                (Path("/proc/self/fd") / str(own) / "same").write_text("own")
                os.close(own)
        place = files.resolve("d/same")
        if str(place.relative) == "d/same":
            with suppress(PlanactError):
                assert files.read(place, 100) == b"own"
                done += 1
    assert done > 10


def test_nothing_outside_is_overwritten_or_deleted(swapped: Path) -> None:
    kept = swapped.parent / "out" / "same"
    kept.write_text("x")
    for folder in (swapped / "d", swapped / "link"):
        (folder / "same").write_text("x")
    files, digest, until = (
        DiskFiles(swapped),
        "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881",
        monotonic() + 2.0,
    )
    while monotonic() < until:
        place = files.resolve("d/same")
        if str(place.relative) == "d/same":
            with suppress(PlanactError):
                files.write(place, b"x", digest)
                files.delete(place, digest)
        for folder in ("d", "link"):
            try:
                handle = os.open(swapped / folder, os.O_PATH | os.O_NOFOLLOW | os.O_DIRECTORY)
            except OSError:
                continue
            (Path("/proc/self/fd") / str(handle) / "same").write_text("x")
            os.close(handle)
    assert kept.read_text() == "x"


def test_a_folder_is_reached_through_no_link_and_made_where_it_is_missing(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    with pytest.raises(NotADirectoryError), pinned_folder(tmp_path, tmp_path / "link" / "a", is_made=True):
        pass
    with pytest.raises(FileNotFoundError), pinned_folder(tmp_path, tmp_path / "a"):
        pass
    with pinned_entry(tmp_path, tmp_path / "a" / "b" / "c", is_made=True) as path:
        path.write_text("c")
    assert (tmp_path / "a/b/c").read_text() == "c"
    with pinned_entry(tmp_path / "a", tmp_path / "d") as path:
        assert path == tmp_path / "d"


@pytest.mark.parametrize("engine", [shutil.which("rg"), None])
def test_no_line_and_no_name_outside_is_found(swapped: Path, engine: str | None) -> None:
    (swapped / "same").write_text("own needle")
    for each in range(3):
        (swapped.parent / "out" / f"same{each}").write_text("the user's needle")
        (swapped.parent / "out" / f"name{each}").write_text("the user's needle")
    made, until = 0, monotonic() + 2.0
    while made < 3 and monotonic() < until:
        with suppress(OSError):
            own = os.open(swapped / "d", os.O_PATH | os.O_NOFOLLOW | os.O_DIRECTORY)
            (Path("/proc/self/fd") / str(own) / f"same{made}").write_text("own needle")
            (Path("/proc/self/fd") / str(own) / "below").mkdir(exist_ok=True)
            os.close(own)
            made += 1
    files, page, until = DiskFiles(swapped, ripgrep=engine), SearchPage(100, context=1), monotonic() + 3.0
    texts: set[str] = set()
    names: set[str] = set()
    while monotonic() < until:
        whole = files.resolve("")
        found = asyncio.run(files.search("needle", whole, "", page, is_literal=True, skip=(), unsaved={}))
        texts |= {hit.text for hit in found.hits}
        for _ in range(20):
            names |= {file.path for file in files.names(whole, "", skip=()).files}
            place = files.resolve("d")
            if str(place.relative) == "d":
                with suppress(PlanactError):
                    names |= {f"d/{name}" for name in files.list(place)}
    assert texts == {"own needle"}
    assert {name for name in names if "name" in name} == set()
    assert "d/same0" in names
