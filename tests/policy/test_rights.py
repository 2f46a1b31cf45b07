"""Rights that are cut down by others never get wider, however they are put together."""

from dataclasses import replace
from itertools import permutations
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planact.model.rights.permission import Mode, Permission, Rights, Role
from planact.policy.rights import delegate_role, intersect, may_use, may_use_some, may_write, mode_rights, narrowed

TOOLS = ("read_file", "update_file", "delegate", "mcp__docs__search")
PATHS = ("a.py", "src/a.py", "src/deep/er/b.py", "docs/x.md", "tests/test_a.py")


def lists(*names: str) -> st.SearchStrategy[frozenset[frozenset[str]]]:
    return st.frozensets(st.frozensets(st.sampled_from(names), max_size=3), max_size=2)


RIGHTS = st.builds(
    Rights,
    st.frozensets(st.sampled_from(Permission)),
    lists(*TOOLS, "*", "mcp__*", "*_file"),
    lists("**", "src/", "src/*", "**/*.py", "docs/**", "tests", "**/test_*"),
)


def allowed(rights: Rights) -> set[str]:
    """Everything that they allow, of what there is here."""
    tools = {tool for tool in TOOLS if may_use(rights, tool)}
    paths = {path for path in PATHS if may_write(rights, PurePosixPath(path))}
    return set(rights.permissions) | tools | paths


@given(RIGHTS, RIGHTS, st.sampled_from(Mode))
def test_a_delegate_has_what_its_role_its_parent_and_the_mode_all_allow(
    child: Rights, parent: Rights, mode: Mode
) -> None:
    every = (child, parent, mode_rights(mode))
    assert allowed(intersect(*every)) == set.intersection(*map(allowed, every))


ROLES = st.builds(
    Role,
    st.just("a_role"),
    st.just(""),
    st.sampled_from(Mode),
    RIGHTS,
    delegable=st.none() | RIGHTS,
)


@given(ROLES, ROLES, st.sampled_from(Mode))
def test_no_delegate_has_a_right_that_its_parent_can_not_hand_out_or_the_mode_does_not_give(
    child: Role, parent: Role, mode: Mode
) -> None:
    working = delegate_role(child, parent, mode)
    most = allowed(parent.delegable_rights) & allowed(mode_rights(mode))
    assert allowed(working.rights) == allowed(child.rights) & most
    assert allowed(working.delegable_rights) <= most


@given(ROLES, ROLES)
def test_a_role_that_says_nothing_of_delegates_hands_out_its_own_rights(child: Role, parent: Role) -> None:
    alone = replace(parent, delegable=None)
    assert allowed(delegate_role(child, alone, Mode.ACT).rights) == allowed(child.rights) & allowed(parent.rights)


@given(ROLES, RIGHTS, RIGHTS)
def test_both_parts_of_a_role_are_cut_down(role: Role, limit: Rights, other: Rights) -> None:
    cut = narrowed(role, limit)
    assert allowed(cut.rights) == allowed(role.rights) & allowed(limit)
    assert allowed(cut.delegable_rights) == allowed(role.delegable_rights) & allowed(limit)
    apart = narrowed(role, limit, other)
    assert allowed(apart.rights) == allowed(role.rights) & allowed(limit)
    assert allowed(apart.delegable_rights) == allowed(role.delegable_rights) & allowed(other)


@given(RIGHTS, RIGHTS, RIGHTS)
def test_it_does_not_matter_in_which_order_rights_are_cut_down(one: Rights, two: Rights, three: Rights) -> None:
    at_once = intersect(one, two, three)
    assert {intersect(intersect(a, b), c) for a, b, c in permutations((one, two, three))} == {at_once}
    assert intersect(one, intersect(two, three)) == at_once
    assert intersect(at_once, one) == at_once


def test_no_list_is_no_limit_and_an_empty_list_allows_nothing() -> None:
    nothing = frozenset({frozenset[str]()})
    assert allowed(Rights(frozenset())) == {*TOOLS, *PATHS}
    assert allowed(Rights(frozenset(), nothing, nothing)) == set()


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("docs/**", "docs/a/b.md", True),
        ("docs/**", "docs", True),
        ("docs/", "docs/a/b.md", True),
        ("docs/", "docs2/a.md", False),
        ("docs/**", "x/docs/a.md", False),
        ("**/docs/", "x/y/docs/a.md", True),
        ("**/docs/", "docs/a.md", True),
        ("docs", "docs/a.md", False),
        ("docs/*", "docs/a.md", True),
        ("docs/*", "docs/a/b.md", False),
        ("*.md", "docs/a.md", False),
        ("**/*.md", "a.md", True),
        ("**/*.md", "docs/a/b.md", True),
        ("src/**/test_?.py", "src/a/b/test_1.py", True),
        ("src/**/test_?.py", "src/test_1.py", True),
        ("src/**/test_?.py", "src/test_12.py", False),
        ("**", "a/b", True),
        ("a/**/**/b", "a/b", True),
        ("./docs/*", "docs/a", True),
        ("Docs/*", "docs/a", False),
        ("[a-c]/x", "b/x", True),
        ("[a-c", "[a-c", True),
    ],
)
def test_a_pattern_names_whole_paths(pattern: str, path: str, expected: bool) -> None:
    rights = Rights(frozenset(), paths=frozenset({frozenset({pattern})}))
    assert may_write(rights, PurePosixPath(path)) is expected


def test_a_hostile_pattern_takes_no_longer_than_any_other() -> None:
    rights = Rights(frozenset(), paths=frozenset({frozenset({"**/a*" * 40 + "/b", "*a" * 99})}))
    assert not may_write(rights, PurePosixPath("/".join(["a" * 60] * 200)))


@pytest.mark.parametrize(
    ("names", "may"),
    [
        ("mcp_*_*", True),
        ("*", True),
        ("mcp_it_*", True),
        ("mcp_it_look", True),
        ("mcp_i*", True),
        ("mcp_other_*", False),
        ("mcp_it", False),
        ("read_*", False),
        ("read_file", False),
    ],
)
def test_whether_any_tool_of_a_server_could_be_used(names: str, may: bool) -> None:
    rights = Rights(frozenset(), frozenset({frozenset({names, "read_file"})}))
    assert may_use_some(rights, "mcp_it_") is may
    assert not may_use_some(intersect(rights, Rights(frozenset(), frozenset({frozenset()}))), "mcp_it_")
