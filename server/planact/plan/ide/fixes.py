"""Quick fixes of the problems at a place, new numbers for steps whose numbers are only odd, and `files` from text."""

from collections.abc import Iterable, Iterator

from planact.base.span import Span
from planact.plan.implied_files import ImpliedFiles
from planact.plan.syntax.edits import add_detail, renumber
from planact.plan.syntax.tree import Fix, PlanProblem, PlanTree


def fixes(problems: Iterable[PlanProblem], selection: Span) -> Iterator[tuple[PlanProblem, Fix]]:
    """Yield each fix of a problem that the selection touches; a fix of several problems comes once."""
    seen: set[Fix] = set()
    for problem in problems_at(problems, selection):
        yield from ((problem, fix) for fix in problem.fixes if fix not in seen)
        seen.update(problem.fixes)


def problems_at(problems: Iterable[PlanProblem], selection: Span) -> Iterator[PlanProblem]:
    """Yield the problems that the selection touches."""
    return (each for each in problems if each.span.start <= selection.end and selection.start <= each.span.end)


def listings(tree: PlanTree, implied: ImpliedFiles, selection: Span) -> Iterator[Fix]:
    """Yield a fix for each step of the selection that writes the files that its text names into its `files`."""
    for step in tree.steps:
        paths = implied.get(step.step_number)
        if paths and step.is_open and step.span.start <= selection.end and selection.start <= step.span.end:
            edit = add_detail(tree, step, "files", ", ".join(paths))
            yield Fix(f"List the files of step {step.step_number}: {', '.join(paths)}", (edit,))


def renumbering(tree: PlanTree, selection: Span) -> tuple[Fix, ...]:
    """Return the fix for a selection among the steps, if their numbers aren't 1, 2, 3 from the top."""
    section = tree.section("steps")
    if section is None or not (section.span.start <= selection.start <= section.span.end):
        return ()
    edits = renumber(tree)
    return (Fix("Renumber the steps", edits),) if edits else ()
