"""Role files: whatever they hold, there comes a role that is no wider than its mode, or a problem that helps."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planact.model.rights.permission import Mode, Permission, Rights, Role, RoleProblem
from planact.policy.rights import MODE_PERMISSIONS, can_only_read, delegate_role, may_use, with_delegates
from planact.policy.roles import BUILT_IN, MAX_FILE, built_in_role, parse_role, reading_role
from planact.tools.registry import BY_NAME

WHOLE = """---
name: writer
description: Writes
  documentation.
mode: act
permissions: [read_files, write_files]
tools: [read_file, update_file, "mcp:docs", mcp_web_get]
paths: [docs/**, "*.md"]
model: a/model
---
# You write

Well.
"""


def parsed(text: str, name: str = "writer") -> Role | RoleProblem:
    return parse_role(text, name, f".planact/roles/{name}.md", "user", BY_NAME)


def front(text: str) -> str:
    return f"---\n{text}\n---\nYou write."


def test_a_role_is_what_its_file_says() -> None:
    rights = Rights(
        frozenset({Permission.READ_FILES, Permission.WRITE_FILES}),
        frozenset({frozenset({"read_file", "update_file", "mcp_docs_*", "mcp_web_get"})}),
        frozenset({frozenset({"docs/**", "*.md"})}),
    )
    prompt = "# You write\n\nWell."
    role = Role("writer", "Writes documentation.", Mode.ACT, rights, prompt, "a/model", "user")
    assert parsed(WHOLE) == role
    assert parsed("\ufeff" + WHOLE.replace("\n", "\r\n")) == Role(
        "writer", "Writes documentation.", Mode.ACT, rights, prompt, "a/model", "user"
    )


def test_a_role_may_hand_out_more_than_it_has_and_no_more_than_its_mode() -> None:
    given = "permissions: [read_files]\ntools: [read_file, delegate]\ndelegate_permissions: [read_files, write_files]\n"
    role = parsed(front(f"mode: act\n{given}delegate_tools: [update_file]\ndelegate_paths: [docs/**]"))
    assert isinstance(role, Role)
    assert role.rights == Rights(frozenset({Permission.READ_FILES}), frozenset({frozenset({"read_file", "delegate"})}))
    assert role.delegable_rights == Rights(
        frozenset({Permission.READ_FILES, Permission.WRITE_FILES}),
        frozenset({frozenset({"update_file"})}),
        frozenset({frozenset({"docs/**"})}),
    )
    planning = parsed(front(f"mode: plan\n{given}"))
    assert isinstance(planning, Role)
    assert planning.delegable_rights == planning.rights


def test_a_role_that_says_nothing_of_handing_out_hands_out_what_it_has() -> None:
    role = parsed(WHOLE)
    assert isinstance(role, Role)
    assert role.delegable_rights == role.rights


def test_the_commander_changes_nothing_itself_and_hands_out_writing() -> None:
    role = built_in_role("commander")
    assert role.rights.permissions == {Permission.READ_FILES}
    changing = ("create_file", "update_file", "rename_file", "delete_file", "make_directory", "start_command")
    assert [tool for tool in changing if may_use(role.rights, tool)] == []
    assert role.delegable_rights.permissions == {*Permission}
    assert all(may_use(role.delegable_rights, tool) for tool in changing)


def test_a_role_that_says_nothing_of_its_rights_reads_in_plan() -> None:
    role = parsed(front("description: x"))
    assert isinstance(role, Role)
    assert (role.mode, role.rights.permissions) == (Mode.PLAN, {Permission.READ_FILES})
    assert role.rights.tools == built_in_role("planner").rights.tools


def test_a_role_for_act_without_permissions_reads_only() -> None:
    role = parsed(front("mode: act"))
    assert isinstance(role, Role)
    assert role.rights.permissions == {Permission.READ_FILES}


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_built_in_role_is_a_good_role_file(name: str) -> None:
    role = built_in_role(name)
    assert role.description
    assert role.prompt
    assert [tool for tools in role.rights.tools for tool in tools if tool not in {*BY_NAME, "mcp_*_*"}] == []
    assert len(role.prompt) < 3_000


def test_only_the_commander_hands_work_out() -> None:
    assert [name for name in BUILT_IN if may_use(built_in_role(name).rights, "delegate")] == ["commander"]


def test_the_built_in_roles_may_ask_readers_and_a_role_of_the_users_own_as_its_file_says() -> None:
    for name in BUILT_IN:
        role = with_delegates(built_in_role(name), ["explorer", "reviewer"])
        assert may_use(role.rights, "delegate")
        for asked in (built_in_role("actor"), built_in_role("tester")):
            assert can_only_read(delegate_role(asked, role, Mode.ACT).rights) is (name != "commander")
        assert with_delegates(built_in_role(name), []) == built_in_role(name)
    own = replace(built_in_role("actor"), source="user")
    assert with_delegates(own, ["explorer"]) == own


@pytest.mark.parametrize("mode", Mode)
def test_where_nothing_else_can_be_used_reading_remains(mode: Mode) -> None:
    role = reading_role(mode)
    assert (role.mode, role.rights.permissions) == (mode, {Permission.READ_FILES})


@pytest.mark.parametrize(
    ("text", "cause", "next_step"),
    [
        ("", "must begin with front matter", "at most 4,000 characters"),
        ("You write.", "must begin with front matter", "between `---`"),
        ("---\nmode: act", "must begin with front matter", "between `---`"),
        (front("x" * 5_000), "must begin with front matter", "at most 4,000 characters"),
        (front("mode: act") + "x" * MAX_FILE, "longer than 32,000 characters", "shorten"),
        (front("- a"), "texts and lists of texts only", "no anchors"),
        (front("mode: {a: act}"), "texts and lists of texts only", "nesting"),
        (front("tools: [[read_file]]"), "texts and lists of texts only", "nesting"),
        (front("tools: &all [read_file]"), "texts and lists of texts only", "no anchors"),
        (front("tools: *all"), "texts and lists of texts only", "no anchors"),
        (front("description: &a x\nmodel: *a"), "texts and lists of texts only", "no anchors"),
        (front("<<: {mode: act}"), "texts and lists of texts only", "nesting"),
        (front("a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]"), "texts and lists of texts only", "no anchors"),
        (front("mode: !!python/object/apply:os.system [ls]"), "texts and lists of texts only", "tags"),
        (front("[" * 3_900), "texts and lists of texts only", "nesting"),
        (front("mode: [act"), "not YAML", "correct it"),
        (front("mode: a\tb: c: d"), "not YAML", "correct it"),
        (front('mode: "\\U99999999"'), "a character that YAML doesn't allow", "remove it"),
        (front("mode: \x00"), "a character that YAML doesn't allow", "remove it"),
        (front("mode: plan\nmode: act"), "'mode' is said twice", "say it once"),
        (front("mode: yolo"), "no mode 'yolo'", "plan or act"),
        (front("mode: [act]"), "mode must be a text", "text"),
        (front("permissions: all"), "permissions must be a list", "list"),
        (front("permissions:"), "permissions must be a list", "list"),
        (front("permissions: [read_file]"), "no permission 'read_file'", "did you mean 'read_files'?"),
        (front("tools: [reed_file]"), "no tool 'reed_file'", "did you mean 'read_file'?"),
        (front("paths: [../x]"), "'../x' is no pattern", "like `docs/**`"),
        (front("paths: [/etc]"), "'/etc' is no pattern", "relative to the workspace"),
        (front("paths: ['C:x']"), "'C:x' is no pattern", "relative to the workspace"),
        (front("paths: ['!docs']"), "'!docs' is no pattern", "relative to the workspace"),
        (front("paths: ['']"), "'' is no pattern", "relative to the workspace"),
        (front("permission: [read_files]"), "no key 'permission'", "did you mean 'permissions'?"),
        (front("name: actor"), "called 'actor' inside", "name file and role alike"),
    ],
)
def test_a_bad_file_is_no_role_and_says_file_cause_and_next_step(text: str, cause: str, next_step: str) -> None:
    problem = parsed(text)
    assert isinstance(problem, RoleProblem)
    assert problem.message.startswith("the role file .planact/roles/writer.md is not used: ")
    assert cause in problem.message
    assert next_step in problem.message


@pytest.mark.parametrize("name", ["", "Writer", "a b", "../writer", "-x", "w" * 41, "wräiter"])
def test_a_file_with_an_odd_name_is_no_role(name: str) -> None:
    assert isinstance(parsed("---\nmode: plan\n---\n", name), RoleProblem)


KEYS = ("mode: act", "mode: plan", "permissions: [write_files, execute_commands]", "tools: ['*']", "paths: ['**']")
SIGNS = ("- x", "&a", "*a", "[", "]", "{", "}", "permissions:", "  - read_files", "---", "...", "? a", "\t")


@given(st.lists(st.sampled_from(KEYS + SIGNS), max_size=6).map("\n".join) | st.text(max_size=80))
def test_whatever_a_file_says_comes_to_a_role_within_its_mode_or_to_a_problem(text: str) -> None:
    role = parsed(front(text))
    assert isinstance(role, RoleProblem) or role.rights.permissions <= MODE_PERMISSIONS[role.mode]
