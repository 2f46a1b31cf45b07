"""Problems of files as the model reads them: what language servers say is cut, and makes no line of its own."""

from collections.abc import Iterator, Sequence

from planact.base.text import counted, named, one_line
from planact.model.file import EditCheck, EditorProblem

MAX_NEW_ERRORS = 10
"""New errors of one edit that are told."""

_LONGEST, _LONGEST_SOURCE = 500, 100


def problem_line(problem: EditorProblem) -> str:
    """Return the line of a problem."""
    words = " ".join(one_line(text, _LONGEST_SOURCE) for text in (problem.source, problem.code) if text)
    place = f"{named(problem.path)}:{problem.line}"
    return f"{place}: {problem.severity}: {one_line(problem.message, _LONGEST)}{f' ({words})' if words else ''}"


def new_error_lines(checks: Sequence[EditCheck]) -> Iterator[str]:
    """Yield the lines of the errors that are new, the first ten."""
    new = [problem for check in checks for problem in check.new or ()]
    yield from map(problem_line, new[:MAX_NEW_ERRORS])
    if len(new) > MAX_NEW_ERRORS:
        yield f"… and {len(new) - MAX_NEW_ERRORS} more"


def edit_check_lines(checks: Sequence[EditCheck]) -> Iterator[str]:
    """Yield the lines on edited files: what a server says of each, or that it said nothing yet."""
    left = MAX_NEW_ERRORS
    for check in checks:
        path, server = named(check.path), named(check.server)
        if check.new is None:
            later = f"{server} hasn't checked {path} yet: what it finds comes with a later result"
            trouble = one_line(check.trouble, _LONGEST)
            yield f"{server} can't check {path} and further files: {trouble}" if trouble else later
            continue
        yield f"{server}: {_summary(check, path)}"
        yield from map(problem_line, check.new[:left])
        if len(check.new) > left:
            yield f"… and {len(check.new) - left} more"
        left -= min(left, len(check.new))


def _summary(check: EditCheck, path: str) -> str:
    number = len(check.new or ())
    if not check.is_compared:
        unsure = "; which of them your edit made isn't known" if number else ""
        return f"{_count(number, 'error')} in {path}{unsure}"
    gone = f", {check.gone} gone" if check.gone else ""
    return f"{_count(number, 'new error')} in {path} since your edit{gone}"


def _count(number: int, noun: str) -> str:
    return counted(number, noun) if number else f"no {noun}s"
