"""How many entries an untracked folder has, of which too many are left alone as a whole."""

import time
from pathlib import Path

import pytest

from planact.adapters.store.git import changed_since, footprints, tree, trial
from planact.adapters.store.git.changed_since import ChangedSince
from tests.store.test_changed_since import FIND, NAMED, counted, is_told, looker
from tests.workflows.test_discard_properties import git


def test_what_changed_in_an_untracked_folder_counts_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not is_told(tmp_path):
        pytest.skip("there is no GNU find here, or the file system isn't known to keep times")
    for slack in ("SLACK", "FINE_SLACK"):  # what changed so long before a look counts as changed after it, too
        monkeypatch.setattr(changed_since, slack, 1.0)
    monkeypatch.setattr(footprints, "FEW_TRACKED", 0)
    monkeypatch.setattr(tree, "MOST_IN_FOLDER", 6)
    updates: list[bool] = []
    monkeypatch.setattr(trial, "updated_tree", counted(updates))
    git(tmp_path, "init", "-q")
    (tmp_path / "tracked").touch()
    git(tmp_path, "add", "tracked")
    (tmp_path / "new/folder/below").mkdir(parents=True)
    time.sleep(1.2)
    look = looker(tmp_path, ChangedSince(tmp_path, FIND))
    before = look.trial(NAMED, None)
    for name in ("a", "folder/below/b"):
        (tmp_path / "new" / name).touch()
    assert len(before.found()) == 2
    for _ in range(3):
        before = look.trial(NAMED, None)
        assert [*before.unchangeable] == []
        assert before.found() == []
    assert updates
    assert all(updates)
    for name in ("c", "d"):
        (tmp_path / "new" / name).touch()
    assert [Path(path).name for path in look.trial(NAMED, None).unchangeable] == ["new"]
