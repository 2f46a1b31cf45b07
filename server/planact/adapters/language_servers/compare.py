"""The difference that edits made to the errors of a file: by what they say, never by their line."""

import hashlib
from collections import Counter, OrderedDict
from collections.abc import Sequence

from planact.model.file import EditCheck, EditorProblem, FileCheck

_MOST_TEXTS = 500


class KnownProblems:
    """The problems that texts of files had when they were last looked at, for the newest 500 of them."""

    def __init__(self) -> None:
        self._by_text: OrderedDict[tuple[str, str], Sequence[EditorProblem]] = OrderedDict()

    def note(self, path: str, text: str, problems: Sequence[EditorProblem]) -> None:
        key = path, _digest(text)
        self._by_text[key] = problems
        self._by_text.move_to_end(key)
        if len(self._by_text) > _MOST_TEXTS:
            self._by_text.popitem(last=False)

    def of(self, path: str, text: str | None) -> Sequence[EditorProblem] | None:
        """Return the problems of a text, None = not known; a missing file has none."""
        return () if text is None else self._by_text.get((path, _digest(text)))


def compared(check: FileCheck, before: Sequence[EditorProblem] | None) -> EditCheck:
    """Return the new problems of a file that had those of `before`; None = not known."""
    if check.problems is None:
        return EditCheck(check.path, check.server, trouble=check.trouble)
    new, gone = compare_errors(before or (), check.problems)
    count = len(errors_of(check.problems))
    return EditCheck(check.path, check.server, new, gone, is_compared=before is not None, errors=count)


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


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _identity(problem: EditorProblem) -> tuple[str, str]:
    return problem.message, problem.code
