"""What the user is asked about a call, and what comes of a yes for always."""

from dataclasses import replace
from pathlib import Path

import pytest

from planact.base.filetext import FileText
from planact.model.question import Decision, Question
from planact.model.rights.rule import AllowedCommand, AllowedPath, Rule
from planact.policy.context import PolicyContext
from planact.tools.tool_result import Done, Failed, Refused
from tests.fakes.bench import ACT, PLAN, Bench

ALWAYS = "always_allow"


class RuledBench(Bench):
    """Its standing has the rules that are kept, as that of a session does."""

    def __init__(self, root: Path, standing: PolicyContext, *answers: str) -> None:
        super().__init__(root, standing, *answers)

        def now() -> PolicyContext:
            return replace(self.standing, rules=frozenset(rule.allows for rule in self.rules))

        self.turn = replace(self.turn, policy_context=now)

    @property
    def rules(self) -> tuple[Rule, ...]:
        return tuple(self.world.ports.rules.list())

    @property
    def question(self) -> Question:
        return self.listener.asked[-1]


def values(question: Question) -> list[object]:
    return [option.value for option in question.options]


def test_always_makes_the_rule_that_was_shown_and_it_is_not_asked_again(tmp_path: Path) -> None:
    bench = RuledBench(tmp_path, ACT, ALWAYS, "reject_once")
    assert bench.run("create_file", path="b.py", content="1\n") == Done("created b.py")
    assert values(bench.question) == ["allow_once", ALWAYS, "reject_once", "reject_and_stop"]
    assert bench.question.options[1].description == "from now on, create b.py"
    (rule,) = bench.rules
    assert rule.allows == AllowedPath(action="create", path="b.py")
    (tmp_path / "b.py").unlink()
    assert bench.run("create_file", path="b.py", content="2\n") == Done("created b.py")
    assert isinstance(bench.run("create_file", path="c.py", content=""), Refused)
    bench.world.ports.rules.revoke(rule.id)
    (tmp_path / "b.py").unlink()
    bench.listener.answers = ["reject_once"]
    assert isinstance(bench.run("create_file", path="b.py", content="3\n"), Refused)
    assert len(bench.listener.asked) == 3


def test_a_file_that_the_step_names_is_asked_about_once_it_is_a_name_of_another(tmp_path: Path) -> None:
    (tmp_path / "ci.yml").write_text("safe\n")
    bench = RuledBench(tmp_path, replace(ACT, approval="acceptEdits"), "reject_once")
    (tmp_path / "a.py").unlink(missing_ok=True)
    (tmp_path / "a.py").hardlink_to(tmp_path / "ci.yml")
    assert isinstance(bench.run("read_file", path="a.py"), Done)
    edit = [{"old_text": "safe", "new_text": "changed"}]
    assert isinstance(bench.run("update_file", path="a.py", edits=edit), Refused)
    assert bench.question.question == "Change `a.py`? Further names of a.py (hard links) change with it."
    assert (tmp_path / "ci.yml").read_text() == "safe\n"


@pytest.mark.parametrize("answer", ["allow_once", "reject_once", "reject_and_stop", "", "ALWAYS_ALLOW"])
def test_no_other_answer_makes_a_rule(tmp_path: Path, answer: str) -> None:
    bench = RuledBench(tmp_path, ACT, answer)
    bench.run("create_file", path="b.py", content="")
    assert bench.rules == ()
    assert (tmp_path / "b.py").exists() == (answer == "allow_once")


def test_a_rule_in_plan_changes_nothing(tmp_path: Path) -> None:
    bench = RuledBench(tmp_path, PLAN)
    for allows in (AllowedPath(action="create", path="b.py"), AllowedCommand(command="touch b.py", directory=".")):
        bench.world.ports.rules.add(Rule(id=str(allows), created_at="", allows=allows))
    refused = [
        bench.run("create_file", path="b.py", content=""),
        bench.run("execute_command", command="touch b.py"),
    ]
    assert [outcome.code for outcome in refused] == ["TOOL_BLOCKED_BY_MODE"] * 2
    assert bench.world.tree() == {}


def test_always_is_not_offered_where_no_rule_can_be_made(tmp_path: Path) -> None:
    bench = RuledBench(tmp_path, ACT)
    bench.world.write(".env", "KEY=1\n")
    many = "".join(f"*** Add File: {number}.py\n+x\n" for number in range(6))
    for tool, arguments in (
        ("read_file", {"path": ".env"}),
        ("execute_command", {"command": "cat .env"}),
        ("execute_command", {"command": "login --password=Hunter2Hunter2"}),
        ("update_file", {"patch": f"*** Begin Patch\n{many}*** End Patch"}),
    ):
        bench.listener.answers = [ALWAYS]
        assert isinstance(bench.run(tool, **arguments), Refused), tool
        assert values(bench.question) == ["allow_once", "reject_once", "reject_and_stop"], tool
    assert bench.rules == ()


def test_a_yes_for_always_to_something_else_makes_no_rule(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    bench = RuledBench(tmp_path / "ws", ACT, ALWAYS, "reject_once")
    bench.world.write("sub/keep", "")
    (tmp_path / "ws/other").mkdir()

    def swap() -> None:
        bench.listener.meanwhile = None
        (tmp_path / "ws/sub").rename(tmp_path / "ws/kept")
        (tmp_path / "ws/sub").symlink_to(tmp_path / "ws/other")

    bench.listener.meanwhile = swap
    assert isinstance(bench.run("create_file", path="sub/x.py", content=""), Refused)
    asked = [question.options[1].description for question in bench.listener.asked]
    assert asked == ["from now on, create sub/x.py", "from now on, create other/x.py"]
    assert bench.rules == ()


def test_a_switch_to_plan_while_the_user_is_asked_makes_no_rule(tmp_path: Path) -> None:
    bench = RuledBench(tmp_path, ACT, ALWAYS)
    bench.listener.meanwhile = lambda: setattr(bench, "standing", PLAN)
    assert isinstance(bench.run("create_file", path="other.py", content="x"), Refused)
    assert bench.rules == ()


def test_an_answer_is_about_one_call_that_leads_to_one_place(tmp_path: Path) -> None:
    bench = RuledBench(tmp_path, ACT, *["reject_once"] * 6)
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    (tmp_path / "link").symlink_to("one")
    calls = [("link/x", "1"), ("link/x", "1"), ("link/x", "2"), ("one/x", "1")]
    for path, content in calls:
        bench.run("create_file", path=path, content=content)
    (tmp_path / "link").unlink()
    (tmp_path / "link").symlink_to("two")
    bench.run("create_file", path="link/x", content="1")
    assert [bench.listener.subjects.index(subject) for subject in bench.listener.subjects] == [0, 0, 2, 3, 4]


# --- what it would do


def test_an_edit_is_shown_as_the_difference_it_makes_in_what_the_user_sees(tmp_path: Path) -> None:
    bench = RuledBench(tmp_path, ACT, "reject_once")
    bench.world.write("b.py", "on disk\n")
    bench.world.editor.buffers["b.py"] = FileText("one\ntwo ```` \n", version=3)
    bench.run("update_file", path="b.py", edits=[{"old": "one", "new": "1\u202e\u2003"}])
    assert bench.question.context == (
        "`````diff\n--- b.py\n+++ b.py\n@@ -1,2 +1,2 @@\n-one\n+1\\u202e\\u2003\n two ```` \n`````"
    )
    assert bench.world.tree() == {"b.py": b"on disk\n"}
    assert bench.world.log("editor.apply", "journal.append") == [("journal.append", "call_refused")]
    assert bench.trace.read == {}


@pytest.mark.parametrize(
    ("tool", "arguments", "shown"),
    [
        ("create_file", {"path": "n", "content": "x\n"}, "--- /dev/null\n+++ n\n+x"),
        ("delete_file", {"path": "b"}, "--- b\n+++ /dev/null\n-x"),
        ("rename_file", {"path": "b", "new_path": "c"}, "rename from b\nrename to c"),
        ("make_directory", {"path": "d"}, "new folder d"),
    ],
)
def test_each_change_of_files_is_shown(tmp_path: Path, tool: str, arguments: dict[str, str], shown: str) -> None:
    bench = RuledBench(tmp_path, ACT, "reject_once")
    bench.world.write("b", "x\n")
    bench.run(tool, **arguments)
    assert bench.question.context == f"```diff\n{shown}\n```"


def test_an_edit_that_cannot_be_made_is_not_asked_about(tmp_path: Path) -> None:
    bench = RuledBench(tmp_path, ACT)
    bench.world.write("b.py", "one\n")
    outcome = bench.run("update_file", path="b.py", edits=[{"old": "three", "new": "3"}])
    assert isinstance(outcome, Failed)
    assert (outcome.code, bench.listener.asked, bench.world.events()) == ("EDIT_NOT_FOUND", [], ["tool_called"])


def test_a_command_is_shown_exactly_with_its_end_and_where_it_would_run(tmp_path: Path) -> None:
    bench = RuledBench(tmp_path, ACT, "reject_once", "reject_once")
    bench.world.write("sub/x", "")
    bench.run("execute_command", command="make  'a b'\x1b[8m", directory="sub")
    assert bench.question.context == "```\nin sub:\nmake  'a b'\\u001b[8m\n```"
    bench.run("execute_command", command=f"echo {'x' * 100_000}; rm important")
    assert bench.question.context.endswith("x; rm important\n```")
    assert f"\n[… {100_019 - 8_192} characters left out …]\n" in bench.question.context
    assert values(bench.question) == ["allow_once", "reject_once", "reject_and_stop"]


TWO_FILES = """*** Begin Patch
*** Update File: a.py
@@
-one
+two
*** Add File: sub/b.py
+new
*** End Patch"""


def reviewing(root: Path, *answers: str | Decision) -> Bench:
    bench = Bench(root, replace(ACT, approval="review", planned_files=frozenset({"a.py", "sub/b.py"})), *answers)
    bench.world.write("a.py", "one\n")
    return bench


def kept(bench: Bench) -> list[tuple[str, bytes | None, bytes | None]]:
    journal = bench.world.ports.journal
    return [
        (edit.path, *(journal.kept(each) if each else None for each in (edit.before, edit.after)))
        for edit in bench.listener.edits[-1]
    ]


def test_each_file_is_shown_before_and_after_though_nothing_has_changed_yet(tmp_path: Path) -> None:
    bench = reviewing(tmp_path, "reject_once")
    assert isinstance(bench.run("update_file", patch=TWO_FILES), Refused)
    assert kept(bench) == [("a.py", b"one\n", b"two\n"), ("sub/b.py", None, b"new\n")]
    assert bench.world.tree() == {"a.py": b"one\n"}


def test_of_several_files_some_are_changed_and_the_agent_hears_why_the_others_are_not(tmp_path: Path) -> None:
    bench = reviewing(tmp_path, Decision("allow_once", frozenset({"sub/b.py"}), "put it into a.py"))
    outcome = bench.run("update_file", patch=TWO_FILES)
    assert isinstance(outcome, Done)
    assert outcome.text == (
        "changed a.py\n[planact] The user rejected the change of sub/b.py, which was not made. "
        "They say: put it into a.py Don't repeat it. Find another way, or ask what they want."
    )
    assert bench.world.tree() == {"a.py": b"two\n"}
    entries = bench.world.store.journal.entries
    assert [entry.kind for entry in entries] == [
        *("call_started", "files_changing", "file_changed", "call_finished", "call_refused")
    ]
    assert [touch["path"] for touch in entries[1].data["touches"]] == ["a.py"]
    assert entries[-1].data["layer"] == "user"
    assert [done.about for done in bench.trace.calls] == ["a.py"]


@pytest.mark.parametrize(
    "decision",
    [
        Decision("allow_once", frozenset({"a.py", "sub/b.py"}), "not so"),
        Decision("reject_once", comment="not so"),
    ],
)
def test_a_call_of_which_nothing_is_left_is_refused_with_the_users_words(tmp_path: Path, decision: Decision) -> None:
    bench = reviewing(tmp_path, decision)
    outcome = bench.run("update_file", patch=TWO_FILES)
    assert isinstance(outcome, Refused)
    assert (outcome.code, outcome.message) == ("REFUSED_BY_USER", "The user said no to this call. They say: not so")
    assert bench.world.tree() == {"a.py": b"one\n"}
    assert "They say: not so" in outcome.for_model()


def test_a_file_that_moves_stays_where_it_is_when_either_end_is_rejected(tmp_path: Path) -> None:
    moving = """*** Begin Patch
*** Update File: a.py
*** Move to: c.py
@@
-one
+two
*** Add File: sub/b.py
+new
*** End Patch"""
    for path in ("a.py", "c.py"):
        root = tmp_path / path
        root.mkdir()
        bench = reviewing(root, Decision("allow_once", frozenset({path})))
        outcome = bench.run("update_file", patch=moving)
        assert isinstance(outcome, Done)
        assert "rejected the change of a.py, c.py, which" in outcome.text
        assert bench.world.tree() == {"a.py": b"one\n", "sub/b.py": b"new\n"}


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("create_file", {"path": "ok.py\n@@ -1 +1 @@\n-a\n+b", "content": "evil\n"}),
        ("create_file", {"path": "x\n+harmless/../b.py", "content": "evil\n"}),
        ("update_file", {"path": "old\x0b.py", "edits": [{"old": "a", "new": "b"}]}),
        ("rename_file", {"path": "a.py", "new_path": "b\u2028.py"}),
        ("make_directory", {"path": "d\r"}),
        ("delete_file", {"path": "old\x0b.py"}),
    ],
)
def test_no_name_draws_a_difference_of_its_own(tmp_path: Path, tool: str, arguments: dict[str, object]) -> None:
    bench = RuledBench(tmp_path, ACT)
    for name in ("a.py", "old\x0b.py"):
        bench.world.write(name, "a\n")
    before = bench.world.tree()
    outcome = bench.run(tool, **arguments)
    assert isinstance(outcome, Refused)
    assert (outcome.code, outcome.layer, bench.listener.asked) == ("PATH_PROTECTED", "policy", [])
    assert bench.world.tree() == before


# --- what is asked

PATCH = "*** Begin Patch\n{}*** End Patch"
UPDATE = "*** Update File: {0}\n@@\n-old\n+new\n"


@pytest.mark.parametrize(
    ("tool", "args", "asked"),
    [
        ("create_file", {"path": "src/__init__.py", "content": ""}, "Create `src/__init__.py`?"),
        ("delete_file", {"path": "a.py"}, "Delete `a.py`? Nothing is deleted without your yes."),
        ("rename_file", {"path": "a.py", "new_path": "z.py"}, "Rename `a.py` to `z.py`?"),
        ("create_file", {"path": "a\u202eb.py", "content": ""}, "Create `a\\u202eb.py`?"),
        ("make_directory", {"path": "docs"}, "Make the folder `docs`?"),
        ("update_file", {"path": "a.py", "edits": [{"old": "old", "new": "new"}]}, "Change `a.py`?"),
        (
            "update_file",
            {"patch": PATCH.format(UPDATE.format("a.py") + "*** Add File: n`w.py\n+x\n" + UPDATE.format("b.py"))},
            "Change `a.py` and `b.py` and create ``n`w.py``?",
        ),
        (
            "update_file",
            {"patch": PATCH.format("".join(UPDATE.format(f"{name}.py") for name in "abcde"))},
            "Change `a.py`, `b.py`, `c.py` and 2 more?",
        ),
        ("read_file", {"path": ".env"}, "Read `.env`? .env usually holds credentials."),
        ("execute_command", {"command": "make it"}, "Run `make it`?"),
        ("start_command", {"command": "make it"}, "Start `make it`?"),
        ("execute_command", {"command": "make it\nmake more"}, "Run this command?"),
        (
            "execute_command",
            {"command": "x `` [y](z) ``; z"},
            "Run ```x `` [y](z) ``; z```?",
        ),
    ],
)
def test_what_is_asked_begins_with_what_would_be_done_and_to_what(
    tmp_path: Path, tool: str, args: dict[str, object], asked: str
) -> None:
    for name in "abcde":
        (tmp_path / f"{name}.py").write_text("old\n")
    (tmp_path / ".env").write_text("")
    bench = Bench(tmp_path, replace(ACT, approval="ask", planned_files=frozenset()), "reject_once")
    bench.run(tool, **args)
    assert bench.listener.asked[-1].question.startswith(asked)
