from dataclasses import replace
from pathlib import PurePosixPath

import pytest

from planact.model.rights.classification import CommandTrait
from planact.model.rights.permission import (
    AskEffect,
    CommandEffect,
    ExitPlanEffect,
    McpEffect,
    Mode,
    PathEffect,
    Permission,
    PlanEffect,
    Rights,
    SpawnEffect,
)
from planact.model.rights.rule import Allowed, AllowedCommand
from planact.policy.context import Allow, Ask, Deny, PlacedEffect, PolicyContext, Request
from planact.policy.decide import decide, rules_for, wider_rules_for
from planact.policy.roles import built_in_role
from tests.policy.touches import command as read_command
from tests.policy.touches import path, unlisted

PLAN = PolicyContext(Mode.PLAN, unlisted("planner"), PurePosixPath(".planact/plans"))
ACT = PolicyContext(
    Mode.ACT,
    unlisted("actor"),
    PurePosixPath(".planact/plans"),
    planned_files=frozenset({"src/app.py", "docs/"}),
    planned_commands=frozenset({"pytest -q"}),
)
WRITES = frozenset({Permission.READ_FILES, Permission.WRITE_FILES})


def command(text: str, directory: str = ".") -> PlacedEffect:
    """One that nobody has read."""
    return replace(read_command(text, "unknown", directory=directory), found=None)


def verdict(
    standing: PolicyContext,
    *touches: PlacedEffect,
    required: frozenset[Permission] = frozenset(),
    approval: bool = False,
) -> str:
    """`allow`, `ask`, or the code of the refusal."""
    judged = decide(Request("a_tool", required, approval, touches), standing)
    match judged:
        case Allow():
            return "allow"
        case Ask():
            return "ask"
        case Deny(code=code):
            return code


@pytest.mark.parametrize(
    ("touch", "expected"),
    [
        (path("read", "src/app.py"), "allow"),
        (path("search", "."), "allow"),
        (path("write", "src/app.py"), "TOOL_BLOCKED_BY_MODE"),
        (path("create", "src/new.py"), "TOOL_BLOCKED_BY_MODE"),
        (path("delete", "src/app.py"), "TOOL_BLOCKED_BY_MODE"),
        (path("write", "a.plan"), "allow"),
        (path("create", "docs/b.plan"), "allow"),
        (path("create", ".plan"), "TOOL_BLOCKED_BY_MODE"),
        (path("create", "x.plan.py"), "TOOL_BLOCKED_BY_MODE"),
        (path("write", "x.plan/../y.py", real="y.py"), "TOOL_BLOCKED_BY_MODE"),
        (path("write", "link.plan", real="src/app.py"), "TOOL_BLOCKED_BY_MODE"),
        (path("write", "a.plan", is_directory=True), "TOOL_BLOCKED_BY_MODE"),
        (path("write", "a.plan", is_shared=True), "TOOL_BLOCKED_BY_MODE"),
        (path("create", "a.plan/y.py"), "TOOL_BLOCKED_BY_MODE"),
        (path("create", "a.PLAN"), "TOOL_BLOCKED_BY_MODE"),
        (path("write", "out.plan", real="/etc/out.plan"), "TOOL_BLOCKED_BY_MODE"),
        (path("write", ".git/a.plan"), "PATH_PROTECTED"),
        (path("write", ".GIT/a.plan"), "PATH_PROTECTED"),
        (path("write", ".planact/roles/a.plan"), "PATH_PROTECTED"),
        (path("write", ".planact/plans/a.plan"), "allow"),
        (path("make_directory", ".planact/plans/sub"), "allow"),
        (path("make_directory", ".planact/plans"), "allow"),
        (path("make_directory", "src/sub"), "TOOL_BLOCKED_BY_MODE"),
        (path("delete", ".planact/plans/a.plan"), "TOOL_BLOCKED_BY_MODE"),
        (path("read", ".env"), "CREDENTIAL_FILE"),
        (path("read", ".ENV.local"), "CREDENTIAL_FILE"),
        (path("read", ".env.example"), "allow"),
        (path("read", "keys/server.pem"), "CREDENTIAL_FILE"),
        (path("read", ".aws/config"), "CREDENTIAL_FILE"),
        (path("read", "/etc/passwd"), "PATH_OUTSIDE_WORKSPACE"),
        (path("read", "in", real="/etc/passwd"), "PATH_OUTSIDE_WORKSPACE"),
        (PlacedEffect(PathEffect("read", "unresolved")), "PATH_OUTSIDE_WORKSPACE"),
        (replace(path("read", "secret.txt"), is_hidden=True), "PATH_HIDDEN"),
        (command("ls"), "TOOL_BLOCKED_BY_MODE"),
        (command("pytest -q"), "TOOL_BLOCKED_BY_MODE"),
        (PlacedEffect(PlanEffect()), "allow"),
        (PlacedEffect(AskEffect()), "allow"),
        (PlacedEffect(ExitPlanEffect("a.plan")), "allow"),
    ],
)
def test_in_plan_nothing_but_plan_documents_can_be_written(touch: PlacedEffect, expected: str) -> None:
    assert verdict(PLAN, touch, required=WRITES) == expected


@pytest.mark.parametrize("approval", ["review", "ask", "acceptEdits", "acceptAll"])
def test_no_setting_loosens_plan(approval: str) -> None:
    standing = replace(
        PLAN,
        approval=approval,
        commands_allow=frozenset({"rm x"}),
        planned_commands=frozenset({"rm x"}),
        planned_files=frozenset({"src/app.py"}),
    )
    assert verdict(standing, path("write", "src/app.py"), required=WRITES) == "TOOL_BLOCKED_BY_MODE"
    assert verdict(standing, command("rm x")) == "TOOL_BLOCKED_BY_MODE"


def test_an_actor_in_plan_can_write_no_more_than_a_planner() -> None:
    standing = replace(PLAN, role=unlisted("actor"))
    assert verdict(standing, path("write", "src/app.py"), required=WRITES) == "TOOL_BLOCKED_BY_MODE"


def test_one_bad_path_among_good_ones_refuses_the_whole_call() -> None:
    assert verdict(PLAN, path("write", "a.plan"), path("create", "b.py"), required=WRITES) == "TOOL_BLOCKED_BY_MODE"


def test_only_plans_of_the_session_can_be_deleted_in_plan() -> None:
    standing = replace(PLAN, made_plans=frozenset({".planact/plans/a.plan", "b.plan"}))
    assert verdict(standing, path("delete", ".planact/plans/a.plan")) == "allow"
    assert verdict(standing, path("delete", "b.plan")) == "TOOL_BLOCKED_BY_MODE"


@pytest.mark.parametrize("standing", [PLAN, ACT])
def test_a_plan_that_is_approved_is_not_the_models_to_change(standing: PolicyContext) -> None:
    locked = replace(standing, locked_plans=frozenset({"a.plan"}), approval="acceptAll")
    assert verdict(locked, path("write", "a.plan")) == "PLAN_LOCKED"


@pytest.mark.parametrize(
    ("touch", "expected"),
    [
        (path("write", "src/app.py"), "allow"),
        (path("create", "docs/a/b.md"), "allow"),
        (path("write", "src/other.py"), "ask"),
        (path("delete", "src/app.py"), "ask"),
        (path("read", "src/other.py"), "allow"),
        (path("read", ".env"), "ask"),
        (path("write", ".env"), "CREDENTIAL_FILE"),
        (path("write", ".git/hooks/pre-commit"), "PATH_PROTECTED"),
        (path("write", ".planact/config.toml"), "PATH_PROTECTED"),
        (path("write", "up", real="/etc/hosts"), "PATH_OUTSIDE_WORKSPACE"),
        (command("pytest -q"), "allow"),
        (command(" pytest -q "), "allow"),
        (command("pytest -q; rm -rf ."), "ask"),
        (command("pytest -q", "sub"), "ask"),
        (command("pytest -q", "../other"), "PATH_OUTSIDE_WORKSPACE"),
        (PlacedEffect(CommandEffect("pytest -q")), "PATH_OUTSIDE_WORKSPACE"),
        (PlacedEffect(PlanEffect()), "TOOL_BLOCKED_BY_MODE"),
        (PlacedEffect(ExitPlanEffect("a.plan")), "TOOL_BLOCKED_BY_MODE"),
        (PlacedEffect(AskEffect()), "allow"),
    ],
)
def test_in_act_what_the_step_names_passes_and_the_rest_asks(touch: PlacedEffect, expected: str) -> None:
    assert verdict(ACT, touch) == expected


def test_accepting_all_turns_questions_into_yes_and_no_refusal() -> None:
    standing = replace(ACT, approval="acceptAll", commands_deny=frozenset({"rm"}))
    assert verdict(standing, path("delete", "src/other.py"), approval=True) == "allow"
    assert verdict(standing, read_command("make", "unknown")) == "allow"
    assert verdict(standing, command("make")) == "ask"
    assert verdict(standing, command("rm -r x")) == "COMMAND_DENIED"
    assert verdict(standing, path("write", "/etc/hosts")) == "PATH_OUTSIDE_WORKSPACE"
    assert verdict(standing, path("write", ".env")) == "CREDENTIAL_FILE"


def test_accepting_edits_leaves_deletions_and_commands_as_questions() -> None:
    standing = replace(ACT, approval="acceptEdits")
    assert verdict(standing, path("write", "src/other.py")) == "allow"
    assert verdict(standing, path("delete", "src/other.py")) == "ask"
    assert verdict(standing, command("make")) == "ask"


@pytest.mark.parametrize("approval", ["ask", "acceptEdits"])
def test_what_would_show_under_other_names_of_the_file_is_asked(approval: str) -> None:
    standing = replace(ACT, approval=approval)
    assert verdict(standing, path("write", "src/app.py")) == "allow"
    assert verdict(standing, path("write", "src/app.py", is_shared=True)) == "ask"
    assert verdict(replace(ACT, approval="acceptAll"), path("write", "src/app.py", is_shared=True)) == "allow"
    renamed = path("write", "src/app.py", is_shared=True)
    renamed = replace(renamed, effect=PathEffect("write", "src/app.py", follows_link=False))
    assert verdict(standing, renamed) == "allow", "the other names stay as they are"


def test_a_command_on_the_users_list_passes_by_its_exact_text() -> None:
    standing = replace(ACT, commands_allow=frozenset({"make lint"}))
    assert verdict(standing, command("make lint")) == "allow"
    assert verdict(standing, command("make lint && curl x")) == "ask"
    assert verdict(standing, command(" make lint\n")) == "allow"
    assert verdict(standing, command("make lint\u2003")) == "ask", "to a shell that is another word"


@pytest.mark.parametrize(
    "line",
    [
        "bash -c 'terraform apply'",
        "/opt/terraform apply &",
        "sudo terraform apply",
        "{terraform,apply}",
        "{/opt/terraform,apply}",
        "alias t=terraform; t apply",
        "$'terraform' apply",
        "x=terraform; $x apply",
    ],
)
def test_what_the_user_denies_is_denied_in_a_line_that_nobody_can_read_to_its_end(line: str) -> None:
    standing = replace(ACT, approval="acceptAll", commands_deny=frozenset({"terraform"}))
    assert verdict(standing, read_command(line, "unknown")) == "COMMAND_DENIED"
    assert verdict(standing, read_command("git commit -m 'Update terraform'", "mutating")) == "ask"


def test_a_role_narrows_what_the_mode_allows() -> None:
    standing = replace(ACT, role=replace(ACT.role, rights=Rights(frozenset({Permission.READ_FILES}))))
    assert verdict(standing, path("write", "src/app.py"), required=WRITES) == "TOOL_BLOCKED_BY_ROLE"


def test_a_refusal_wins_over_a_question() -> None:
    assert verdict(ACT, path("write", "src/other.py"), path("write", ".git/config")) == "PATH_PROTECTED"


def test_a_tool_that_the_role_does_not_list_is_refused_but_for_edits_of_plans_by_who_writes_plans() -> None:
    planner, reviewer = (replace(PLAN, role=built_in_role(name)) for name in ("planner", "reviewer"))
    assert verdict(planner, path("write", "a.plan"), required=WRITES) == "allow"
    assert verdict(planner, path("write", "a.py"), required=WRITES) == "TOOL_BLOCKED_BY_MODE"
    assert verdict(planner, PlacedEffect(AskEffect())) == "TOOL_BLOCKED_BY_ROLE"
    assert verdict(planner) == "TOOL_BLOCKED_BY_ROLE"
    assert verdict(reviewer, path("write", "a.plan"), required=WRITES) == "TOOL_BLOCKED_BY_ROLE"
    assert verdict(replace(ACT, role=built_in_role("actor")), path("read", "a.py")) == "TOOL_BLOCKED_BY_ROLE"


@pytest.mark.parametrize(
    ("touches", "expected"),
    [
        ((path("write", "docs/a.md"),), "allow"),
        ((path("read", "src/app.py"),), "allow"),
        ((path("write", "src/app.py"),), "TOOL_BLOCKED_BY_ROLE"),
        ((path("write", "docs/link.md", real="src/app.py"),), "TOOL_BLOCKED_BY_ROLE"),
        ((path("delete", "src/app.py"),), "TOOL_BLOCKED_BY_ROLE"),
        ((path("make_directory", "src/new"),), "TOOL_BLOCKED_BY_ROLE"),
        ((path("write", "docs/a.md"), path("create", "src/app.py")), "TOOL_BLOCKED_BY_ROLE"),
        ((path("write", "/etc/passwd"),), "PATH_OUTSIDE_WORKSPACE"),
    ],
)
@pytest.mark.parametrize("approval", ["ask", "acceptAll"])
def test_a_role_with_paths_writes_nowhere_else(touches: tuple[PlacedEffect, ...], expected: str, approval: str) -> None:
    rights = replace(ACT.role.rights, paths=frozenset({frozenset({"docs/**"})}))
    standing = replace(ACT, role=replace(ACT.role, rights=rights), approval=approval)
    assert verdict(standing, *touches, required=WRITES) == expected


@pytest.mark.parametrize(
    ("standing", "mode", "expected"),
    [
        (PLAN, Mode.PLAN, "allow"),
        (PLAN, Mode.ACT, "TOOL_BLOCKED_BY_MODE"),
        (PLAN, None, "allow"),
        (ACT, Mode.ACT, "allow"),
        (ACT, Mode.PLAN, "allow"),
        (replace(ACT, is_delegate=True), Mode.ACT, "TOOL_BLOCKED_BY_ROLE"),
        (replace(PLAN, is_delegate=True), Mode.PLAN, "TOOL_BLOCKED_BY_ROLE"),
        (replace(PLAN, is_delegate=True), Mode.ACT, "TOOL_BLOCKED_BY_MODE"),
    ],
)
def test_work_is_handed_to_roles_of_the_mode_or_narrower_ones_and_no_further(
    standing: PolicyContext, mode: Mode | None, expected: str
) -> None:
    assert verdict(standing, PlacedEffect(SpawnEffect("a_role"), spawns=mode)) == expected


def test_a_delegate_does_not_ask_to_carry_out_the_plan() -> None:
    assert verdict(replace(PLAN, is_delegate=True), PlacedEffect(ExitPlanEffect("a.plan"))) == "TOOL_BLOCKED_BY_ROLE"


@pytest.mark.parametrize(
    ("standing", "listed", "expected"),
    [
        (PLAN, False, "TOOL_BLOCKED_BY_MODE"),
        (PLAN, True, "allow"),
        (ACT, False, "ask"),
        (ACT, True, "allow"),
        (replace(ACT, approval="acceptAll"), False, "ask"),
        (replace(ACT, role=built_in_role("actor")), False, "TOOL_BLOCKED_BY_ROLE"),
    ],
)
@pytest.mark.parametrize("says_read_only", [True, False])
def test_of_an_mcp_call_the_users_list_decides_and_not_what_the_server_says(
    standing: PolicyContext, listed: bool, expected: str, says_read_only: bool
) -> None:
    standing = replace(standing, mcp_read_only=frozenset({("it", "look" if listed else "else"), ("other", "look")}))
    touch = PlacedEffect(McpEffect("it", "look", "f", says_read_only))
    assert verdict(standing, touch, required=frozenset(), approval=True) == expected


def test_with_review_each_edit_is_asked_about_and_nothing_else_that_the_plan_names() -> None:
    standing = replace(
        ACT,
        approval="review",
        planned_files=frozenset({"src/app.py"}),
        planned_commands=frozenset({"make"}),
    )
    asked = decide(
        Request("update_file", WRITES, needs_approval=False, touches=(path("write", "src/app.py"),)), standing
    )
    assert isinstance(asked, Ask)
    assert asked.reason == "you review each edit"
    assert verdict(standing, path("write", "src/other.py"), required=WRITES) == "ask"
    assert verdict(standing, command("make")) == "allow"
    assert verdict(standing, path("read", "src/app.py")) == "allow"
    always = replace(standing, rules=rules_for(asked, standing))
    assert verdict(always, path("write", "src/app.py"), required=WRITES) == "allow"


@pytest.mark.parametrize("standing", [PLAN, replace(ACT, approval="acceptAll")], ids=["plan", "act"])
@pytest.mark.parametrize(
    ("touch", "expected"),
    [
        (read_command("git status", "local-read"), "WORKSPACE_UNTRUSTED"),
        (read_command("pytest -q", "mutating"), "WORKSPACE_UNTRUSTED"),
        (McpEffect("docs", "search", "f", says_read_only=True), "WORKSPACE_UNTRUSTED"),
        (path("read", "src/app.py"), "allow"),
        (path("write", "a.plan"), "allow"),
    ],
)
def test_where_the_workspace_is_not_trusted_nothing_is_started(
    standing: PolicyContext, touch: PlacedEffect | McpEffect, expected: str
) -> None:
    touch = touch if isinstance(touch, PlacedEffect) else PlacedEffect(touch)
    allowed = replace(standing, mcp_read_only=frozenset({("docs", "search")}), held=frozenset({"local-read"}))
    assert verdict(replace(allowed, is_restricted=True), touch) == expected


@pytest.mark.parametrize(
    ("text", "bare", "expected"),
    [
        ("pytest -q 2>&1 | tail -5", "pytest -q", "allow"),
        ("pytest -q", "pytest -q", "allow"),
        ("pytest -q x | tail -5", "pytest -q x", "ask"),
        ("make all | tail -5", "make all", "ask"),
    ],
)
def test_filters_make_no_other_command_of_a_planned_one(text: str, bare: str, expected: str) -> None:
    assert verdict(ACT, read_as(text, bare)) == expected


def test_nor_of_one_that_is_always_allowed() -> None:
    plain, short = read_as("make all", "make all"), read_as("make all 2>&1 | head -9", "make all")
    (rule,) = always(short)
    assert rule == AllowedCommand(command="make all", directory=".")
    for rules in (frozenset({rule}), frozenset({AllowedCommand(command="make all 2>&1 | head -9", directory=".")})):
        assert verdict(replace(ACT, rules=rules), short) == "allow"
    assert verdict(replace(ACT, rules=frozenset({rule})), plain) == "allow"
    assert verdict(replace(ACT, rules=frozenset({rule})), read_as("make all x", "make all x")) == "ask"
    assert verdict(replace(ACT, rules=frozenset({rule}), commands_deny=frozenset({"head"})), short) != "allow"


def read_as(text: str, bare: str) -> PlacedEffect:
    touch = read_command(text, "unknown")
    assert touch.found is not None
    programs = tuple(part.split()[0] for part in text.split("|"))
    return replace(touch, found=replace(touch.found, bare=bare, programs=programs))


def always(touch: PlacedEffect) -> frozenset[Allowed]:
    asked = decide(Request("a_tool", frozenset(), False, (touch,)), ACT)
    assert isinstance(asked, Ask)
    return rules_for(asked, ACT)


def test_a_rule_for_calls_alike_covers_those_and_no_others() -> None:
    def alike(text: str, similar: str | None, *traits: CommandTrait) -> PlacedEffect:
        touch = read_command(text, "unknown", *traits)
        assert touch.found is not None
        return replace(touch, found=replace(touch.found, similar=(similar,) if similar else ()))

    example = alike("make all -k", "make all")
    asked = decide(Request("a_tool", frozenset(), False, (example,)), ACT)
    assert isinstance(asked, Ask)
    (rule,) = wider_rules_for(asked, ACT)
    assert str(rule) == "run `make all …` in the workspace folder, with its usual options and any files there"
    ruled = replace(ACT, rules=frozenset({rule}))
    assert verdict(ruled, example) == verdict(ruled, alike("make all", "make all")) == "allow"
    assert verdict(ruled, alike("make deploy", "make deploy")) == "ask"
    assert verdict(ruled, alike("make all X=1", None)) == "ask"
    assert verdict(ruled, alike("make all", "make all", "outside")) == "ask"
    assert verdict(ruled, alike("make all", "make all", "infrastructure")) == "ask"
    assert verdict(ruled, replace(example, place=path("read", "sub").place)) == "ask"
    assert verdict(replace(ruled, commands_deny=frozenset({"make"})), example) not in ("allow", "ask")
    in_plan = replace(PLAN, contain="ask", held=frozenset({"contain"}), rules=frozenset({rule}))
    assert verdict(in_plan, example) == "ask"
