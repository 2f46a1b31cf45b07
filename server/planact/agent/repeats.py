"""Detection of calls that a model repeats with the same result, which would use up its budget."""

from dataclasses import dataclass, field
from typing import Literal

from planact.model.chat.message import ToolCall
from planact.tools.tool_result import Failed, Refused, ToolResult

SAME_REFUSALS = 3
"""Identical refusals in a row that end the turn."""

SAME_CALLS = 3
"""Calls in a row with the same result: the last of them is not run, and the one after it ends the turn."""


_WAITS = frozenset({"read_output"})
"""Calls that may be repeated, since they wait."""


@dataclass(frozen=True, slots=True)
class Circle:
    """Reason to end the turn: calls were `refused`, or a `limit` was reached from which it can go on."""

    kind: Literal["refused", "limit"]
    reason: str


@dataclass(slots=True)
class Repeats:
    """The last calls of a turn with their results."""

    _refusals: list[str] = field(default_factory=list)
    _calls: list[tuple[str, str]] = field(default_factory=list)
    _warned: str = ""

    def again(self, call: ToolCall) -> Failed | None:
        """Return the answer to a call that is not run again; None = run it."""
        key = _key(call)
        is_same = bool(self._calls) and all(each == (key, self._calls[0][1]) for each in self._calls)
        if not is_same or len(self._calls) < SAME_CALLS - 1:
            return None
        message = f"this very call was made {SAME_CALLS - 1} times in a row with the same result, and is not run again"
        return Failed("SAME_CALL_AGAIN", message, "Do something else, or say what keeps you from it.")

    def note(self, call: ToolCall, outcome: ToolResult) -> Circle | None:
        """Note a call's result; return why the turn must end, None = it goes on."""
        key = _key(call)
        if isinstance(outcome, Refused):
            self._calls.clear()
            self._refusals.append(f"{key} {outcome.code}")
            if self._refusals[-SAME_REFUSALS:] != [self._refusals[-1]] * SAME_REFUSALS:
                return None
            reason = f"{call.name} was refused {SAME_REFUSALS} times in a row ({outcome.code}): {outcome.message}"
            return Circle("refused", reason)
        self._refusals.clear()
        if isinstance(outcome, Failed) and outcome.code == "SAME_CALL_AGAIN":
            if self._warned == key:
                reason = f"{call.name} was called again and again with the same arguments and the same result"
                return Circle("limit", f"{reason}. Say what to do instead, or go on. [SAME_CALL_AGAIN]")
            self._warned = key
            return None
        self._warned = ""
        made = [*self._calls, (key, outcome.for_model())]
        self._calls = [] if call.name in _WAITS else made[-SAME_CALLS + 1 :]
        return None


def _key(call: ToolCall) -> str:
    return f"{call.name} {call.arguments}"
