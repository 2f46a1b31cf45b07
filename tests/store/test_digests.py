"""Hashes are remembered while a file stays as it was, and for nothing else."""

import hashlib
import os
from pathlib import Path

import pytest

from planact.adapters.store.disk.digests import Digests


def of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def write(path: Path, text: str, age: int) -> None:
    path.write_text(text)
    os.utime(path, (path.stat().st_atime, path.stat().st_mtime - age))


def test_another_text_of_the_same_size_and_time_is_seen(tmp_path: Path) -> None:
    path, digests = tmp_path / "a", Digests()
    for text in ("one", "two", "six"):
        write(path, text, 0)
        os.utime(path, ns=(1, 1))
        assert digests.of(path, 10) == of(text)


def test_another_file_in_its_place_is_seen(tmp_path: Path) -> None:
    path, other, digests = tmp_path / "a", tmp_path / "b", Digests()
    write(path, "one", 100)
    assert digests.of(path, 10) == of("one")
    write(other, "two", 100)
    other.replace(path)
    assert digests.of(path, 10) == of("two")


def test_what_is_no_file_or_too_large_has_none(tmp_path: Path) -> None:
    (tmp_path / "large").write_text("x" * 11)
    (tmp_path / "link").symlink_to("large")
    os.mkfifo(tmp_path / "pipe")
    for name in ("gone", "large", "link", "pipe", "."):
        with pytest.raises(OSError):  # noqa: PT011 (whatever the system says)
            Digests().of(tmp_path / name, 10)
