"""Whether plans still fit: what they rest on, what counts as changed, what is asked before a run and each step."""

import asyncio
import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from planact.base.errors import Conflict
from planact.base.filetext import FileText
from planact.model.chat.message import ModelRequest, Reply
from planact.model.plan import ContextFile
from planact.model.question import NobodyThere, Shown
from planact.model.rights.permission import Mode
from planact.model.settings import LimitSettings, Settings
from planact.plan.lint_context import ChangedFile, FileFact
from planact.workflows.history.check_freshness import stale_files
from planact.workflows.history.explain_plan import file_fact
from planact.workflows.plans.show_changes import show_changes
from planact.workflows.runs.execute import Confirmation
from planact.workflows.runs.make_plan import make_plan
from planact.workflows.runs.revise_plan import revise_plan
from tests.fakes.world import Turn, answer, call, calls
from tests.workflows.scene import BOTH_STEPS, EXECUTE, PATH, PLAN, SAID, WRITE_A, WRITE_B, Scene

ASK, BY_FLAG = Confirmation.UNLESS_APPROVED, Confirmation.BY_FLAG

CHECKED = "\n  - check: `test -f b.txt`"


def of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def resting_on(**files: str) -> str:
    """The plan of two steps, with fingerprints of these texts; names have `_` for the dot."""
    lines = "".join(f'  - {{path: {name.replace("_", ".")}, sha256: "{text}"}}\n' for name, text in files.items())
    return PLAN.replace("---\n#", f"context:\n{lines}---\n#")


def scene(root: Path, *turns: Turn, text: str = PLAN, settings: Settings | None = None) -> Scene:
    made = Scene(root, *turns, settings=settings)
    made.write_plan(text)
    return made


def changes(it: Scene) -> list[tuple[str, str]]:
    return [(file.path, file.what) for file in stale_files(it.ws, it.document().complete())]


# --- what a plan rests on


def planning(root: Path, *before: Turn, files: tuple[str, ...] = ("a.txt", "sub/new.txt", "../x", "src/*")) -> Scene:
    steps = [{"action": "Mend it", "reason": "broken", "files": list(files)}]
    it = Scene(root, *before, calls(call("write_plan", goal="Mend", steps=steps)), SAID)
    it.world.write("a.txt", "one\n")
    it.world.write("b.txt", "not named\n")
    return it


READ = calls(call("read_file", "1", path="a.txt"), call("read_file", "2", path="b.txt"))


def context_of(it: Scene, request: str = "mend it") -> tuple[ContextFile, ...]:
    taken = asyncio.run(make_plan(it.ws, it.session_id, request))
    assert taken.written
    return taken.written.complete().context


def test_a_plan_rests_on_what_was_read_and_is_named_and_on_what_is_not_there_yet(tmp_path: Path) -> None:
    assert context_of(planning(tmp_path, READ)) == (
        ContextFile(path="a.txt", sha256=of("one\n")),
        ContextFile(path="sub/new.txt", sha256=""),
    )


def test_what_is_read_from_an_editor_is_what_the_plan_rests_on_saved_or_not(tmp_path: Path) -> None:
    it = planning(tmp_path, READ)
    it.world.editor.buffers["a.txt"] = FileText("unsaved\n", sha256=of("one\n"))
    assert context_of(it)[0] == ContextFile(path="a.txt", sha256=of("unsaved\n"))
    it.world.editor.buffers.clear()
    it.world.write("a.txt", "unsaved\n")
    it.write_plan(it.document(it.session.plan_file).file.text)
    assert changes(it) == []


def test_a_revision_forgets_what_is_gone_and_not_named_any_more(tmp_path: Path) -> None:
    steps = [{"action": "Mend it", "reason": "broken", "files": ["b.txt"]}]
    revision = (calls(call("read_file", path="b.txt")), calls(call("write_plan", goal="Mend", steps=steps)), SAID)
    it = planning(tmp_path, READ)
    it.world.model.turns += revision
    context_of(it)
    (tmp_path / "a.txt").unlink()
    taken = asyncio.run(revise_plan(it.ws, it.session_id, it.session.plan_file, "a.txt is gone"))
    assert taken.written
    assert taken.written.complete().context == (ContextFile(path="b.txt", sha256=of("not named\n")),)


# --- what counts as changed


def test_changed_deleted_created_and_unreadable_files_count_and_others_do_not(tmp_path: Path) -> None:
    text = resting_on(c_txt=of("c"), d_txt=of("d"), e_txt="", f_txt="", g_txt=of("g"), h_txt="")
    it = scene(tmp_path, text=text, settings=Settings(model="played", limits=LimitSettings(file_bytes=1024)))
    for name, now in {"c": "other", "e": "there", "g": "g"}.items():
        it.world.write(f"{name}.txt", now)
    it.world.write("h.txt", "x" * 2000)
    assert changes(it) == [("c.txt", "changed"), ("d.txt", "deleted"), ("e.txt", "created"), ("h.txt", "created")]
    facts = [file_fact(it.ws, it.document().tree, f"{name}.txt") for name in "cga"]
    assert facts == [FileFact("file", 5, True), FileFact("file", 1, False), FileFact()]


def test_text_that_is_not_saved_counts_as_what_the_agent_would_see(tmp_path: Path) -> None:
    it = scene(tmp_path, text=resting_on(c_txt=of("c"), d_txt=of("d")))
    it.world.write("c.txt", "c")
    it.world.write("d.txt", "other")
    it.world.editor.buffers["c.txt"] = FileText("typed", sha256=of("c"))
    it.world.editor.buffers["d.txt"] = FileText("d", sha256=of("other"))
    assert changes(it) == [("c.txt", "changed")]


def test_nothing_outside_the_workspace_is_hashed(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "secret").write_text("s")
    (root / "link").symlink_to(tmp_path / "secret")
    listed = "".join(f"  - {{path: {path}, sha256: {of('s')}}}\n" for path in ("../secret", "link"))
    it = scene(root, text=PLAN.replace("---\n#", f"context:\n{listed}---\n#"))
    assert [file.now for file in stale_files(it.ws, it.document().complete())] == ["", ""]


# --- what is shown


def test_the_difference_to_what_planning_read_is_shown_where_it_is_known(tmp_path: Path) -> None:
    it = planning(tmp_path, READ)
    context_of(it)
    it.world.write("a.txt", "two\n")
    it.world.write("sub/new.txt", "new\n")
    changed = stale_files(it.ws, it.document(it.session.plan_file).complete())
    assert show_changes(it.ws, changed) == (
        "--- a.txt (planning)\n+++ a.txt (now)\n@@ -1 +1 @@\n-one\n+two\n"
        "--- sub/new.txt (planning)\n+++ sub/new.txt (now)\n@@ -0,0 +1 @@\n+new\n"
    )


@pytest.mark.parametrize(
    ("file", "now", "shown"),
    [
        (ChangedFile("a.txt", of("?"), of("b")), b"b", "a.txt: changed; what it said before is not known (sha256 "),
        (ChangedFile(".env", "", of("KEY=1")), b"KEY=1", ".env: created; what is in it is not shown\n"),
        (ChangedFile("a.bin", "", of("x")), b"\0\1\2", "a.bin: created; it is no text, or too large to compare here\n"),
        (ChangedFile("a.txt", "", of("x")), b"x\n" * 200_000, "a.txt: created; it is no text, or too large"),
        (ChangedFile("../a", "", ""), b"", "../a: created; what is in it is not shown\n"),
        (ChangedFile("a.txt", "", of("")), b"", "a.txt: created; it is empty\n"),
    ],
)
def test_what_is_not_known_or_not_to_be_seen_is_said_to_be(
    tmp_path: Path, file: ChangedFile, now: bytes, shown: str
) -> None:
    it = scene(tmp_path / "root")
    (tmp_path / "root" / file.path).write_bytes(now)
    assert show_changes(it.ws, [file]).startswith(shown)


def test_a_long_difference_is_cut_and_says_so(tmp_path: Path) -> None:
    it = scene(tmp_path)
    for name in "ab":
        it.world.write(f"{name}.txt", "a line of some length\n" * 3_000)
    shown = show_changes(it.ws, [ChangedFile(f"{name}.txt", "", "x") for name in "ab"])
    assert len(shown) < 21_000
    assert [part.count("\n+") > 400 for part in shown.split("--- ")] == [False, True, True]
    assert shown.count("(cut here: ") == 2
    many = show_changes(it.ws, [ChangedFile(f"{number}.txt", "", "x") for number in range(2_000)])
    assert len(many) < 21_000
    assert many.endswith("more files changed)\n")


def test_a_long_difference_hides_no_short_one(tmp_path: Path) -> None:
    it = scene(tmp_path)
    it.world.write("long.txt", "a line of some length\n" * 3_000)
    it.world.write("short.txt", "short\n")
    shown = show_changes(it.ws, [ChangedFile(f"{name}.txt", "", "x") for name in ("long", "short")])
    assert shown.count("\n+a line") > 800
    assert "\n(cut here: " in shown
    assert shown.endswith("+++ short.txt (now)\n@@ -0,0 +1 @@\n+short\n")


# --- before a run

STALE = resting_on(c_txt=of("as read"))
REVISED = calls(
    call("read_file", path="c.txt"),
    call("write_plan", goal="Greet anew", steps=[{"action": "Do it", "reason": "so", "files": ["c.txt"]}]),
)
LEFT = answer(stale="cancel")
PLANNED_ANEW = answer(stale="replan")


def stale(root: Path, *turns: Turn) -> Scene:
    it = scene(root, *turns, text=STALE)
    it.world.write("c.txt", "changed")
    return it


def conflict_of(job: Callable[[], object]) -> Conflict:
    with pytest.raises(Conflict) as failure:
        job()
    return failure.value


def test_before_a_run_four_things_can_be_done(tmp_path: Path) -> None:
    it = stale(tmp_path)
    it.answers(LEFT)
    assert conflict_of(lambda: it.execute(ASK)).code == "NOT_CONFIRMED"
    (asked,) = it.asked
    assert [option.value for option in asked.questions[0].options] == ["replan", "go_on", "show_changes", "cancel"]
    assert asked.confirms(PATH)
    assert it.session.mode is Mode.PLAN


def test_show_changes_shows_them_and_asks_again(tmp_path: Path) -> None:
    it = stale(tmp_path, *BOTH_STEPS)
    it.ws.ports.journal.keep(b"as read")
    it.answers(answer(stale="show_changes"), answer(stale="go_on"), EXECUTE)
    assert it.execute(ASK).status == "success"
    again = it.asked[1].questions[0]
    assert [option.value for option in again.options] == ["replan", "go_on", "cancel"]
    assert "-as read" in again.context
    assert "+changed" in again.context


def test_replan_instead_of_a_run_is_a_revision_in_plan(tmp_path: Path) -> None:
    it = stale(tmp_path, REVISED, SAID)
    asyncio.run(it.approve())
    it.answers(PLANNED_ANEW)
    failure = conflict_of(lambda: it.execute(ASK))
    assert (failure.code, failure.message) == ("NOT_CONFIRMED", f"{PATH} was revised and not executed")
    assert it.session.mode is Mode.PLAN
    assert it.document().complete().goal == "Greet anew"
    assert changes(it) == []
    assert it.ws.ports.approvals.find(PATH) is None
    assert "c.txt (changed)" in str(it.world.model.requests[0].messages[-1]["content"])


def test_what_changes_while_the_user_is_asked_is_asked_about_too(tmp_path: Path) -> None:
    it = stale(tmp_path, *BOTH_STEPS)

    class Meddling(list[Shown]):
        def pop(self, index: int = -1) -> Shown:  # type: ignore[override]
            it.world.write("c.txt", f"changed {len(self)}")
            return super().pop(index)

    go_on = answer(stale="go_on")
    it.world.editor.answers = Meddling([go_on, go_on, LEFT])
    assert conflict_of(lambda: it.execute(ASK)).code == "NOT_CONFIRMED"
    assert len(it.asked) == 3


# --- before each step


def meddling(it: Scene, path: str, text: str, reply: Reply) -> Turn:
    """A turn in which the user changes a file while the model thinks."""

    def turn(_: ModelRequest) -> Reply:
        it.world.write(path, text)
        return reply

    return turn


def started(root: Path, changed: str, *shown: Shown, then: tuple[Turn, ...] = (WRITE_B, SAID)) -> Scene:
    """A run in whose first step the user changes a file."""
    text = resting_on(c_txt=of("c"), b_txt="").replace("files: b.txt", f"files: b.txt, d.txt{CHECKED}")
    it = scene(root, text=text)
    it.world.write("c.txt", "c")
    it.world.write("d.txt", "d")
    it.world.model.turns = [meddling(it, changed, "mine", WRITE_A), SAID, *then]
    it.answers(EXECUTE, *shown)
    return it


@pytest.mark.parametrize("changed", ["c.txt", "b.txt", "d.txt"])
def test_what_the_user_changed_meanwhile_is_asked_about_before_the_step(tmp_path: Path, changed: str) -> None:
    it = started(tmp_path, changed, LEFT)
    execution = it.execute(ASK)
    assert (execution.status, execution.reason) == ("paused", "files changed before step 2")
    assert it.asked[1].questions[0].question.startswith(f"Files that the plan rests on have changed since: {changed}.")
    assert (it.marks(), it.status(), it.world.read(changed)) == ("x ", "paused", "mine")
    assert [record.step_number for record in execution.steps] == [1]
    assert it.world.events().count("plan_stale") == 1


def test_going_on_is_asked_once(tmp_path: Path) -> None:
    it = started(tmp_path, "d.txt", answer(stale="go_on"))
    assert it.execute(ASK).status == "success"
    assert len(it.asked) == 2


def test_replan_in_a_run_pauses_it_and_revises_in_plan(tmp_path: Path) -> None:
    it = started(tmp_path, "c.txt", PLANNED_ANEW, then=(REVISED, SAID))
    execution = it.execute(ASK)
    assert (execution.status, it.session.mode) == ("paused", Mode.PLAN)
    assert it.document().complete().goal == "Greet anew"
    assert it.ws.ports.lock.holder() == ""
    assert not it.ws.running


def test_a_run_that_may_not_ask_pauses_and_says_why(tmp_path: Path) -> None:
    it = started(tmp_path, "c.txt")
    failure = conflict_of(lambda: it.execute(BY_FLAG))
    assert (failure.code, failure.message) == ("PLAN_STALE", "changed since planning: c.txt")
    [execution] = it.ws.ports.records.executions()
    assert (execution.status, it.marks(), it.status()) == ("paused", "x ", "paused")
    assert it.asked == []


def test_a_question_that_nobody_answers_pauses_the_run_and_counts_when_it_is_answered(tmp_path: Path) -> None:
    it = started(tmp_path, "c.txt", NobodyThere())
    assert it.execute(ASK).status == "paused"
    (waiting,) = it.ws.questions.open()
    it.ws.questions.answer(waiting.id, {"stale": "go_on"})
    assert it.execute(ASK).status == "success"


def test_what_commands_of_the_run_do_to_files_is_its_own(tmp_path: Path) -> None:
    text = resting_on(c_txt=of("c")).replace("`grep -q hello a.txt`", "`sed -i s/c/formatted/ c.txt`")
    it = scene(tmp_path, *BOTH_STEPS, text=text.replace("files: b.txt", f"files: b.txt, c.txt{CHECKED}"))
    it.world.write("c.txt", "c")
    assert it.execute(BY_FLAG).status == "success"
    assert it.world.read("c.txt") == "formatted"
    assert changes(it) == []
    it.world.write("c.txt", "mine")
    assert changes(it) == [("c.txt", "changed")]
