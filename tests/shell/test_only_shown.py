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
