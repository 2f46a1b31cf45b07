"""What commands in Act do to files that git and planact act on, where it can't be undone or made again."""

import errno
from pathlib import Path

import pytest

from planact.adapters.sandbox.limits import protected
from planact.base.errors import StorageFailure
from planact.model.notice import ToolNotice
from tests.fakes.bench import Bench
from tests.tools.test_execute_command import ANYTHING, run

pytestmark = pytest.mark.slow


def test_what_of_protected_files_could_not_be_put_back_is_told_as_such(tmp_path: Path) -> None:
    bench = Bench(tmp_path, ANYTHING, "undo")
    bench.world.write(".git/HEAD", "")
    bench.world.write(".git/hooks/large", "x" * 2_000_000)
    text = run(bench, "echo evil >> .git/hooks/large; echo evil > .git/hooks/new")
    (question,) = bench.listener.asked
    assert " .git/hooks/large couldn't be put back" in question.question
    assert "What it did to .git/hooks/new was undone." in text
    assert ".git/hooks/large couldn't be put back" in text


def test_a_hook_is_removed_also_where_what_it_was_cannot_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(tmp_path, ANYTHING)
    bench.world.write(".git/HEAD", "")

    def refuse(_data: bytes) -> str:
        raise StorageFailure("STORAGE_UNWRITABLE", "the disk is full", "Free space.")

    monkeypatch.setattr(bench.world.store.journal, "keep", refuse)
    with pytest.raises(StorageFailure):
        run(bench, "mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit")
    assert not (tmp_path / ".git/hooks").exists()


@pytest.mark.parametrize("answer", ["undo", "keep"])
def test_a_change_that_the_user_keeps_and_that_cannot_be_made_again_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    bench = Bench(tmp_path, ANYTHING, answer)
    bench.world.write(".git/HEAD", "")
    bench.listener.meanwhile = lambda: monkeypatch.setattr(protected, "_restore", full_disk)
    text = run(bench, "mkdir -p .git/hooks; echo mine > .git/hooks/pre-commit")
    assert not (tmp_path / ".git/hooks/pre-commit").exists()
    assert ("couldn't be made again" in text) is (answer == "keep")
    shown = [notice.text for notice in bench.world.editor.notices if isinstance(notice, ToolNotice) and notice.code]
    changes = "its changes of .git/hooks, .git/hooks/pre-commit"
    told = f"{changes}, which you let stand, couldn't be made again, and are undone"
    assert shown == ([told] if answer == "keep" else [])


def full_disk(*_: object) -> None:
    raise OSError(errno.ENOSPC, "no space")
