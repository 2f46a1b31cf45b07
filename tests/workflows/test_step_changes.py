"""What a step did to files, as its records and the kept images say."""

from pathlib import Path

import pytest

from planact.base.errors import NotFound
from planact.workflows.history.step_changes import difference_of, kept_text, step_changes
from tests.fakes.world import call, calls
from tests.workflows.rolled_back import AGAIN_A, ALL_KINDS, CHANGE_A, YES, back, scene
from tests.workflows.scene import PATH, SAID


def texts(it, changes) -> dict[str, tuple[str, str]]:  # type: ignore[no-untyped-def]
    return {f.path: (kept_text(it.ws, f.path, f.before), kept_text(it.ws, f.path, f.after)) for f in changes.files}


def test_each_file_is_told_with_what_it_said_before_and_after(tmp_path: Path) -> None:
    it = scene(tmp_path, *ALL_KINDS, SAID)
    it.answers(YES, YES)
    it.execute(step=1)
    assert texts(it, step_changes(it.ws, 1, plan_path=PATH)) == {
        "a.txt": ("one\n", "two\n"),
        "old.txt": ("old\n", ""),
        "sub/new.txt": ("", "new\n"),
        "name.txt": ("name\n", ""),
        "moved.txt": ("", "name\n"),
    }


def test_what_a_step_did_in_several_calls_is_one_difference_and_only_its_own(tmp_path: Path) -> None:
    more = calls(call("update_file", path="a.txt", edits=[{"old": "three", "new": "four"}]))
    it = scene(tmp_path, CHANGE_A, SAID, AGAIN_A, more, SAID)
    it.execute()
    changes = step_changes(it.ws, 2, plan_path=PATH)
    assert difference_of(it.ws, changes) == "--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-two\n+four\n"
    assert step_changes(it.ws, 2, execution_id=changes.execution.id) == changes


def test_it_can_still_be_seen_when_it_was_rolled_back(tmp_path: Path) -> None:
    it = scene(tmp_path, CHANGE_A, SAID, AGAIN_A, SAID)
    it.execute()
    back(it)
    assert texts(it, step_changes(it.ws, 1, plan_path=PATH)) == {"a.txt": ("one\n", "two\n")}


@pytest.mark.parametrize(
    ("named", "code"),
    [
        ({"step": 2, "plan_path": PATH}, "STEP_NOT_FOUND"),
        ({"step": 1, "plan_path": "other.plan"}, "STEP_NOT_FOUND"),
        ({"step": 1, "execution_id": "none"}, "EXECUTION_NOT_FOUND"),
    ],
)
def test_where_nothing_was_changed_there_is_nothing_to_see(tmp_path: Path, named: dict[str, object], code: str) -> None:
    it = scene(tmp_path, CHANGE_A, SAID, SAID)
    it.execute(step=1)
    with pytest.raises(NotFound) as caught:
        step_changes(it.ws, **named)  # type: ignore[arg-type]
    assert caught.value.code == code


def test_credentials_hidden_files_and_what_nobody_kept_are_not_shown(tmp_path: Path) -> None:
    it = scene(tmp_path)
    (tmp_path / ".planactignore").write_text("secret/\n")
    kept = it.ws.ports.journal.keep(b"TOKEN=1\n")
    binary = it.ws.ports.journal.keep(b"\0\1")
    for path, sha256, expected in [
        ("a.txt", kept, "TOKEN=1\n"),
        (".env", kept, "What is in .env is not shown.\n"),
        ("secret/a.txt", kept, "What is in secret/a.txt is not shown.\n"),
        ("../a.txt", kept, "What is in ../a.txt is not shown.\n"),
        ("a.txt", "0" * 64, "What a.txt said then is not known.\n"),
        ("a.txt", binary, "a.txt is no text, or too large to be shown.\n"),
        ("a.txt", "", ""),
    ]:
        assert kept_text(it.ws, path, sha256) == expected
