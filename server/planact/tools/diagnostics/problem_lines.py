"""Problems of files as the model reads them: what language servers say is cut, and makes no line of its own."""

from collections.abc import Iterator, Sequence

from planact.base.text import named, one_line
from planact.model.file import EditCheck, EditorProblem

MAX_NEW_ERRORS = 10
"""New errors of one edit that are told."""

_LONGEST, _LONGEST_SOURCE = 500, 100


def problem_line(problem: EditorProblem) -> str:
    """Return the line of a problem."""
    words = " ".join(one_line(text, _LONGEST_SOURCE) for text in (problem.source, problem.code) if text)
    place = f"{named(problem.path)}:{problem.line}"
    return f"{place}: {problem.severity}: {one_line(problem.message, _LONGEST)}{f' ({words})' if words else ''}"


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
        gone = f", {check.gone} gone" if check.gone else ""
        yield f"{server}: {_count(len(check.new))} in {path} since your edit{gone}"
        yield from map(problem_line, check.new[:left])
        if len(check.new) > left:
            yield f"… and {len(check.new) - left} more"
        left -= min(left, len(check.new))


def _count(number: int) -> str:
    return "no new errors" if number == 0 else "1 new error" if number == 1 else f"{number} new errors"
