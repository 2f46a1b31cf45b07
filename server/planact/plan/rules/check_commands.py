"""PLAN017 and PLAN018: checks are the evidence for a step, so they must be able to run."""

from collections.abc import Iterator

from planact.plan.lower import step_checks
from planact.plan.problem import Problem
from planact.plan.references import names_in, validation_commands
from planact.plan.surroundings import Surroundings
from planact.plan.tree import PlanTree


def commands_to_judge(tree: PlanTree) -> Iterator[str]:
    """All commands that the plan would run to check itself."""
    for step in tree.steps:
        yield from step_checks(step)
    yield from (command for command, _ in validation_commands(tree))


def check(tree: PlanTree, around: Surroundings) -> Iterator[Problem]:
    """Report commands that bash can't read, and those that the settings deny."""
    if not around.unreadable_commands and not around.denied_commands:
        return
    found = [command for step in tree.steps for command in names_in(tree, step, "check")]
    for command, at in (*found, *validation_commands(tree)):
        if fault := around.unreadable_commands.get(command):
            message = f"bash can't read this command: {fault}"
            yield Problem(at, "PLAN017", "warning", message, "Correct it, or the step can't pass.")
        if command in around.denied_commands:
            message = f"your settings deny the command {command[:80]!r}"
            yield Problem(at, "PLAN018", "error", message, "Use another check, or change `commands.deny`.")
