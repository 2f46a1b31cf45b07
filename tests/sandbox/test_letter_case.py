"""On a disk that ignores the case of names, unknown commands aren't held by mounts, which hold one spelling of a name.

Linux has no such disk without programs and modules that few machines have, so one is played here.
"""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from planact.adapters.sandbox.choose import Jail
from planact.adapters.sandbox.linux.letter_case import is_case_ignored
from tests.sandbox.trial.ground import SUPPORT

JAILS = [Jail(replace(SUPPORT, landlock_abi=abi), "auto") for abi in (3, 0)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose files are found by their names in any letters, as on a disk of Windows."""
    real = os.lstat

    def lstat(path: str | os.PathLike[str]) -> os.stat_result:
        above, name = os.path.split(path)
        names = os.listdir(above)  # noqa: PTH208 - texts are enough
        known = name if name in names else next((each for each in names if each.lower() == name.lower()), name)
        return real(Path(above, known))

    monkeypatch.setattr(os, "lstat", lstat)
    return tmp_path


@pytest.mark.parametrize("name", ["a", ".env", "README.md"])
def test_mounts_hold_no_unknown_command_where_another_spelling_leads_around_them(folder: Path, name: str) -> None:
    (folder / "1").touch()
    (folder / name).touch()
    assert is_case_ignored(folder)
    assert not any(jail.mounts_in(folder) for jail in JAILS)


def test_case_counts_where_names_in_both_exist(tmp_path: Path) -> None:
    assert not is_case_ignored(tmp_path)
    (tmp_path / "a").touch()
    (tmp_path / "A").hardlink_to(tmp_path / "a")
    assert not is_case_ignored(tmp_path)
    (tmp_path / "b").touch()
    assert not is_case_ignored(tmp_path)
    assert not is_case_ignored(tmp_path / "none")
    assert all(jail.mounts_in(tmp_path) for jail in JAILS)
