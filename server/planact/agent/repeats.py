"""Detection of calls that a model repeats with the same results, which would use up its budget."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from planact.base.text import one_line
from planact.model.chat.message import ToolCall
from planact.tools.tool_result import Failed, Refused, ToolResult

SAME_REFUSALS = 3
"""Identical refusals in a row that end the turn."""

SAME_CALLS = 3
"""Times that the same calls are made in a row with the same results until the model is told, which doesn't get a
single call run again; the time after that ends the turn.
"""

LONGEST_SEQUENCE = 8
"""Calls that are made again and again, at most."""

_WAITS = frozenset({"read_output"})
"""Calls that may be repeated, since they wait."""

_VARIES = re.compile(
    r"\b\d+(?:[.,]\d+)?\s?(?:[mµun]?s|secs?|seconds?|minutes?)\b|\b\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?\b"
)
"""Times in a result, which differ each time."""


@dataclass(frozen=True, slots=True)
class Circle:
    """Calls go round: the model is to be `told`, or the turn to end, since calls were `refused` or reached a `limit`
    from which it can go on.
    """

    kind: Literal["told", "refused", "limit"]
    reason: str


class _Made(NamedTuple):
    key: str
    result: str
    is_refused: bool


@dataclass(slots=True)
class Repeats:
    """The last calls of a turn with their results."""

    _refusals: list[str] = field(default_factory=list)
    _made: list[_Made] = field(default_factory=list)
    _warned: str = ""

    def again(self, call: ToolCall) -> Failed | None:
        """Return the answer to a call that is not run again; None = run it."""
        last = self._made[1 - SAME_CALLS :]
        is_same = len(last) == SAME_CALLS - 1 and {*last} == {_Made(_key(call), last[0].result, False)}
        if not is_same:
            return None
        message = f"this very call was made {SAME_CALLS - 1} times in a row with the same result, and is not run again"
        return Failed("SAME_CALL_AGAIN", message, "Do something else, or say what keeps you from it.")

    def note(self, call: ToolCall, outcome: ToolResult) -> Circle | None:
        """Note a call's result; return the circle that it closes, None = the turn goes on."""
        key = _key(call)
        if isinstance(outcome, Failed) and outcome.code == "SAME_CALL_AGAIN":
            if self._warned == key:
                return _end([key])
            self._warned = key
            return None
        self._warned = ""
        if call.name in _WAITS and not isinstance(outcome, Refused):
            self._made, self._refusals = [], []
            return None
        result = _VARIES.sub("…", outcome.for_model())
        self._made = [*self._made, _Made(key, result, isinstance(outcome, Refused))][
            -LONGEST_SEQUENCE * (SAME_CALLS + 1) :
        ]
        return self._refused_again(call, outcome) or self._sequence_again()

    def _refused_again(self, call: ToolCall, outcome: ToolResult) -> Circle | None:
        if not isinstance(outcome, Refused):
            self._refusals.clear()
            return None
        self._refusals.append(f"{_key(call)} {outcome.code}")
        if self._refusals[-SAME_REFUSALS:] != [self._refusals[-1]] * SAME_REFUSALS:
            return None
        reason = f"{call.name} was refused {SAME_REFUSALS} times in a row ({outcome.code}): {outcome.message}"
        return Circle("refused", reason)

    def _sequence_again(self) -> Circle | None:
        for length in range(2, LONGEST_SEQUENCE + 1):
            same = _repeating(self._made, length)
            keys = [made.key for made in self._made[-length:]]
            if same >= (SAME_CALLS + 1) * length:
                return _end(keys)
            if same == SAME_CALLS * length:
                text = (
                    f"These {length} calls were made {SAME_CALLS} times in a row with the same results: {_shown(keys)}"
                )
                return Circle("told", f"{text}. Do something else, or say what keeps you from it.")
        return None


def _repeating(made: Sequence[_Made], length: int) -> int:
    """Return how many of the last calls are those before them over and over, `length` calls at a time."""
    count = length
    while count < len(made) and made[-count - 1] == made[length - count - 1]:
        count += 1
    return count


def _end(keys: Sequence[str]) -> Circle:
    what = "the same call was" if len(keys) == 1 else f"the same {len(keys)} calls were"
    reason = f"{what} made again and again with the same result{'s' * (len(keys) > 1)}: {_shown(keys)}"
    return Circle("limit", f"{reason}. Say what to do instead, or go on. [SAME_CALL_AGAIN]")


def _shown(keys: Sequence[str]) -> str:
    return ", ".join(one_line(key, 80) for key in keys)


def _key(call: ToolCall) -> str:
    try:
        arguments = json.dumps(json.loads(call.arguments), sort_keys=True, ensure_ascii=False)
    except (ValueError, RecursionError):
        arguments = call.arguments
    return f"{call.name} {arguments}"
