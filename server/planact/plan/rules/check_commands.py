"""PLAN017 and PLAN018: checks are the evidence for a step, so they must be able to run."""

from collections.abc import Iterator

from planact.plan.lint_context import LintContext
from planact.plan.references import names_in, validation_commands
from planact.plan.syntax.lower import step_checks
from planact.plan.syntax.tree import PlanProblem, PlanTree


def commands_to_judge(tree: PlanTree) -> Iterator[str]:
    """Yield all commands that the plan would run to check itself."""
    for step in tree.steps:
        yield from step_checks(step)
    yield from (command for command, _ in validation_commands(tree))


def check(tree: PlanTree, context: LintContext) -> Iterator[PlanProblem]:
    """Report commands that bash can't read, and those that the settings deny."""
    if not context.unreadable_commands and not context.denied_commands:
        return
    found = [command for step in tree.steps for command in names_in(tree, step, "check")]
    for command, at in (*found, *validation_commands(tree)):
        if fault := context.unreadable_commands.get(command):
            message = f"bash can't read this command: {fault}"
            yield PlanProblem(at, "PLAN017", "warning", message, "Correct it, or the step can't pass.")
        if command in context.denied_commands:
            message = f"your settings deny the command {command[:80]!r}"
            yield PlanProblem(at, "PLAN018", "error", message, "Use another check, or change `commands.deny`.")
