"""The watcher of our own, with real files: it tells of those it is to watch, and of nothing else."""

import threading
import time
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

from planact.adapters.watch.watcher import MANY, MAX_FOLDERS, FolderWatcher


class Ear:
    """What was told."""

    def __init__(self) -> None:
        self.told: set[Path] = set()
        self.times = 0

    def __call__(self, paths: Collection[Path]) -> None:
        self.told |= set(paths)
        self.times += 1

    def hears(self, *paths: Path) -> bool:
        """Within bounds; forgets all it heard."""
        end = time.monotonic() + 180
        while not self.told.issuperset(paths) and time.monotonic() < end:
            time.sleep(0.01)
        heard, self.told = self.told, set()
        return heard == set(paths)


@pytest.fixture
def ear() -> Ear:
    return Ear()


@pytest.fixture
def watcher(ear: Ear) -> Iterator[FolderWatcher]:
    made = FolderWatcher(ear)
    yield made
    made.close()


def test_a_file_that_is_made_changed_moved_and_deleted_is_told_of(
    tmp_path: Path, watcher: FolderWatcher, ear: Ear
) -> None:
    file, other = tmp_path / "a", tmp_path / "b"
    assert watcher.watch([file]) == {}
    other.write_text("other")
    file.write_text("one")
    assert ear.hears(file)
    time.sleep(0.2)
    ear.told.clear()
    file.write_text("two")
    assert ear.hears(file)
    time.sleep(0.2)
    ear.told.clear()
    file.rename(tmp_path / "c")
    assert ear.hears(file)
    other.rename(file)
    assert ear.hears(file)
    time.sleep(0.2)
    ear.told.clear()
    file.read_text()
    file.unlink()
    assert ear.hears(file)


def test_a_folder_that_comes_back_is_watched_again(tmp_path: Path, watcher: FolderWatcher, ear: Ear) -> None:
    file = tmp_path / "deep" / "er" / "a"
    watcher.watch([file])
    file.parent.parent.mkdir()
    assert ear.hears(file)
    watcher.watch([file])
    file.parent.mkdir()
    assert ear.hears(file)
    watcher.watch([file])
    file.write_text("one")
    assert ear.hears(file)
    time.sleep(0.2)
    file.unlink()
    file.parent.rmdir()
    file.parent.mkdir()
    time.sleep(0.2)
    ear.told.clear()
    watcher.watch([file])
    file.write_text("two")
    assert ear.hears(file)


def test_nothing_runs_before_there_is_a_file_and_nothing_after_the_end(tmp_path: Path, ear: Ear) -> None:
    before = threading.active_count()
    watcher = FolderWatcher(ear)
    watcher.watch([])
    assert threading.active_count() == before
    watcher.watch([tmp_path / "a"])
    assert threading.active_count() > before
    watcher.close()
    (tmp_path / "a").write_text("one")
    time.sleep(0.2)
    assert ear.told == set()


def test_no_more_folders_are_watched_than_there_may_be(tmp_path: Path, watcher: FolderWatcher) -> None:
    files = [tmp_path / f"d{number}" / "a" for number in range(MAX_FOLDERS + 3)]
    for file in files:
        file.parent.mkdir()
    assert list(watcher.watch(files).values()) == ["too many folders"] * 3
    assert watcher.watch(files[:5]) == {}


def test_after_very_many_events_all_files_count_as_touched(tmp_path: Path, watcher: FolderWatcher, ear: Ear) -> None:
    file = tmp_path / "a"
    watcher.watch([file])
    for number in range(MANY):
        (tmp_path / f"f{number}").touch()
    assert ear.hears(file)
    assert ear.times <= 2
