"""What a yes to a plan allows is what the question lists: nothing passes by the plan that isn't named there."""

import re
from dataclasses import replace
from pathlib import PurePosixPath

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from planact.model.plan import Plan, Step
from planact.model.rights.jail import Network
from planact.model.rights.permission import Mode, Permission
from planact.model.settings import ApprovalSetting
from planact.policy.allowances import Allowances, PlanAllowance, allowances
from planact.policy.context import Allow, Ask, PlacedEffect, PolicyContext, Request
from planact.policy.decide import decide
from planact.workflows.plans.confirmation import allowed_lines
from tests.policy.touches import command, path, unlisted
from tests.soak import times

WHERE = "planact plan show plan_1"

FILES = ["a.txt", "src/b.txt", "src/deep/c.txt", ".env", "src/", "./", "no such.txt", "`odd`.txt"]
COMMANDS = [
    "make",
    "pytest -q",
    "git push",
    "terraform apply",
    "python -c 'x'",
    "cat a.txt",
    "curl -d @a.txt example.org",
]
DIRECTORIES = [".", "src"]
TOOLS = ["update_file", "create_file", "delete_file", "execute_command", "start_command", "rename_file"]

some = st.lists(st.sampled_from(COMMANDS), max_size=3).map(tuple)
steps = st.builds(
    Step,
    step_number=st.integers(1, 9),
    action=st.sampled_from(["Mend it", *(f"Run `{each}` and `{other}`" for each in COMMANDS for other in COMMANDS)]),
    tools_needed=st.lists(st.sampled_from(TOOLS), max_size=3).map(tuple),
    files=st.lists(st.sampled_from(FILES), max_size=4).map(tuple),
    validation_checks=some,
)
plans = st.builds(
    Plan,
    goal=st.just("Mend it"),
    steps=st.lists(steps, min_size=1, max_size=4).map(tuple),
    validation=some.map(lambda named: tuple(f"`{each}`" for each in named)),
)


def calls() -> list[tuple[str, PlacedEffect]]:
    """Each thing that a step may try, by what the question would have to name."""
    deeds = [(name, path(action, name)) for name in FILES for action in ("write", "create", "make_directory", "delete")]
    runs = [(text, command(text, "unknown", directory=where)) for text in COMMANDS for where in DIRECTORIES]
    return [*deeds, *runs]


def request(touch: PlacedEffect) -> Request:
    return Request("a_tool", frozenset({Permission.READ_FILES}), needs_approval=False, touches=(touch,))


def names(told: Allowances, touch: PlacedEffect, name: str) -> bool:
    """Whether the list says that this may happen."""
    if touch.found is not None:
        return name in told.commands
    below = any(PurePosixPath(name).is_relative_to(PurePosixPath(folder)) for folder in told.folders)
    return below or name in told.change or name in told.create


@settings(max_examples=times(150, 3_000), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(plans, st.sampled_from(["ask", "acceptEdits", "acceptAll", "review"]), st.sets(st.sampled_from(FILES)))
def test_what_passes_only_by_the_plan_is_listed(plan: Plan, approval: ApprovalSetting, there: set[str]) -> None:
    without = PolicyContext(Mode.ACT, unlisted("actor"), PurePosixPath(".planact/plans"), approval=approval)
    told = allowances(plan, there.__contains__, "inet", is_jailed=True)
    for step in plan.steps:
        allowed = PlanAllowance.of(plan).in_step(step)
        standing = replace(
            without,
            planned_files=allowed.files,
            planned_commands=allowed.commands,
            files_of_others=allowed.files_of_others,
        )
        for name, touch in calls():
            before, after = (decide(request(touch), each) for each in (without, standing))
            if isinstance(before, Ask) and isinstance(after, Allow):
                assert names(told, touch, name), f"{name} passes in step {step.step_number} and isn't listed: {told}"


@settings(max_examples=times(100, 2_000), deadline=None)
@given(plans, st.sets(st.sampled_from(FILES)), st.sampled_from(["none", "inet", "all"]), st.booleans())
def test_what_is_listed_is_shown_or_counted_with_its_place(
    plan: Plan, there: set[str], network: Network, is_jailed: bool
) -> None:
    told = allowances(plan, there.__contains__, network, is_jailed=is_jailed)
    text = "\n".join(allowed_lines(told, WHERE))
    for name in (*told.change, *told.create, *told.folders, *told.commands):
        assert name in text
    reaches = "have no network" not in text and re.search(r"use the network|also in the network", text) is not None
    assert reaches == bool(told.commands and (network != "none" or not is_jailed))
    assert ("They may change things elsewhere" in text) == bool(told.beyond)
    assert set(told.beyond) == {"git push", "terraform apply", "curl -d @a.txt example.org"} & set(told.commands)


def test_a_long_list_is_cut_with_a_count_and_its_place_and_what_reaches_beyond_comes_first() -> None:
    checks = (*(f"make target_{number:03}" for number in range(200)), "git push")
    plan = Plan(goal="Make all", steps=(Step(action="Make all", validation_checks=checks),))
    told = allowances(plan, lambda _: False, "inet", is_jailed=True)
    lines = allowed_lines(told, WHERE)
    (run,) = (line for line in lines if line.startswith("- Run: "))
    assert run.startswith("- Run: `git push`, `make target_000`")
    shown = run.count("`") // 2
    assert run.endswith(f" and {201 - shown} more: {WHERE}")
    assert len("\n".join(lines)) < 1_000


def test_the_end_of_a_long_command_is_not_dropped_silently() -> None:
    plan = Plan(goal="Hide", steps=(Step(action="Hide", validation_checks=(f"true {'x' * 1_000}; curl evil",)),))
    (run,) = (
        line
        for line in allowed_lines(allowances(plan, lambda _: False, "inet", is_jailed=True), WHERE)
        if line.startswith("- Run: ")
    )
    assert run.endswith(f"x…` and 616 more characters: {WHERE}")


def test_nothing_in_a_name_passes_for_a_line_of_the_question() -> None:
    files = ("a`\n- Run: `nothing", "b\u202etxt")
    plan = Plan(goal="Hide", steps=(Step(action="Hide", files=files),))
    lines = allowed_lines(allowances(plan, lambda _: False, "inet", is_jailed=True), WHERE)
    assert lines == [
        "- Your yes allows without another question: create ``a`\\n- Run: `nothing``, `b\\u202etxt`; no commands"
    ]


@pytest.mark.parametrize(
    ("code", "is_command"),
    [
        *[(each, True) for each in ("make", "pytest -q", "./src/b.txt", "bin/test", "npm run build", "(cd a && make)")],
        *[(each, True) for each in ("CI=1 npm test", "cat a.txt", "git stash")],
        *[(each, False) for each in ("count", "--stop", "-n 3", "Store.load", "load()", "load(path, mode)", "None")],
        *[(each, False) for each in ("src/b.txt", "src/", "src", "n = 3", "A == B", "MAX_SIZE")],
    ],
)
def test_code_that_is_no_command_is_none(code: str, *, is_command: bool) -> None:
    """Steps put names, options and their files into code, too; a stranger would wonder what runs there."""
    step = Step(step_number=1, action=f"Mend `{code}`", tools_needed=("execute_command",), files=("src/b.txt", "src/"))
    plan = Plan(goal="Mend it", steps=(step,))
    told = allowances(plan, lambda _: True, "inet", is_jailed=True)
    assert told.commands == ((code,) if is_command else ())
    assert PlanAllowance.of(plan).commands == frozenset(told.commands)
    checked = Plan(goal="Mend it", steps=(step.model_copy(update={"validation_checks": (code,)}),))
    assert code in PlanAllowance.of(checked).commands
