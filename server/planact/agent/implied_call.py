"""Calls that a model wrote as JSON into its text instead of calling the tool: a plan or a question.

The JSON may stand fenced or not, with text around it. It isn't shown: the plan document and the question are.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from planact.base.span import Span
from planact.model.chat.message import ToolCall
from planact.model.plan import FORMAT_VERSION

_STEP_KEYS = {
    "action", "reason", "tools_needed", "files", "expected_outcome", "validation_checks", "estimated_time",
}  # fmt: skip
_PLAN_KEYS = {
    "goal", "description", "analysis", "assumptions", "prerequisites", "risks", "validation",
    "estimated_total_time", "has_infrastructure_changes",
}  # fmt: skip
_FIRST_KEYS = _PLAN_KEYS | {
    "type", "steps", "id", "format_version", "question", "context", "severity", "created_at", "name", "function",
}  # fmt: skip
"""Keys that such an object may begin with."""

_BEGINNING = re.compile(r'(?:```\w{0,9}[ \t]*\r?\n\s{0,9})?\{\s{0,40}"([^"\r\n]{0,40})"')
_PART = re.compile(
    r"`{1,3}|```\w{0,9}[ \t]*\r?(?:\n\s{0,9})?"
    r"|(?:```\w{0,9}[ \t]*\r?\n\s{0,9})?\{\s{0,40}(?:\"[^\"\r\n]{0,40})?"
)
_FENCE_BEFORE = re.compile(r"```\w{0,9}[ \t]*\r?\n\s*\Z")
_FENCE_AFTER = re.compile(r"\s*\n```[ \t]*(?=\r?\n|\Z)")
_MOST_TRIES = 20
"""Places of a text where an object may begin that are tried: each costs a parse."""


class ImpliedCall(NamedTuple):
    """A call, and the text without its JSON."""

    call: ToolCall
    text: str


def implied_call(text: str, call_id: str) -> ImpliedCall | None:
    """Return the call that `text` amounts to; None = it is just text, also where it holds several.

    The call passes the gate like any other, and its tool refuses a format version that it doesn't know.
    """
    found = [(span, call) for span, data in _objects(text) if (call := _call(data, call_id))]
    if len(found) != 1:
        return None
    (span, call) = found[0]
    before, after = text[: span.start], text[span.end :]
    if (opens := _FENCE_BEFORE.search(before)) and (closes := _FENCE_AFTER.match(after)):
        before, after = before[: opens.start()], after[closes.end() :]
    return ImpliedCall(call, "\n\n".join(part for part in (before.strip(), after.strip()) if part))


def unknown_version(call: ToolCall) -> str:
    """Return the format version that a plan or a question states and that isn't supported; empty = none."""
    if call.name not in ("write_plan", "ask_user") or '"format_version"' not in call.arguments:
        return ""
    try:
        data = json.loads(call.arguments)
    except (ValueError, RecursionError):
        return ""
    version = data.get("format_version", FORMAT_VERSION) if isinstance(data, dict) else FORMAT_VERSION
    return "" if version == FORMAT_VERSION else str(version)[:40]


@dataclass(slots=True)
class ShownText:
    """A stream of text of which people see all but such a call: text from its first sign on is held back."""

    _held: str = ""
    _shown: str = ""
    _is_in_call: bool = False

    def add(self, text: str) -> str:
        """Return the part of the stream that can be shown now."""
        self._held += text
        return "" if self._is_in_call else self._release(self._clear_length())

    def rest(self, whole: str) -> str:
        """Return the text left to show at the end of the stream, of which `whole` is the answer's text."""
        implied = implied_call(whole, "")
        if implied is None:
            return self._release(len(self._held))
        said = implied.text
        return said[len(self._shown.rstrip()) :] if said.startswith(self._shown.rstrip()) else ""

    def _clear_length(self) -> int:
        """Return the length of the held text that is surely no part of a call."""
        at = 0
        while (match := re.compile(r"```|\{|`{1,2}\Z").search(self._held, at)) is not None:
            begins = _BEGINNING.match(self._held, match.start())
            if begins and begins[1] in _FIRST_KEYS:
                self._is_in_call = True
                return match.start()
            if begins is None and _PART.fullmatch(self._held, match.start()):
                return match.start()
            at = match.start() + 1
        return len(self._held)

    def _release(self, length: int) -> str:
        shown, self._held = self._held[:length], self._held[length:]
        self._shown += shown
        return shown


def _objects(text: str) -> Iterator[tuple[Span, dict[str, Any]]]:
    """The JSON objects of a text that begin like a plan or a question, with their places."""
    decoder, at = json.JSONDecoder(), 0
    for _ in range(_MOST_TRIES):
        match = _BEGINNING.search(text, at)
        if match is None:
            return
        start = text.index("{", match.start())
        at = start + 1
        if match[1] not in _FIRST_KEYS:
            continue
        try:
            data, at = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        yield Span(start, at), data


def plan_call(plan: dict[str, Any], call_id: str) -> ToolCall:
    """Return the call that submits a plan, without what a model may not say of one."""
    steps = [
        {key: value for key, value in step.items() if key in _STEP_KEYS}
        for step in plan["steps"]
        if isinstance(step, dict)
    ]
    own = {key: value for key, value in plan.items() if key in _PLAN_KEYS} | {"steps": steps}
    version = plan.get("format_version", FORMAT_VERSION)
    return ToolCall.of(call_id, "write_plan", own | ({} if version == FORMAT_VERSION else {"format_version": version}))


def _submitted(data: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of an object that calls `write_plan` by its name; any other object as it is."""
    named = data["function"] if isinstance(data.get("function"), dict) else data
    given = [named[key] for key in ("arguments", "parameters") if isinstance(named.get(key), dict)]
    return given[0] if named.get("name") == "write_plan" and len(given) == 1 else data


def _call(data: dict[str, Any], call_id: str) -> ToolCall | None:
    data = _submitted(data)
    if data.get("type") == "question" and isinstance(data.get("question"), str):
        version = data.get("format_version", FORMAT_VERSION)
        stated = {} if version == FORMAT_VERSION else {"format_version": version}
        question = {key: value for key, value in data.items() if key not in ("type", "format_version")}
        return ToolCall.of(call_id, "ask_user", {"questions": [question], **stated})
    if data.get("type", "plan") == "plan" and isinstance(data.get("goal"), str) and isinstance(data.get("steps"), list):
        return plan_call(data, call_id)
    return None
