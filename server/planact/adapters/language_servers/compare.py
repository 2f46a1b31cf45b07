"""The difference that edits made to the errors of a file: by what they say, never by their line."""

from collections import Counter
from collections.abc import Sequence

from planact.model.file import EditorProblem


def errors_of(problems: Sequence[EditorProblem]) -> tuple[EditorProblem, ...]:
    """Return the errors among problems."""
    return tuple(problem for problem in problems if problem.severity == "error")


def compare_errors(
    before: Sequence[EditorProblem], after: Sequence[EditorProblem]
) -> tuple[tuple[EditorProblem, ...], int]:
    """Return the errors of `after` that are new, and the number of those of `before` that are gone."""
    known = Counter(map(_identity, errors_of(before)))
    new = []
    for problem in errors_of(after):
        if known[_identity(problem)] > 0:
            known[_identity(problem)] -= 1
        else:
            new.append(problem)
    return tuple(new), known.total()


def _identity(problem: EditorProblem) -> tuple[str, str]:
    return problem.message, problem.code
