"""Filters at the end don't make another command of a line; all else does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planact.shell.compare.without_filters import without_filters

FILTERS = [
    "tail -5", "tail -n 20", "tail -n +3", "tail", "head", "head -c 100", "cat", "wc -l", "sort", "sort -u -n",
    "uniq -c", "grep -v warning", "grep -E 'failed|passed'", "grep -A 3 -B2 FAILED", "grep -e -x", 'grep "a | tail -5"',
]  # fmt: skip
MERGES = ["", " 2>&1", " 2>/dev/null", " >/dev/null 2>&1"]


@pytest.mark.parametrize("text", FILTERS)
@pytest.mark.parametrize("merge", MERGES)
def test_a_filter_is_none(text: str, merge: str) -> None:
    assert without_filters(f"  pytest -q tests/a.py{merge} | {text} ") == "pytest -q tests/a.py"


@pytest.mark.parametrize(
    "line",
    [
        *(
            "pytest | tail -f log",
            "pytest | tail log",
            "pytest | sort -o out",
            "pytest | sort -T /x",
            "pytest | uniq a b",
        ),
        *(
            "pytest | grep x a.py",
            "pytest | grep -f a",
            "pytest | grep -r x",
            "pytest | grep *",
            "pytest | grep -e x y",
        ),
        *(
            "pytest | tee out",
            "pytest | sh",
            "pytest | xargs rm",
            "pytest || tail -5",
            "pytest; tail -5",
            "pytest && cat",
        ),
        *("pytest |& tail -5", "pytest & cat", "pytest > out", "pytest > out | tail -5; rm x", "pytest\nrm x"),
        *("pytest `rm x`", "pytest $(rm x)", "A=1 pytest", "echo 'a | tail -5'", "pytest | cat $X", "| tail -5", ""),
        *(
            "pytest | head -n",
            "pytest | head -n x",
            "pytest | /tmp/tail -5",
            "pytest | ./cat",
            "pytest | wc a",
            "grep x",
        ),
        *(
            "cd sub && pytest",
            "cd && pytest",
            "cd . ; pytest",
            "cd .. && pytest",
            "cd ~ && pytest",
            "cd -P . && pytest",
        ),
    ],
)
def test_all_else_stays(line: str) -> None:
    assert without_filters(line, "/home/me/ws") == line.strip()


@pytest.mark.parametrize("folder", ["/home/me/ws", "/home/me/ws/", "/home/me/ws/sub/..", ".", "./"])
def test_a_change_to_the_folder_where_it_runs_anyway_is_none(folder: str) -> None:
    assert without_filters(f"cd {folder} && pytest -q 2>&1 | tail -3", "/home/me/ws") == "pytest -q"
    assert without_filters(f"cd {folder} && pytest -q", "/home/me/other") in ("pytest -q", f"cd {folder} && pytest -q")


def test_a_redirection_within_the_line_stays() -> None:
    assert without_filters("a 2>&1 && b 2>/dev/null") == "a 2>&1 && b"
    assert without_filters("a | tail -3 && b") == "a | tail -3 && b"


@given(
    st.lists(st.sampled_from(["pytest", "-q", "'a b'", "a.py", "&&", "|", "npm", "tail", "-5", "2>&1"]), min_size=1),
    st.lists(st.tuples(st.sampled_from(MERGES), st.sampled_from(FILTERS)), max_size=3),
)
def test_however_many_filters_there_are_the_line_is_the_same(words: list[str], filters: list[tuple[str, str]]) -> None:
    line = " ".join(words)
    filtered = line + "".join(f"{merge} | {text}" for merge, text in filters)
    bare = without_filters(line)
    assert without_filters(bare) == bare
    assert without_filters(filtered) in (bare, filtered.strip())


@pytest.mark.parametrize(
    "folder", ["'/home/me/my [old] ws'", '"/home/me/my [old] ws/"', "/home/me/my\\ \\[old\\]\\ ws"]
)
def test_a_folder_may_have_any_name(folder: str) -> None:
    assert without_filters(f"cd {folder} && pytest -q", "/home/me/my [old] ws") == "pytest -q"
    assert without_filters(f"cd {folder} && pytest -q", "/home/me/my") != "pytest -q"
