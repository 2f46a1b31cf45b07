"""Steps of a plan in the forms of other agents' task lists, read as ours where only one thing can be meant."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

PLAN_SPELLINGS = {
    "goal": "title objective",
    "steps": "plan tasks todos",
    "action": "title name task step content",
    "reason": "why rationale",
    "tools_needed": "tools tool",
    "files": "file paths",
    "expected_outcome": "expected outcome result",
    "validation_checks": "check checks validation verification",
}
"""Keys of plans and steps in other agents' words."""

_MORE = ("description", "details")
"""Keys that say more of a step's action, or all of it."""

_PLACES = ("step", "number", "id", "index", "order", "stepnumber", "stepid")
_NOT_BEGUN = re.compile(r"pending|todo|to do|not[ _]started|planned|open", re.IGNORECASE)


def _as_object(step: Any, place: int) -> Any:
    """Return a step as an object without its number and the word that it hasn't begun; a text is its action."""
    if isinstance(step, str) and step.strip():
        return {"action": re.sub(rf"\A\s*(?:step\s+)?{place}[.):]\s+", "", step, flags=re.IGNORECASE).strip()}
    if not isinstance(step, dict):
        return step
    return {key: value for key, value in step.items() if not _says_nothing(key, value, place)}


def with_whole_action(step: Mapping[str, Any], notes: list[str]) -> dict[str, Any]:
    """Return a step whose action says what stood beside it."""
    told = {key: value for key, value in step.items() if key in _MORE and isinstance(value, str) and value.strip()}
    if len(told) != 1 or not isinstance(step.get("action", ""), str):
        return dict(step)
    ((key, more),) = told.items()
    notes.append(f"`{key}` of a step goes into its `action`")
    action = ": ".join(text for text in (str(step.get("action", "")).strip().rstrip(".:"), more.strip()) if text)
    return {"action": action, **{name: value for name, value in step.items() if name not in ("action", key)}}


def _says_nothing(key: str, value: Any, place: int) -> bool:
    bare = re.sub(r"[^a-z0-9]", "", key.lower())
    if bare in _PLACES and isinstance(value, int | str):
        return bool(re.fullmatch(rf"(?:step[ _-]?)?0*{place}", str(value).strip(), re.IGNORECASE))
    return bare == "status" and isinstance(value, str) and bool(_NOT_BEGUN.fullmatch(value.strip()))


def steps_as_objects(steps: Any) -> Any:
    """Return the steps of a list as objects where they are texts or numbered."""
    if not isinstance(steps, Sequence) or isinstance(steps, str):
        return steps
    return [_as_object(step, place) for place, step in enumerate(steps, 1)]
