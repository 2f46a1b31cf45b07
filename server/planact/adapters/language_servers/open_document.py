"""A text that a language server was shown, and what it said of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

QUIET_SECONDS = 1.0
"""A server that names no versions has said all of a text when it has said nothing more for so long: the first word of
some is about the syntax alone."""


@dataclass(slots=True)
class OpenDocument:
    """An open text. `said` is the number of the version that the server spoke of last, or None for one that names none;
    `heard` is the moment of that, 0 = it said nothing since the text changed.
    """

    uri: str
    text: str
    version: int
    said: int | None = None
    heard: float = 0.0
    diagnostics: Sequence[Mapping[str, Any]] = ()


def rest_of(document: OpenDocument) -> float | None:
    """Return the seconds until what the server said of the text counts as all of it; None = it said nothing yet."""
    if not document.heard:
        return None
    if document.said is not None:
        return 0
    return max(0.0, document.heard + QUIET_SECONDS - monotonic())
