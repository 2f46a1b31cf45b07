"""The linter: one module per rule with a function `check`. `codes.md` explains and shows each code.

Each module of this folder is a rule, so adding one takes no list. The parser reports faults of the syntax itself.
"""

from collections.abc import Callable, Iterable
from importlib import import_module
from pkgutil import iter_modules

from planact.plan.lint_context import LintContext
from planact.plan.syntax.tree import PlanProblem, PlanTree

LintRule = Callable[[PlanTree, LintContext], Iterable[PlanProblem]]

LINT_RULES: tuple[LintRule, ...] = tuple(
    import_module(f"{__name__}.{module.name}").check for module in iter_modules(__path__)
)


def lint(tree: PlanTree, context: LintContext) -> tuple[PlanProblem, ...]:
    """Return the problems of a document, those of its syntax too, in the order of the text."""
    found = [problem for rule in LINT_RULES for problem in rule(tree, context)]
    return tuple(sorted((*tree.problems, *found), key=lambda problem: (problem.span, problem.code)))
