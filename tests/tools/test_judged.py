"""What was shown is what is done: a yes is to files as they were when they were shown, and to no others."""

from dataclasses import replace
from pathlib import Path

import pytest

from planact.model.question import Decision
from planact.tools.tool_result import Done, Failed, Refused
from tests.fakes.bench import ACT
from tests.tools.test_approval import ALWAYS, TWO_FILES, RuledBench, reviewing


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("update_file", {"path": "b.py", "edits": [{"old": "one", "new": "1", "replace_all": True}]}),
        ("update_file", {"patch": "*** Begin Patch\n*** Update File: b.py\n@@\n-one\n+1\n*** End Patch"}),
        ("update_file", {"patch": "*** Begin Patch\n*** Delete File: b.py\n*** End Patch"}),
        ("delete_file", {"path": "b.py"}),
        ("rename_file", {"path": "b.py", "new_path": "c.py"}),
    ],
)
def test_a_file_that_changes_while_the_user_is_asked_is_asked_about_again(
    tmp_path: Path, tool: str, arguments: dict[str, object]
) -> None:
    bench = RuledBench(tmp_path, ACT, "allow_once", "reject_once")
    bench.world.write("b.py", "one\n")

    def work() -> None:
        bench.listener.meanwhile = None
        bench.world.write("b.py", "one\nhours of one's work\n")

    bench.listener.meanwhile = work
    outcome = bench.run(tool, **arguments)
    assert isinstance(outcome, Refused)
    assert outcome.code == "REFUSED_BY_USER"
    assert bench.world.tree() == {"b.py": b"one\nhours of one's work\n"}
    assert len(bench.listener.asked) == 2
    shown = [bench.world.ports.journal.kept(edits[0].before) for edits in bench.listener.edits]
    assert shown == [b"one\n", b"one\nhours of one's work\n"]


def test_what_changes_whenever_it_is_asked_about_is_given_up(tmp_path: Path) -> None:
    bench = RuledBench(tmp_path, ACT, *["allow_once"] * 100)
    bench.world.write("b.py", "one\n")
    bench.listener.meanwhile = lambda: bench.world.write("b.py", bench.world.read("b.py") + "more\n")
    outcome = bench.run("update_file", path="b.py", edits=[{"old": "one", "new": "1"}])
    assert isinstance(outcome, Failed)
    assert (outcome.code, len(bench.listener.asked)) == ("EDIT_CONFLICT", 5)
    assert bench.world.read("b.py") == "one\n" + "more\n" * 5


def test_a_file_that_was_rejected_stays_though_the_rest_needs_no_yes_any_more(tmp_path: Path) -> None:
    bench = reviewing(tmp_path, Decision("allow_once", frozenset({"sub/b.py"})))

    def work_and_accept_all() -> None:
        bench.world.write("a.py", "one\nmore\n")
        bench.standing = replace(bench.standing, approval="acceptAll")

    bench.listener.meanwhile = work_and_accept_all
    outcome = bench.run("update_file", patch=TWO_FILES)
    assert isinstance(outcome, Done)
    assert "The user rejected the change of sub/b.py" in outcome.text
    assert (len(bench.listener.asked), bench.world.tree()) == (1, {"a.py": b"two\nmore\n"})


def test_an_answer_that_was_given_to_another_text_of_the_file_is_none(tmp_path: Path) -> None:
    bench = RuledBench(tmp_path, ACT, *["reject_once"] * 3)
    for text in ("one\n", "one\n", "one\nand more\n"):
        bench.world.write("b.py", text)
        bench.run("update_file", path="b.py", edits=[{"old": "one", "new": "1"}])
    assert [bench.listener.subjects.index(subject) for subject in bench.listener.subjects] == [0, 0, 2]


def test_an_edit_that_no_longer_fits_once_the_user_has_said_yes_is_not_made(tmp_path: Path) -> None:
    bench = RuledBench(tmp_path, ACT, ALWAYS)
    bench.world.write("b.py", "one\n")
    bench.listener.meanwhile = lambda: bench.world.write("b.py", "one one\n")
    outcome = bench.run("update_file", path="b.py", edits=[{"old": "one", "new": "1"}])
    assert isinstance(outcome, Failed)
    assert bench.world.tree() == {"b.py": b"one one\n"}
    assert bench.rules == ()
