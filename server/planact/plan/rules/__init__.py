"""The linter: one file per rule, all of them in `RULES`. Codes are explained in `plan.codes`.

What the syntax itself breaks is found by the parser and reported along with the rest.
"""

from collections.abc import Callable, Iterable

from planact.plan.problem import Problem
from planact.plan.rules import (
    changed_file,
    check_commands,
    check_list,
    conflict_markers,
    format_version,
    front_matter_values,
    missing_file,
    missing_goal,
    misspelt,
    no_steps,
    numbering,
    step_without_reason,
    unanswered_question,
    unknown_key,
    unknown_mark,
    unknown_tool,
    unnamed_risk,
    unresolved_parameter,
)
from planact.plan.surroundings import Surroundings
from planact.plan.tree import PlanTree

Rule = Callable[[PlanTree, Surroundings], Iterable[Problem]]

RULES: tuple[Rule, ...] = (
    missing_goal.check,
    no_steps.check,
    numbering.check,
    unknown_mark.check,
    unknown_key.check,
    format_version.check,
    unknown_tool.check,
    step_without_reason.check,
    front_matter_values.check,
    missing_file.check,
    changed_file.check,
    check_commands.check,
    unnamed_risk.check,
    unresolved_parameter.check,
    unanswered_question.check,
    conflict_markers.check,
    misspelt.check,
    check_list.check,
)


def lint(tree: PlanTree, around: Surroundings) -> tuple[Problem, ...]:
    """All problems of a document in the order of the text."""
    found = [problem for rule in RULES for problem in rule(tree, around)]
    return tuple(sorted((*tree.problems, *found), key=lambda problem: (problem.span, problem.code)))
