"""Settings of git are read as git itself reads them, whatever their form."""

import os
import random
import subprocess
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

import pytest

from planact.base.git_settings import GitSetting, git_path, parse_git_settings
from tests.soak import times

PIECES = (
    *(
        b"[a]",
        b"[core]",
        b'[diff "x"]',
        b'[diff "a \\"b\\" c\\\\d"]',
        b"[Diff.Old]",
        b'[diff\t"\xff\xfc"]',
        b'[x.y "Z.z"]',
    ),
    *(
        b"key",
        b"other",
        b"k-1",
        b" = ",
        b"=",
        b"value",
        b"./a b",
        b'"',
        b'"quo ted"',
        b"\\",
        b'\\"',
        b"\\\\",
        b"\\n",
        b"\\t",
    ),
    *(
        b"\n",
        b"\n",
        b"\n",
        b"\r\n",
        b"\\\n",
        b"\\\r\n",
        b" ",
        b"  ",
        b"# note",
        b"; note",
        b"#",
        b";",
        b"[",
        b"]",
        b".",
    ),
    *(b"\xe2\x80\xa8", b"\x0c", b"\xff", b"\r", b"\t", b"true", b"\xef\xbb\xbf"),
)


def by_git(file: Path) -> list[tuple[str, str]] | None:
    """Return the names and values that git reads, None where it finds a fault."""
    words = ["git", "config", "--file", str(file), "--list", "-z"]
    ran = subprocess.run(words, capture_output=True, check=False, cwd=file.parent)
    if ran.returncode:
        return None
    read = [os.fsdecode(each).partition("\n") for each in ran.stdout.split(b"\0")[:-1]]
    return [(name, value) for name, _, value in read]


def by_us(data: bytes) -> Iterator[tuple[str, str]]:
    for each in parse_git_settings(data):
        if each.key:
            yield ".".join(filter(None, (each.section, each.name, each.key))), each.value


def without_readings(settings: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """All blanks in values as spaces, since git's versions differ there, and neighbours that are the same once."""
    plain = [(name, value.replace("\t", " ").replace("\r", " ")) for name, value in settings]
    return [each for each, _ in groupby(plain)]


@pytest.mark.soak
@pytest.mark.slow
def test_git_reads_no_setting_that_is_not_read(tmp_path: Path) -> None:
    chance, file, read = random.Random(7), tmp_path / "settings", 0
    for number in range(times(400, 20_000)):
        lines = [b"".join(chance.choices(PIECES, k=chance.randrange(6))) for _ in range(chance.randrange(5))]
        fit = [b"[a]x=y", b'[diff "x"]', b"key = value", b"k"]
        data = b"\n".join([chance.choice([*fit, *lines]) for _ in range(4)])
        file.write_bytes(data)
        if (expected := by_git(file)) is not None:
            read += len(expected)
            assert without_readings(by_us(data)) == without_readings(expected), (number, data)
    assert read > 100


@pytest.mark.parametrize(
    ("data", "setting"),
    [
        (b'[core][diff "x"]textconv=y', GitSetting("diff", "x", "textconv", "y")),
        (b'# note \\\n[diff "x"]\ntextconv = y', GitSetting("diff", "x", "textconv", "y")),
        (b"\xef\xbb\xbf[diff]External = y ; note", GitSetting("diff", "", "external", "y")),
        (b'[include] path = ../"a b"\\\r\n c # d\n', GitSetting("include", "", "path", "../a b c")),
        (b'[a]b="c ; d" \0e', GitSetting("a", "", "b", "c ; d ")),
    ],
)
def test_settings_in_unusual_forms_are_read(data: bytes, setting: GitSetting) -> None:
    assert list(parse_git_settings(data))[-1] == setting


def test_a_value_with_blanks_within_has_all_its_readings() -> None:
    read = list(parse_git_settings(b'[include]path = my\t\rown "a\tb" \t'))[1:]
    assert [each.value for each in read] == ["my  own a\tb", "my\t\rown a\tb"]


@pytest.mark.parametrize(
    ("data", "path"),
    [
        (b"gitdir: ../a/.git/worktrees/w\n", "../a/.git/worktrees/w"),
        (b"gitdir: with blank \r\n\n", "with blank "),
        (b"gitdir: two\nlines\n", "two\nlines"),
        (b"../..\n", "../.."),
    ],
)
def test_a_path_of_git_is_all_but_the_ends_of_lines_behind_it(data: bytes, path: str) -> None:
    assert git_path(data) == path
