"""Forms of programs that mostly change something which only show what is, or would be."""

import pytest

from tests.shell.judged import classify


@pytest.mark.parametrize(
    "line",
    [
        "kill -0 4711",
        "kill -0 4711 4712 2>/dev/null && echo up",
        "pid=4711; kill -0 $pid",
        "kill -l",
        "git clean -n",
        "git clean -xdn src",
        "git clean --dry-run -f",
        "git format-patch --stdout -2",
        "git format-patch -1 HEAD --stdout | git apply --stat",
        "dd if=a bs=4 count=1 status=none | xxd",
        "dd if=/dev/zero bs=1M count=1 | wc -c",
        "dd bs=1 count=4 < a",
    ],
)
def test_it_only_reads(line: str) -> None:
    assert classify(line).cls == "local-read"


@pytest.mark.parametrize(
    "line",
    [
        "kill 4711",
        "kill -9 4711",
        "kill -TERM 4711",
        "kill -s KILL 4711",
        "kill -0 -9 4711",
        "kill -0 -s KILL 4711",
        "kill -0 $PID",
        'kill -0 "$PID"',
        "kill -l 9 -9 4711",
        "kill -0 4711; kill 4711",
        "git clean",
        "git clean -fdx",
        "git format-patch -1",
        "git format-patch -1 -o out",
        "git format-patch -1 --stdout -o out",
        "dd if=a of=b",
        "dd if=a oflag=direct",
        "dd of=b",
        "dd if=$X",
        "dd if=~/.ssh/id_rsa",
        "dd $X",
        "dd if=a > b",
    ],
)
def test_it_changes_things(line: str) -> None:
    assert classify(line).cls == "mutating"


def test_a_file_that_dd_reads_counts() -> None:
    assert "outside" in classify("dd if=/home/u/x count=1").traits
    assert classify("dd if=.env count=1").reads == (".env",)


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
