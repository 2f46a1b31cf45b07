"""Ranges in braces, which the shell makes words of, and devices that anybody may read."""

import pytest

from tests.shell.judged import classify


@pytest.mark.parametrize(
    "line",
    [
        "for i in {01..10}; do cat src/$i; done",
        "for i in {1..10..2}; do echo $i; done",
        "ls src/{1..3}.txt",
        "head -c 9 /dev/urandom | base64",
        "dd_size=$(wc -c < /dev/random); echo $dd_size",
    ],
)
def test_what_reads_by_them_only_reads_in_the_workspace(line: str) -> None:
    found = classify(line)
    assert (found.cls, found.traits - {"plain"}) == ("local-read", frozenset())


@pytest.mark.parametrize("line", ["sort {1..3}", "sort -{1..3}", "cat $x{1..3} > a", "rm {1..3}"])
def test_a_range_that_may_be_an_option_or_a_target_is_not_known_to_read(line: str) -> None:
    assert classify(line).cls in ("unknown", "mutating")


@pytest.mark.parametrize("line", ["cat /{1..3}/x", "cat ../{1..3}", "cat /dev/sda{1..3}", "cat /dev/mem"])
def test_a_range_hides_no_path_outside(line: str) -> None:
    assert "outside" in classify(line).traits


def test_a_range_within_a_path_is_left_to_the_jail() -> None:
    assert "plain" not in classify("cat {1..3}/../../x").traits
