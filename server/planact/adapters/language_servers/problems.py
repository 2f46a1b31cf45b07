"""Diagnostics as a language server sends them, and the same in planact's words."""

from collections.abc import Mapping, Sequence
from typing import Any

from planact.model.file import EditorProblem, ProblemSeverity

_MOST_PROBLEMS = 500  # of a file
_LONGEST = 2_000  # characters of a message
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
    return place if isinstance(place, int) and place >= 0 else 0
