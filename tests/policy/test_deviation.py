"""Where edits pass, a step that goes far beyond its own files is asked about, once."""

from dataclasses import replace
from pathlib import PurePosixPath

import pytest

from planact.model.rights.permission import Mode, Permission
from planact.policy.context import Allow, Ask, PlacedEffect, PolicyContext, Request
from planact.policy.decide import decide
from planact.policy.rules.deviation import LARGE_DEVIATION
from tests.policy.touches import path, unlisted

ACT = PolicyContext(
    Mode.ACT,
    unlisted("actor"),
    PurePosixPath(".planact/plans"),
    planned_files=frozenset({"own.py", "mine/"}),
    files_of_others=frozenset({"other.py", "theirs/"}),
    approval="acceptEdits",
)
WRITES = frozenset({Permission.READ_FILES, Permission.WRITE_FILES})
OUTSIDE = [f"outside{number}.py" for number in range(LARGE_DEVIATION)]


def asked(*touches: PlacedEffect, changed: frozenset[str] = frozenset(), standing: PolicyContext = ACT) -> str:
    """Why it is asked; empty where it passes."""
    verdict = decide(
        Request("a_tool", WRITES, needs_approval=False, touches=touches), replace(standing, changed=changed)
    )
    assert isinstance(verdict, Allow | Ask)
    return verdict.reason if isinstance(verdict, Ask) else ""


@pytest.mark.parametrize(
    ("touch", "changed", "reason"),
    [
        (path("write", "own.py"), (), ""),
        (path("create", "mine/deep/x.py"), OUTSIDE, ""),
        (path("write", "outside.py"), (), ""),
        (path("write", "outside.py"), OUTSIDE[1:], ""),
        (path("write", OUTSIDE[0]), OUTSIDE, ""),
        (path("write", "outside.py"), OUTSIDE, f"with it, the step would have changed {LARGE_DEVIATION + 1} files"),
        (path("write", "still.py"), [*OUTSIDE, "outside.py"], ""),
        (path("write", "other.py"), (), "it changes other.py, which only other steps"),
        (path("create", "theirs/x.py"), ["own.py"], "it changes theirs/x.py, which only other steps"),
        (path("write", "theirs/x.py"), ["other.py"], ""),
        (path("read", "other.py"), (), ""),
        (path("make_directory", "theirs/deep"), (), ""),
    ],
)
def test_the_first_large_deviation_asks(touch: PlacedEffect, changed: list[str], reason: str) -> None:
    assert asked(touch, changed=frozenset(changed)).startswith(reason or "\0") == bool(reason)
    assert bool(asked(touch, changed=frozenset(changed))) == bool(reason)


def test_a_call_that_touches_many_at_once_is_one_question() -> None:
    many = [path("write", name) for name in (*OUTSIDE, "outside.py")]
    assert asked(*many) == f"with it, the step would have changed {LARGE_DEVIATION + 1} files that it doesn't name"


def test_work_without_a_plan_deviates_from_nothing() -> None:
    loose = replace(ACT, planned_files=frozenset(), files_of_others=frozenset())
    assert asked(path("write", "outside.py"), changed=frozenset(OUTSIDE), standing=loose) == ""


def test_who_asks_about_each_file_says_whose_it_is_and_who_accepts_all_is_not_asked() -> None:
    reason = asked(path("write", "other.py"), standing=replace(ACT, approval="ask"))
    assert reason == "the approved step doesn't name other.py, which other steps do"
    assert asked(path("write", "other.py"), standing=replace(ACT, approval="acceptAll")) == ""
