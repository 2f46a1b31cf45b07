import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from planact.base.errors import PlanactError
from planact.model.notice import ToolNotice
from planact.model.question import DeclinedByUser
from planact.plan.ide.renames import Rename
from planact.workflows.history.lint_files import plans_in
from planact.workflows.plans.archive import delete_plan
from planact.workflows.plans.library import find_plan, list_plans, own_plans, pick_plan, read_document, refresh_derived
from planact.workflows.plans.rename import plans_to_change
from planact.workflows.runs.make_plan import make_plan
from planact.workflows.trust_folder import is_trusted, trust_folder
from tests.fakes.world import answer, call, calls
from tests.workflows.scene import PATH, PLAN, SAID, Scene

WRITE_PLAN = calls(call("write_plan", goal="Mend it", steps=[{"action": "Mend it"}]))


def refused(job: Callable[[], object]) -> str:
    with pytest.raises(PlanactError) as failure:
        job()
    return failure.value.code


def with_id(plan_id: str) -> str:
    return PLAN.replace("plan_20261120_aaaa", plan_id)


# --- finding


def test_a_plan_is_found_by_its_id_or_the_end_of_it(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    it.write_plan()
    it.write_plan(with_id("plan_20261120_bbbb"), "docs/other.plan")
    for name in ("plan_20261120_bbbb", "bbbb", "20261120_bbbb"):
        assert find_plan(it.ws, name).path == "docs/other.plan"


@pytest.mark.parametrize("rule", [".planact/", ".planact/*", ".*", "*.plan", "plans/", "*"])
def test_planacts_own_plans_are_found_where_git_ignores_them(tmp_path: Path, rule: str) -> None:
    it = Scene(tmp_path)
    it.write_plan()
    it.write_plan(with_id("plan_20261120_bbbb"), "build/other.plan")
    it.world.write(".gitignore", f"{rule}\nbuild/\n")
    assert [plan.path for plan in list_plans(it.ws)] == [PATH]
    assert [plan.path for plan in own_plans(it.ws)] == [PATH]
    assert pick_plan(it.ws, "").path == find_plan(it.ws, "aaaa").path == PATH
    assert plans_in(it.ws, ["."]) == plans_in(it.ws, [".planact"]) == (PATH,)
    assert [change.document.path for change in plans_to_change(it.ws, [Rename("a.txt", "c.txt")])] == [PATH]


@pytest.mark.parametrize("name", ["", "cccc", "20261120_", "plan_"])
def test_what_is_no_end_of_an_id_finds_nothing(tmp_path: Path, name: str) -> None:
    it = Scene(tmp_path)
    it.write_plan()
    it.write_plan(PLAN.replace("id: plan_20261120_aaaa\n", ""), "no-id.plan")
    assert refused(lambda: find_plan(it.ws, name)) == "PLAN_NOT_FOUND"


@pytest.mark.parametrize("other", ["plan_20261120_aaaa", "aaaa", "x_plan_20261120_aaaa"])
def test_a_plan_that_passes_for_another_is_not_taken_for_it(tmp_path: Path, other: str) -> None:
    it = Scene(tmp_path)
    it.write_plan()
    it.write_plan(with_id(other), "hostile.plan")
    assert refused(lambda: find_plan(it.ws, "aaaa")) == "PLAN_INVALID"


def test_what_can_not_be_read_is_left_out_of_the_list(tmp_path: Path) -> None:
    it = Scene(tmp_path / "ws")
    it.write_plan()
    it.world.write("wish.plan", "Only words.\n")
    (tmp_path / "ws/binary.plan").write_bytes(b"# A\0\n## Steps\n- [ ] 1. x\n")
    (tmp_path / "ws/folder.plan").mkdir()
    (tmp_path / "elsewhere.plan").write_text(PLAN)
    (tmp_path / "ws/link.plan").symlink_to(tmp_path / "elsewhere.plan")
    (tmp_path / "ws/loop.plan").symlink_to(tmp_path / "ws/loop.plan")
    it.world.write("source.py", PLAN)
    (tmp_path / "ws/source.plan").symlink_to("source.py")
    with (tmp_path / "ws/huge.plan").open("wb") as huge:
        huge.truncate(200_000_000)
    assert [plan.path for plan in list_plans(it.ws)] == [PATH]


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("../elsewhere.plan", "PATH_OUTSIDE_WORKSPACE"),
        ("source.py", "PLAN_INVALID"),
        ("no.plan", "PLAN_NOT_FOUND"),
        ("a\0.plan", "PATH_OUTSIDE_WORKSPACE"),
    ],
)
def test_a_document_is_a_plan_file_in_the_workspace(tmp_path: Path, path: str, code: str) -> None:
    it = Scene(tmp_path / "ws")
    it.world.write("source.py", PLAN)
    (tmp_path / "elsewhere.plan").write_text(PLAN)
    assert refused(lambda: read_document(it.ws, path)) == code


# --- what is derived


def make(it: Scene) -> str:
    taken = asyncio.run(make_plan(it.ws, it.session_id, "mend it"))
    return taken.written.path if taken.written else ""


def test_the_json_form_and_the_index_follow_the_document(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    it.write_plan()
    asyncio.run(it.approve())
    beside = json.loads(it.world.read(f"{PATH[:-5]}.json"))
    index = json.loads(it.world.read(".planact/plans/index.json"))
    assert (beside["goal"], beside["type"], beside["status"]) == ("Greet", "plan", "approved")
    assert [(row["path"], row["status"]) for row in index["plans"]] == [(PATH, "approved")]


def test_a_plan_outside_the_plans_directory_has_nothing_beside_it(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    it.write_plan(path="docs/a.plan")
    from planact.workflows.plans.approve import approve_plan

    asyncio.run(approve_plan(it.ws, it.session_id, it.document("docs/a.plan")))
    assert list(it.world.tree()) == ["docs/a.plan"]


def test_a_link_has_planact_write_over_no_other_file(tmp_path: Path) -> None:
    it = Scene(tmp_path, WRITE_PLAN, SAID)
    it.world.write("src/app.py", "x = 1\n")
    (tmp_path / ".planact/plans").mkdir(parents=True)
    (tmp_path / ".planact/plans/index.json").symlink_to("../../src/app.py")
    path = make(it)
    assert path in it.world.tree()
    assert it.world.read("src/app.py") == "x = 1\n"
    assert "EDIT_REFUSED" in [notice.code for notice in it.world.editor.notices if isinstance(notice, ToolNotice)]


@pytest.mark.parametrize("target", ["../src", "../../outside"])
def test_a_plans_directory_that_leads_elsewhere_is_not_used(tmp_path: Path, target: str) -> None:
    it = Scene(tmp_path / "ws", WRITE_PLAN, SAID)
    it.world.write("src/index.json", '{"mine": 1}')
    (tmp_path / "outside").mkdir()
    (tmp_path / "ws/.planact").mkdir()
    (tmp_path / "ws/.planact/plans").symlink_to(target)
    before = it.world.tree()
    assert make(it) == ""
    assert it.world.tree() == before
    assert list((tmp_path / "outside").iterdir()) == []
    assert "a link leads from" in it.said_last()


def test_a_file_that_is_not_planacts_stays_as_it_is(tmp_path: Path) -> None:
    it = Scene(tmp_path, WRITE_PLAN, SAID)
    it.world.write(".planact/plans/index.json", '{"mine": true}')
    path = make(it)
    assert it.world.read(".planact/plans/index.json") == '{"mine": true}'
    for _ in range(3):
        refresh_derived(it.ws, read_document(it.ws, path))
    told = [notice.text for notice in it.world.editor.notices if isinstance(notice, ToolNotice) and notice.code]
    assert told == [".planact/plans/index.json is none of planact's files and stays as it is"]


def test_a_damaged_index_costs_no_plan(tmp_path: Path) -> None:
    it = Scene(tmp_path, WRITE_PLAN, SAID)
    with_trash = tmp_path / ".planact/plans"
    with_trash.mkdir(parents=True)
    (with_trash / "index.json").write_bytes(b"\xff\xfe{" * 100)
    assert make(it) in it.world.tree()


# --- deleting, trusting


def test_a_plan_is_deleted_with_all_that_hangs_on_it_after_a_yes(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    it.write_plan()
    asyncio.run(it.approve())
    it.answers(answer(delete=True))
    asyncio.run(delete_plan(it.ws, it.session_id, it.document()))
    assert list(it.world.tree()) == [".planact/plans/index.json"]
    assert it.ws.ports.approvals.find(PATH) is None


def test_a_link_beside_a_plan_has_no_other_file_deleted(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    it.write_plan()
    it.world.write("src/app.json", '{"type": "plan"}')
    (tmp_path / f"{PATH[:-5]}.json").symlink_to("../../src/app.json")
    asyncio.run(delete_plan(it.ws, it.session_id, it.document(), is_confirmed=True))
    assert PATH not in it.world.tree()
    assert it.world.read("src/app.json") == '{"type": "plan"}'


@pytest.mark.parametrize("shown", [answer(delete=False), DeclinedByUser()])
def test_a_plan_is_not_deleted_without_a_yes(tmp_path: Path, shown: object) -> None:
    it = Scene(tmp_path)
    it.write_plan()
    it.answers(shown)  # type: ignore[arg-type]
    assert refused(lambda: asyncio.run(delete_plan(it.ws, it.session_id, it.document()))) == "NOT_CONFIRMED"
    assert PATH in it.world.tree()


def test_trust_is_bound_to_what_the_folder_said_then(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    assert is_trusted(it.ws)
    assert trust_folder(it.ws) == ""
    it.world.store.records.config_fingerprint = "one"
    assert not is_trusted(it.ws)
    assert trust_folder(it.ws) == "one"
    assert is_trusted(it.ws)
    it.world.store.records.config_fingerprint = "two"
    assert not is_trusted(it.ws)
    assert refused(lambda: trust_folder(it.ws, "one")) == "TRUST_OUTDATED"
    assert not is_trusted(it.ws)
    assert trust_folder(it.ws, "two") == "two"
    assert is_trusted(it.ws)
