import re
import subprocess
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planact.adapters.store.disk.ignore_rules import IgnoreRules
from tests.soak import times


@pytest.mark.parametrize(
    ("lines", "path", "is_directory", "verdict"),
    [
        ("*.log", "a.log", False, True),
        ("*.log", "d/a.log", False, True),
        ("*.log", "a.log.txt", False, None),
        ("# a\n\n  \n#a", "#a", False, None),
        ("\\#a", "#a", False, True),
        ("\\!a", "!a", False, True),
        ("a\\ ", "a ", False, True),
        ("a  ", "a", False, True),
        ("build/", "build", True, True),
        ("build/", "build", False, None),
        ("/a", "a", False, True),
        ("/a", "d/a", False, None),
        ("d/a", "d/a", False, True),
        ("d/a", "x/d/a", False, None),
        ("**/d/a", "x/d/a", False, True),
        ("d/**", "d/x/y", False, True),
        ("d/**", "d", True, None),
        ("d/**/a", "d/a", False, True),
        ("d/**/a", "d/x/y/a", False, True),
        ("a**b", "axxb", False, True),
        ("a*b", "a/b", False, None),
        ("a?b", "a/b", False, None),
        ("[a-c]x[!0-9]", "bxx", False, True),
        ("[a-c]x[!0-9]", "bx1", False, None),
        ("[]x]", "]", False, True),
        ("[[:digit:]]", "7", False, True),
        ("[", "[", False, None),
        ("a\\", "a", False, None),
        ("[z-a]", "b", False, None),
        ("*.log\n!keep.log", "keep.log", False, False),
        ("!keep.log\n*.log", "keep.log", False, True),
        ("report.[0-9]*.[0-9]*.[0-9]*.json", "report.1.22.333.json", False, True),
        ("A", "a", False, None),
    ],
)
def test_rules_are_read_as_git_reads_them(lines: str, path: str, is_directory: bool, verdict: bool | None) -> None:
    assert IgnoreRules(lines.split("\n")).verdict(path, is_directory=is_directory) is verdict


def test_rules_hold_below_the_directory_they_stand_in() -> None:
    rules = IgnoreRules(["/a", "b"], "d")
    paths = ("d/a", "a", "d/x/a", "d/x/b", "b", "db")
    assert [rules.verdict(path, is_directory=False) for path in paths] == [True, None, None, True, None, None]


def test_what_lies_in_a_hidden_directory_is_hidden_whatever_is_taken_back() -> None:
    rules = IgnoreRules(["secret/", "!secret/open.txt"])
    assert rules.hides("secret/open.txt", is_directory=False)


# Git itself takes `a**/b` for `a` and `**/b`, against its own manual; an escaped slash is nobody's habit.
PATTERN = (
    st.lists(st.sampled_from(["a", "b", "*", "**", "/", "?", "[ab]", "!", "\\", "."]), min_size=1, max_size=7)
    .map("".join)
    .filter(lambda pattern: not re.search(r"[^/!]\*\*|\*\*[^/]|\\/", pattern))
)
PATHS = ["a", "b", "ab", "a.b", "aab", "d/a", "a/b", "a/a", "a/b/a", "a/b/b", "b/a/a/b", ".a", "a/.b"]


@pytest.mark.soak
@settings(max_examples=times(200, 10_000))
@given(st.lists(PATTERN, min_size=1, max_size=3), st.sampled_from(["", "a", "d"]), st.booleans())
def test_where_a_directory_is_told_to_hold_no_match_there_is_none(lines: list[str], base: str, folds: bool) -> None:
    rules = IgnoreRules(lines, base, folds_case=folds)
    paths = [each.upper() for each in PATHS] if folds else PATHS
    for parent in {path.rpartition("/")[0] for path in paths}:
        names = [path.rpartition("/")[2] for path in paths if path.rpartition("/")[0] == parent]
        entries = [f"{parent}/{name}".removeprefix("/") for name in names]
        verdicts = [rules.verdict(path, is_directory=kind) for path in entries for kind in (False, True)]
        assert rules.can_match(parent, "".join(f"/{name}" for name in names)) or not any(
            verdict is not None for verdict in verdicts
        ), (lines, base, entries)


@pytest.mark.parametrize(
    ("line", "directory", "names", "can"),
    [
        ("*.log", "d", "/a.py/b.log", True),
        ("*.log", "d", "/a.py/b.log.txt", False),
        ("/.planact/sessions/", "", "/.planact", False),
        ("/.planact/sessions/", ".planact", "/sessions", True),
        ("/.planact/sessions/", "d/.planact", "/sessions", False),
        ("d/*.py", "d", "/a.py", True),
        ("d/*.py", "e", "/a.py", False),
    ],
)
def test_most_directories_are_told_to_hold_no_match(line: str, directory: str, names: str, can: bool) -> None:
    assert IgnoreRules([line]).can_match(directory, names) is can


@pytest.mark.soak
@settings(max_examples=times(100, 3_000))
@given(st.lists(PATTERN, min_size=1, max_size=4))
def test_git_agrees(tmp_path_factory: pytest.TempPathFactory, lines: list[str]) -> None:
    folder = tmp_path_factory.getbasetemp() / "git"
    if not folder.exists():
        subprocess.run(["git", "init", "-q", folder], check=True, timeout=180)
    (folder / ".gitignore").write_text("\n".join(lines))
    asked = subprocess.run(
        ["git", "-c", "core.excludesFile=", "check-ignore", "--no-index", "--stdin"],
        cwd=folder,
        input="\n".join(PATHS),
        capture_output=True,
        text=True,
        timeout=180,
    )
    ours = [path for path in PATHS if IgnoreRules(lines).hides(path, is_directory=False)]
    assert ours == asked.stdout.splitlines()


@pytest.mark.parametrize(
    "lines",
    [
        ["*a" * 30_000 + "*b"],
        ["**/a/" * 10_000 + "b"],
        ["*" * 64_000 + "b"],
        ["[a-z]*" * 10_000 + "0"],
        [f"*a*b{number}" for number in range(6000)],
    ],
)
def test_no_ignore_file_takes_long(lines: list[str]) -> None:
    start = time.process_time()
    rules = IgnoreRules(lines)
    for path in ("a" * 255, "/".join(["a"] * 1000), "/".join(["a" * 255] * 15)):
        rules.hides(path, is_directory=False)
    assert time.process_time() - start < 10
