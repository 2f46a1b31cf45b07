"""The linter: one file per rule, all of them in `RULES`. Codes are listed in `plan.problem`.

What the syntax itself breaks is found by the parser and reported along with the rest.
"""

from collections.abc import Callable, Collection, Iterable

from planact.plan.problem import Problem
from planact.plan.rules import (
    format_version,
    front_matter_values,
    missing_goal,
    no_steps,
    numbering,
    step_without_reason,
    unknown_key,
    unknown_mark,
    unknown_tool,
)
from planact.plan.tree import PlanTree

Rule = Callable[[PlanTree, Collection[str]], Iterable[Problem]]

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
)


def lint(tree: PlanTree, known_tools: Collection[str]) -> tuple[Problem, ...]:
    """All problems of a document in the order of the text; `known_tools` are the names of the tools there are."""
    found = [problem for rule in RULES for problem in rule(tree, known_tools)]
    return tuple(sorted((*tree.problems, *found), key=lambda problem: (problem.span, problem.code)))
