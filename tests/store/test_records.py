import hashlib
import json
import os
from pathlib import Path

import pytest

from planact.adapters.observe.redact import Redactor
from planact.adapters.store.state.records import INDEXED, WorkspaceRecords
from planact.base.errors import StorageFailure
from planact.model.plan import StepStatus
from planact.model.runs.execution import Execution, StepRecord
from tests.fakes.clock import FakeClock


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "app").mkdir()
    return tmp_path / "app"


@pytest.fixture
def reports() -> list[str]:
    return []


@pytest.fixture
def records(workspace: Path, reports: list[str]) -> WorkspaceRecords:
    return WorkspaceRecords(workspace, FakeClock(), Redactor({}).text, reports.append)


def run(name: str, **more: str) -> Execution:
    return Execution(id=name, session_id="s1", started_at=f"2026-11-20T10:00:0{name[-1]}Z", **more)


# --- the folder


def test_the_folder_is_made_when_something_is_written_and_hides_transcripts_from_git(
    records: WorkspaceRecords, workspace: Path
) -> None:
    assert (records.read("a.json"), tuple(records.list("plans")), records.fingerprint()) == (None, (), "")
    assert list(workspace.iterdir()) == []
    records.write("plans/a.json", "{}")
    assert (workspace / ".planact" / ".gitignore").read_text() == "sessions/\n"


def test_a_workspace_that_the_user_moved_away_is_not_made_again(records: WorkspaceRecords, workspace: Path) -> None:
    moved = workspace.rename(workspace.with_name("moved"))
    with pytest.raises(StorageFailure, match="No such file or directory") as caught:
        records.write("plans/a.json", "{}")
    assert caught.value.code == "STORAGE_UNWRITABLE"
    assert not workspace.exists()
    moved.rename(workspace)
    records.write("plans/a.json", "{}")
    assert records.read("plans/a.json") == "{}"


def test_the_users_own_gitignore_stays(records: WorkspaceRecords, workspace: Path) -> None:
    (workspace / ".planact").mkdir()
    (workspace / ".planact" / ".gitignore").write_text("*\n")
    records.write("plans/a.json", "{}")
    assert (workspace / ".planact" / ".gitignore").read_text() == "*\n"


def test_no_half_written_file_is_left_when_writing_fails(records: WorkspaceRecords, workspace: Path) -> None:
    (workspace / ".planact" / "plans" / "a.json").mkdir(parents=True)
    with pytest.raises(StorageFailure) as caught:
        records.write("plans/a.json", "{}")
    assert caught.value.code == "STORAGE_UNWRITABLE"
    assert [path.name for path in (workspace / ".planact" / "plans").iterdir()] == ["a.json"]


def test_a_file_in_the_way_of_the_folder_is_told(records: WorkspaceRecords, workspace: Path) -> None:
    (workspace / ".planact").write_text("")
    with pytest.raises(StorageFailure) as caught:
        records.write("plans/a.json", "{}")
    assert caught.value.code == "STORAGE_UNWRITABLE"


# --- hostile repositories


@pytest.mark.parametrize("link", [".planact", ".planact/plans", ".planact/plans/deep"])
@pytest.mark.parametrize("target", ["outside", "inside"])
def test_a_linked_folder_is_not_followed(records: WorkspaceRecords, workspace: Path, link: str, target: str) -> None:
    aim = workspace.parent / "victim" if target == "outside" else workspace / ".git"
    (aim / "plans" / "deep").mkdir(parents=True)
    (aim / "deep").mkdir()
    (aim / "a.json").write_text("secret")
    (workspace / link).parent.mkdir(parents=True, exist_ok=True)
    (workspace / link).symlink_to(aim)
    before = sorted(str(path) for path in aim.rglob("*"))
    for action in (
        lambda: records.write("plans/deep/a.json", "x"),
        lambda: records.append("plans/deep/a.json", "x"),
        lambda: records.read("plans/deep/a.json"),
        lambda: records.delete("plans/deep/a.json"),
        lambda: records.list("plans/deep"),
    ):
        with pytest.raises(StorageFailure) as caught:
            action()
        assert caught.value.code == "STORAGE_UNWRITABLE"
    assert sorted(str(path) for path in aim.rglob("*")) == before


def test_a_linked_file_is_replaced_and_never_read_or_appended_to(records: WorkspaceRecords, workspace: Path) -> None:
    victim = workspace.parent / "victim"
    victim.write_text("precious")
    (workspace / ".planact" / "plans").mkdir(parents=True)
    link = workspace / ".planact" / "plans" / "index.json"
    link.symlink_to(victim)
    with pytest.raises(StorageFailure):
        records.read("plans/index.json")
    assert records.append("plans/index.json", "more") is False
    records.write("plans/index.json", "{}")
    assert (victim.read_text(), link.is_symlink(), link.read_text()) == ("precious", False, "{}")


@pytest.mark.parametrize("relative", ["../x", "plans/../../x", "/etc/x", "", ".", "a\\..\\x", "a\0b"])
def test_nothing_is_written_outside_the_folder(records: WorkspaceRecords, workspace: Path, relative: str) -> None:
    with pytest.raises(StorageFailure):
        records.write(relative, "x")
    assert list(workspace.iterdir()) == []


@pytest.mark.parametrize("name", ["../../x", "a/b", "", "..\\x"])
def test_an_execution_is_no_path(records: WorkspaceRecords, workspace: Path, name: str) -> None:
    with pytest.raises(StorageFailure):
        records.put_execution(Execution(id=name, session_id="s1"))
    assert list(workspace.iterdir()) == []


# --- executions


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (b"{", "Invalid JSON"),
        (b"\xff\xfe", "UTF-8"),
        (b"[" * 100_000, "Invalid JSON"),
        (b'{"id": "e1"}', "Field required"),
        (b'{"id": "e2", "session_id": "s1"}', "e2"),
    ],
)
def test_a_damaged_record_is_set_aside_and_reported(
    records: WorkspaceRecords, workspace: Path, reports: list[str], content: bytes, cause: str
) -> None:
    records.put_execution(run("e3"))
    folder = workspace / ".planact" / "executions"
    (folder / "e1.json").write_bytes(content)
    assert records.executions() == [run("e3")]
    assert (folder / "e1.json.damaged-20261120T100000000000").read_bytes() == content
    assert len(reports) == 1
    assert cause in reports[0]
    assert records.executions() == [run("e3")]
    assert len(reports) == 1


def test_the_index_says_which_runs_there_were_when_and_where_their_records_are(
    records: WorkspaceRecords, workspace: Path
) -> None:
    records.put_execution(run("e1", plan_id="plan_x", goal="Greet", status="paused", finished_at="later"))
    index = json.loads((workspace / ".planact" / "executions" / "index.json").read_text())
    assert index == {
        "executions": [
            {
                "id": "e1",
                "plan_id": "plan_x",
                "goal": "Greet",
                "status": "paused",
                "timestamp": "2026-11-20T10:00:01Z",
                "finished_at": "later",
                "file_path": ".planact/executions/e1.json",
            }
        ],
        "last_accessed": "2026-11-20T10:00:00+00:00",
    }


@pytest.mark.parametrize(
    ("broken", "is_damaged"),
    [("{", True), ('{"executions": [{"id": "e1"}]}', True), ("\x00", True), ('{"executions": []}', False), ("", False)],
)
def test_the_index_is_rebuilt_and_a_damaged_one_is_set_aside_and_reported(
    records: WorkspaceRecords, workspace: Path, reports: list[str], broken: str, is_damaged: bool
) -> None:
    index = workspace / ".planact" / "executions" / "index.json"
    for name in ("e1", "e2"):
        records.put_execution(run(name))
    whole = index.read_text()
    index.write_text(broken)
    records.put_execution(run("e2"))
    assert index.read_text() == whole
    assert whole.index('"e2"') < whole.index('"e1"')
    kept = [path.read_text() for path in index.parent.glob("index.json.damaged-*")]
    assert (kept, len(reports)) == (([broken], 1) if is_damaged else ([], 0))


def test_the_index_has_the_newest_runs_and_is_not_written_for_what_it_does_not_say(
    records: WorkspaceRecords, workspace: Path
) -> None:
    folder = workspace / ".planact" / "executions"
    for number in range(INDEXED + 1):
        records.put_execution(Execution(id=f"e{number:04}", session_id="s1", started_at=f"{number:04}"))
    index = folder / "index.json"
    rows = json.loads(index.read_text())["executions"]
    assert [row["id"] for row in rows] == [f"e{number:04}" for number in range(INDEXED, 0, -1)]
    before = index.stat().st_ino
    records.put_execution(Execution(id="e0009", session_id="s1", started_at="0009", duration=3.0))
    assert index.stat().st_ino == before
    records.put_execution(Execution(id="e0009", session_id="s1", started_at="0009", status="success"))
    assert index.stat().st_ino != before
    assert records.is_index_current()


def test_to_find_one_execution_no_other_is_read(records: WorkspaceRecords, workspace: Path, reports: list[str]) -> None:
    for name in ("e1", "e2", "e3"):
        records.put_execution(run(name))
    (workspace / ".planact" / "executions" / "e1.json").write_text("{")
    assert records.execution("e2") == run("e2")
    records.put_execution(run("e3", status="success"))
    assert reports == []
    assert (records.execution("e1"), len(reports)) == (None, 1)


def test_records_hold_no_secrets(records: WorkspaceRecords, workspace: Path) -> None:
    records.put_execution(run("e1", goal="use password=hunter2", reason="sk-ant-api03-0123456789abcdef"))
    text = (workspace / ".planact" / "executions" / "e1.json").read_text()
    assert "hunter2" not in text
    assert "sk-ant" not in text
    assert records.executions()[0].goal == "use password=[redacted]"


# --- fingerprint


def test_the_fingerprint_is_that_of_the_content(records: WorkspaceRecords, workspace: Path) -> None:
    folder = workspace / ".planact"
    seen = {records.fingerprint()}

    def is_new() -> bool:
        found = records.fingerprint()
        known = found in seen
        seen.add(found)
        return not known

    (folder / "roles").mkdir(parents=True)
    (folder / "config.toml").write_text('model = "a"')
    assert is_new()
    first = records.fingerprint()
    (folder / "config.toml").write_text('model = "b"')
    assert is_new()
    (folder / "roles" / "actor.md").write_text("you may all")
    assert is_new()
    (folder / "roles" / "actor.md").rename(folder / "roles" / "reviewer.md")
    assert is_new()
    (folder / "roles" / "reviewer.md").unlink()
    (folder / "config.toml").write_text('model = "a"')
    os.utime(folder / "config.toml", (1, 1))
    assert records.fingerprint() == first


@pytest.mark.parametrize("path", ["plans/a.plan", "templates/greet.plan", "sessions/s.json", "archive/a.plan"])
def test_what_says_nothing_of_rights_leaves_trust_as_it_is(
    records: WorkspaceRecords, workspace: Path, path: str
) -> None:
    (workspace / ".planact").mkdir()
    for trusted in ("", 'model = "a"'):
        if trusted:
            (workspace / ".planact" / "config.toml").write_text(trusted)
        before = records.fingerprint()
        file = workspace / ".planact" / path
        file.parent.mkdir()
        file.write_text("# Greet\n")
        assert records.fingerprint() == before
        file.unlink()
        file.parent.rmdir()


def test_what_gives_rights_is_read_only_if_the_fingerprint_covers_all_of_it(
    records: WorkspaceRecords, workspace: Path
) -> None:
    role = workspace / ".planact/roles/actor.md"
    role.parent.mkdir(parents=True)
    role.write_text("x" * 1_000_000)
    assert records.read("roles/actor.md") == "x" * 1_000_000
    role.write_text("x" * 1_000_001)
    with pytest.raises(StorageFailure):
        records.read("roles/actor.md")


def test_a_name_cannot_stand_for_two_files_in_the_fingerprint(records: WorkspaceRecords, workspace: Path) -> None:
    (workspace / ".planact").mkdir()
    first, second = (workspace / ".planact" / name for name in ("a", "b"))
    first.write_text("1")
    second.write_text("2")
    both = records.fingerprint()
    first.unlink()
    second.rename(second.with_name(f"a {hashlib.sha256(b'1').hexdigest()}\nfile b"))
    assert records.fingerprint() != both


def test_the_fingerprint_does_not_change_with_what_planact_writes(records: WorkspaceRecords, workspace: Path) -> None:
    (workspace / ".planact").mkdir()
    (workspace / ".planact" / "config.toml").write_text("")
    before = records.fingerprint()
    records.put_execution(run("e1"))
    records.write("plans/a.json", "{}")
    records.write("sessions/s1.chat", "")
    assert records.fingerprint() == before


def test_a_linked_configuration_counts_by_what_it_holds(records: WorkspaceRecords, workspace: Path) -> None:
    outside = workspace.parent / "outside.toml"
    outside.write_text("a")
    (workspace / ".planact").mkdir()
    (workspace / ".planact" / "config.toml").symlink_to(outside)
    before = records.fingerprint()
    outside.write_text("b")
    assert before
    assert records.fingerprint() not in ("", before)


def test_a_fifo_and_a_link_to_itself_do_not_hold_up_the_fingerprint(records: WorkspaceRecords, workspace: Path) -> None:
    (workspace / ".planact").mkdir()
    os.mkfifo(workspace / ".planact" / "config.toml")
    (workspace / ".planact" / "roles").symlink_to("roles")
    (workspace / ".planact" / "loop").symlink_to(".")
    assert records.fingerprint() == records.fingerprint() != ""


def test_what_planact_writes_ends_no_trust_not_even_for_a_moment(
    records: WorkspaceRecords, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (workspace / ".planact").mkdir()
    (workspace / ".planact" / "config.toml").write_text("a = 1")
    before = records.fingerprint()
    seen: list[str] = []
    replace = os.replace

    def replaced(source: Path, target: Path) -> None:
        seen.append(records.fingerprint())
        replace(source, target)

    monkeypatch.setattr(os, "replace", replaced)
    records.write("sessions/s1.chat", "x")
    assert seen == [before, before]


def test_the_record_of_a_long_run_is_written_now_and_then_and_known_at_once(
    records: WorkspaceRecords, workspace: Path, reports: list[str]
) -> None:
    path = workspace / ".planact/executions/e1.json"
    written = []
    steps = tuple(StepRecord(step_number=number, action="a", status=StepStatus.DONE) for number in range(1, 1_001))
    other = WorkspaceRecords(workspace, FakeClock(), Redactor({}).text, reports.append)
    for count in range(1, 1_001):
        before = path.stat().st_ino if path.exists() else 0
        passing = run("e1").model_copy(update={"steps": steps[:count]})
        records.put_execution(passing, is_passing=True)
        written += [count] if path.stat().st_ino != before else []
        if count % 100 == 0:
            assert records.execution("e1") == passing
    assert written[:50] == list(range(1, 51))
    assert 100 < len(written) < 250, "the more steps, the seldomer"
    seen = other.execution("e1")
    assert seen is not None
    assert 980 <= len(seen.steps) <= 1_000
    ended = run("e1", status="success").model_copy(update={"steps": steps})
    records.put_execution(ended)
    assert records.execution("e1") == other.execution("e1") == ended


def test_secrets_stay_out_of_a_record_that_is_not_written_yet(workspace: Path) -> None:
    records = WorkspaceRecords(workspace, FakeClock(), lambda text: text.replace("hunter22", "[redacted]"), print)
    step = StepRecord(step_number=1, action="a", status=StepStatus.DONE, output="the key is hunter22")
    for count in range(50, 53):
        records.put_execution(run("e1").model_copy(update={"steps": (step,) * count}), is_passing=True)
    found = records.execution("e1")
    assert found is not None
    assert len(found.steps) == 52
    assert {each.output for each in found.steps} == {"the key is [redacted]"}


def test_the_disk_is_waited_for_at_the_end_of_a_run_and_not_at_each_step(
    records: WorkspaceRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    records.put_execution(run("e1"), is_passing=True)  # and the index
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    step = StepRecord(step_number=1, action="a", status=StepStatus.DONE)
    passing = run("e1").model_copy(update={"steps": (step,)})
    records.put_execution(passing, is_passing=True)
    assert not synced
    assert records.execution("e1") == passing
    records.put_execution(run("e1"))
    assert synced
