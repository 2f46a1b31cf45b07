"""Names that a plan changes, and the places that use them and that it leaves as they are."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from planact.base.text import counted
from planact.model.plan import Step
from planact.plan.syntax import code_span

_MAX_NAMES = 5
"""Most names of one step; those behind them are not looked up."""

_MOST_SHOWN = 4
_MOST_PLACES = 5
_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_NAME = re.compile(r"(?:\w+(?:\.|::|#|->))*([^\W\d]\w+)(?:\(\))?")


@dataclass(frozen=True, slots=True)
class NameUses:
    """A name that a step changes, and the files, each with its lines from 1, that use it and that no step names."""

    name: str
    uses: tuple[tuple[str, tuple[int, ...]], ...]


def names_to_change(step: Step) -> tuple[str, ...]:
    """Return the names that stand as code in the step's action, without what qualifies them. Whether a name is one of
    the code's, the caller looks up.
    """
    spans = (span for span in _CODE.findall(step.action) if span not in step.files)
    names = (found[1] for span in spans if (found := _NAME.fullmatch(span)))
    return tuple(dict.fromkeys(names))[:_MAX_NAMES]


def impact_text(found: Sequence[NameUses]) -> str:
    """Say where the names are used, as Markdown in one line; empty where they aren't."""
    told = "; ".join(f"{code_span.wrap(each.name)} in {_places(each)}" for each in found[:_MOST_SHOWN])
    left = len(found) - _MOST_SHOWN
    return f"{told}; and {counted(left, 'more name')}" if left > 0 else told


def _places(found: NameUses) -> str:
    shown = [f"{code_span.path_as_code(path)} ({', '.join(map(str, lines[:3]))}{', …' if lines[3:] else ''})"
             for path, lines in found.uses[:_MOST_PLACES]]  # fmt: skip
    left = len(found.uses) - len(shown)
    return ", ".join(shown) + (f" and {left} more" if left else "")
