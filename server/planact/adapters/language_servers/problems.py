"""Diagnostics as a language server sends them, and the same in planact's words."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

from planact.model.file import EditorProblem, ProblemSeverity

_MOST_PROBLEMS = 500  # of a file
_LONGEST = 2_000  # characters of a message
_LARGEST_NUMBER = 2**31 - 1  # of the protocol
_SEVERITIES: Sequence[ProblemSeverity] = ("error", "warning", "information", "hint")


def diagnostics_in(items: Sequence[Any]) -> Sequence[Mapping[str, Any]]:
    """Return the diagnostics of a file among what was sent as such, at most 500."""
    return [item for item in items[:_MOST_PROBLEMS] if isinstance(item, Mapping)]


def problem_of(path: str, item: Mapping[str, Any]) -> EditorProblem:
    """Return a diagnostic as the problem that it tells of."""
    severity, code, source = item.get("severity"), item.get("code"), item.get("source")
    return EditorProblem(
        path,
        line_of(item) + 1,
        _SEVERITIES[severity - 1] if isinstance(severity, int) and 1 <= severity <= len(_SEVERITIES) else "error",
        str(item.get("message", ""))[:_LONGEST],
        source[:_LONGEST] if isinstance(source, str) else "",
        str(code)[:_LONGEST] if isinstance(code, int | str) else "",
    )


def line_of(item: Mapping[str, Any]) -> int:
    """Return the line, from 0, in which a diagnostic begins; 0 for one that names none."""
    place: Any = item
    for name in ("range", "start", "line"):
        place = place.get(name) if isinstance(place, Mapping) else None
    return place if is_number(place) else 0


def is_number(value: Any) -> TypeGuard[int]:
    """Return whether a value is a number as the protocol has them for lines and units."""
    return type(value) is int and 0 <= value <= _LARGEST_NUMBER
