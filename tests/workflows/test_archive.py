import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from planact.base.filetext import decode_text
from planact.model.settings import Settings
from planact.plan.syntax.parser import parse
from planact.workflows.plans.approve import approve_text
from planact.workflows.plans.archive import archive_plans
from planact.workflows.plans.library import list_plans, read_document
from planact.workflows.plans.revisions import propose_revision
from tests.workflows.scene import Scene

FOLDER = ".planact/plans"
TEXT = """---
format_version: "1.0"
id: plan_20261120_{0}
status: done
created: 2026-11-{1:02}T10:00:00Z
---
# Greet {0}

## Steps
- [x] 1. Write the greeting
  - reason: nobody is greeted
"""


def path_of(name: str) -> str:
    return f"{FOLDER}/{name}.plan"


def with_plans(tmp_path: Path, count: int, keep: int) -> Scene:
    """So many finished plans of planact's own, the first the oldest."""
    it = Scene(tmp_path, settings=Settings.model_validate({"model": "played", "history": {"plans": keep}}))
    for number in range(count):
        name = "abcdefgh"[number]
        it.write_plan(TEXT.format(name * 4, number + 1), path_of(name))
        document = read_document(it.ws, path_of(name))
        propose_revision(it.ws, document, document.file.text)
        asyncio.run(approve_text(it.ws, it.session_id, document))
    return it


def left(it: Scene) -> list[str]:
    return sorted(Path(path).stem for path in asyncio.run(archive_plans(it.ws)))


def test_what_is_too_much_leaves_the_oldest_first(tmp_path: Path) -> None:
    it = with_plans(tmp_path, 5, keep=3)
    before = it.world.tree()
    assert left(it) == ["a", "b"]
    assert [summary.path for summary in list_plans(it.ws)] == [path_of(name) for name in "edc"]
    assert it.world.tree()[".planact/archive/a.plan"] == before[path_of("a")]
    assert left(it) == []


def test_a_plan_whose_text_in_the_editor_is_not_known_stays_and_holds_up_no_other(tmp_path: Path) -> None:
    it = with_plans(tmp_path, 5, keep=3)
    it.world.editor.unreadable.add(path_of("b"))
    assert left(it) == ["a"]


def edit(it: Scene) -> None:
    it.world.write(path_of("a"), it.world.read(path_of("a")).replace("nobody", "somebody"))


def write_by_hand(it: Scene) -> None:
    text = TEXT.format("mine", 1)
    it.world.write(path_of("a"), text)
    asyncio.run(approve_text(it.ws, it.session_id, read_document(it.ws, path_of("a"))))


def open_in_editor(it: Scene) -> None:
    file = decode_text(it.world.read(path_of("a")).encode())
    assert file is not None
    it.world.editor.buffers[path_of("a")] = file


KEEPS: dict[str, Callable[[Scene], object]] = {
    "edited": edit,
    "written by hand": write_by_hand,
    "open in the editor": open_in_editor,
    "pinned": lambda it: it.ws.ports.revisions.pin(path_of("a"), is_pinned=True),
    "never approved": lambda it: it.ws.ports.approvals.withdraw(path_of("a")),
    "running": lambda it: it.ws.ports.lock.acquire(f"{path_of('a')}: Greet"),
    "not done": lambda it: it.world.write(path_of("a"), it.world.read(path_of("a")).replace("done", "partial")),
    "something in the way": lambda it: it.world.write(".planact/archive/a.plan", "other"),
}


@pytest.mark.parametrize("keep", KEEPS.values(), ids=KEEPS)
def test_what_a_person_has_a_hand_in_or_could_resume_stays(tmp_path: Path, keep: Callable[[Scene], object]) -> None:
    it = with_plans(tmp_path, 3, keep=1)
    keep(it)
    before = it.world.read(path_of("a"))
    assert left(it) == ["b"]
    assert it.world.read(path_of("a")) == before


def test_marks_and_status_are_no_edits(tmp_path: Path) -> None:
    it = with_plans(tmp_path, 2, keep=1)
    text = it.world.read(path_of("a"))
    assert parse(text).steps
    assert left(it) == ["a"]
