"""Words that a program could take for options, though by the tables they are values or arguments."""

import pytest

from tests.shell.judged import classify


@pytest.mark.parametrize(
    "line",
    [
        "git log --unified --output=x",
        "git diff -U --output=x",
        "objdump -t --plugin=./x a.o",
        "nm -f -- --plugin=./x a.o",
        "journalctl -n --vacuum-time=1s",
        'git log --author "$NAME"',
        "sort -- *",
        "git clean -n -e -f",
    ],
)
def test_a_word_that_another_version_of_the_program_takes_for_an_option_is_no_value(line: str) -> None:
    assert classify(line).cls == "unknown"


@pytest.mark.parametrize(
    "line",
    ["grep -e --output a", "grep -- -x a", "head -n -5 a", "git log -n 3 -- src", "cut -d - -f 1 a", "cat -- -x"],
)
def test_where_no_word_does_harm_each_is_taken_as_it_is(line: str) -> None:
    assert classify(line).cls == "local-read"


@pytest.mark.parametrize("line", ["pip check --local", "pip check --local -q", "pip3 check -q --local=log"])
def test_an_option_that_is_short_for_one_that_writes_is_none_of_a_reader(line: str) -> None:
    """`--local` is one of other calls of pip; of this one it is the beginning of `--local-log`."""
    assert classify(line).cls == "unknown"
