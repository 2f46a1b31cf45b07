"""On a disk that ignores the case of names, unknown commands reach no file that stays as it is by another spelling."""

import asyncio
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from planact.adapters.sandbox.choose import Jail
from planact.adapters.sandbox.linux.letter_case import is_case_ignored
from tests.sandbox.trial.ground import SUPPORT, make_ground, trial_runner, try_out
from tests.sandbox.yard import Yard


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of Windows, on which Linux knows a file by each spelling that was asked for."""
    programs = all(map(shutil.which, ("mkfs.ntfs", "lowntfs-3g")))
    if os.geteuid() or not (programs and Path("/dev/fuse").exists()):
        pytest.skip("only root mounts a disk, with ntfs-3g")
    image, place = tmp_path / "image", tmp_path / "disk"
    place.mkdir()
    with image.open("wb") as file:
        file.truncate(32_000_000)
    subprocess.run(["mkfs.ntfs", "-F", "-q", "-f", image], check=True, capture_output=True)
    subprocess.run(["lowntfs-3g", "-o", "ignore_case", image, place], check=True, capture_output=True)
    yield place
    subprocess.run(["umount", "-l", place], check=True)


@pytest.mark.skipif(not SUPPORT.bubblewrap, reason="else nothing is mounted")
def test_another_spelling_of_what_stays_or_is_hidden_leads_around_no_jail(disk: Path) -> None:
    yard = Yard(disk / "yard")
    for folder in (yard.base, yard.home, yard.workspace):
        folder.mkdir()
    yard.fill()
    make_ground(yard)
    kept = {
        path: path.read_bytes() for path in (yard.workspace / name for name in ("AGENTS.md", ".envrc", ".mcp.json"))
    }
    line = "cat .ENV .Env deep/.ENV.LOCAL; echo evil >> agents.MD; echo evil > .ENVRC; rm -f .Mcp.json; true"
    result = asyncio.run(try_out(trial_runner(yard), yard, line))
    assert "secret of" not in result.output
    assert {path: path.read_bytes() for path in kept} == kept


def test_where_mounts_alone_could_hold_unknown_commands_none_is_run(disk: Path) -> None:
    (disk / "a").touch()
    assert is_case_ignored(disk)
    for abi in (3, 0):
        jail = Jail(replace(SUPPORT, landlock_abi=abi), "auto")
        assert not jail.mounts_in(disk)


def test_case_counts_where_names_in_both_exist(tmp_path: Path) -> None:
    assert not is_case_ignored(tmp_path)
    (tmp_path / "a").touch()
    (tmp_path / "A").hardlink_to(tmp_path / "a")
    assert not is_case_ignored(tmp_path)
    (tmp_path / "b").touch()
    assert not is_case_ignored(tmp_path)
    assert not is_case_ignored(tmp_path / "none")
