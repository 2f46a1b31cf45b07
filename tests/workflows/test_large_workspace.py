"""A workspace of many files costs no more than what is asked of it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from planact.app.compose import App
from planact.plan.syntax.parser import parse
from planact.workflows.history.explain_plan import last_records, steps_that_changed
from planact.workflows.plans.library import list_plans, read_document, refresh_derived
from planact.workflows.workspace import Workspace
from tests.bench.states import Use, looped, many_files, plan_path, plan_text, run_id, use_for_a_year
from tests.fakes.store import MemoryStore
from tests.fakes.world import ENVIRONMENT, FakeEditor

LISTED: list[str] = []
"""Folders that were listed; a hook of the interpreter can't be taken away again."""

OPENED: list[str] = []
"""Files that were opened."""


def _note(event: str, arguments: tuple[object, ...]) -> None:
    if event in ("os.scandir", "os.listdir"):
        folder = arguments[0]
        LISTED.append(str(Path(f"/proc/self/fd/{folder}").readlink() if isinstance(folder, int) else folder))
    elif event == "open":
        OPENED.append(str(arguments[0]))


sys.addaudithook(_note)


@contextmanager
def listed() -> Iterator[list[str]]:
    begin = len(LISTED)
    found: list[str] = []
    yield found
    found += LISTED[begin:]


@pytest.fixture
def ws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    root = tmp_path / "work"
    many_files(root, 200, per_folder=10)
    looped(root)
    (root / "own.plan").write_text(plan_text(2))
    for number in range(2):
        path = root / plan_path(number)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(plan_text(number))
    app = App(ENVIRONMENT, tmp_path / "home", lambda _root, files, _apply: FakeEditor(files, MemoryStore()), {})  # type: ignore[arg-type]
    yield app.workspace(root)
    app.state.checkpoint()


def test_nothing_of_a_workspace_is_listed_at_start(ws: Workspace) -> None:
    root = str(ws.ports.files.root)
    with listed() as folders:
        assert ws.questions.open() == ()
        assert ws.ports.sessions.list() == ()
    assert [folder for folder in folders if folder.startswith(root)] == []


def test_each_folder_is_listed_once_to_find_all_plans_and_links_lead_nowhere(ws: Workspace) -> None:
    with listed() as folders:
        plans = list_plans(ws)
    assert sorted(plan.path for plan in plans) == [plan_path(0), plan_path(1), "own.plan"]
    own = str(ws.ports.files.root / ".planact/plans")  # by itself, too, since git may ignore it
    assert sorted(folders) == sorted([*set(folders), own])
    assert not any(name in folder for folder in folders for name in ("/up", "/here", "/self", ".git/"))


def test_what_is_derived_from_a_plan_is_written_without_looking_through_the_workspace(ws: Workspace) -> None:
    document = read_document(ws, plan_path(0))
    with listed() as folders:
        refresh_derived(ws, document)
    assert {folder.removeprefix(f"{ws.ports.files.root}/") for folder in folders} <= {".planact/plans"}
    assert (ws.ports.files.root / ".planact/plans/index.json").read_text().count('"id"') == 2


@pytest.mark.parametrize("runs", [3, 60])
def test_what_is_shown_in_a_plan_that_was_run_often_comes_from_its_last_runs(ws: Workspace, runs: int) -> None:
    use_for_a_year(ws.ports.files.root, Use(plans=1, sessions=1, messages=0, runs=runs, events=0, questions=0, steps=2))
    path = plan_path(0)
    tree = parse(plan_text(0))
    shown = replace(tree, steps=tuple(tree.steps[:2]))
    begin = len(OPENED)
    done = last_records(ws, path, shown)
    changed, restorable = steps_that_changed(ws, path, {1, 2})
    read = [name for name in OPENED[begin:] if "/executions/" in name]
    assert (done.keys(), changed, restorable) == ({1, 2}, {1, 2}, {1, 2})
    assert len(read) == 1


def test_an_older_run_tells_what_the_last_ones_do_not(ws: Workspace) -> None:
    use_for_a_year(ws.ports.files.root, Use(plans=1, sessions=1, messages=0, runs=3, events=0, questions=0, steps=2))
    newest = ws.ports.records.execution(run_id(2))
    assert newest is not None
    ws.ports.records.put_execution(newest.model_copy(update={"steps": newest.steps[1:]}))
    assert steps_that_changed(ws, plan_path(0), {1, 2}) == ({1, 2}, {1, 2})
    assert steps_that_changed(ws, plan_path(0), {1, 2, 3}) == ({1, 2}, {1, 2})
