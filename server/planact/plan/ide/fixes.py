"""Quick fixes: how to mend what is wrong at a place, and how to number steps whose numbers are only odd."""

from collections.abc import Iterable, Iterator

from planact.base.span import Span
from planact.plan.edits import renumber
from planact.plan.problem import Fix, Problem
from planact.plan.tree import PlanTree


def fixes(problems: Iterable[Problem], selection: Span) -> Iterator[tuple[Problem, Fix]]:
    """Each way to mend a problem that the selection touches; what mends several at once comes once."""
    seen: set[Fix] = set()
    for problem in problems_at(problems, selection):
        yield from ((problem, fix) for fix in problem.fixes if fix not in seen)
        seen.update(problem.fixes)


def problems_at(problems: Iterable[Problem], selection: Span) -> Iterator[Problem]:
    """Those that the selection touches."""
    return (each for each in problems if each.span.start <= selection.end and selection.start <= each.span.end)


def renumbering(tree: PlanTree, selection: Span) -> tuple[Fix, ...]:
    """For a selection among the steps, if their numbers aren't 1, 2, 3 from the top."""
    section = tree.section("steps")
    if section is None or not (section.span.start <= selection.start <= section.span.end):
        return ()
    edits = renumber(tree)
    return (Fix("Renumber the steps", edits),) if edits else ()
