"""A plan or a question that a model wrote as JSON into its text, instead of calling the tool for it."""

import json
import re
from typing import Any

from planact.model.tool_call import ToolCall

_FENCED = re.compile(r"```(?:json)?[ \t]*\r?\n(.*?)\r?\n```", re.DOTALL)
_PLAN_KEYS = {
    "goal", "description", "analysis", "assumptions", "prerequisites", "risks", "validation",
    "estimated_total_time", "has_infrastructure_changes",
}  # fmt: skip
_STEP_KEYS = {
    "action", "reason", "tools_needed", "files", "expected_outcome", "validation_checks", "estimated_time",
}  # fmt: skip


def implied_call(text: str, call_id: str) -> ToolCall | None:
    """The call that `text` amounts to, or None: then it's just text.

    Only a text that is nothing but the JSON, or that has exactly one fenced block, counts. The call passes the gate
    like any other.
    """
    data = _only_object(text)
    if data is None:
        return None
    if data.get("type") == "question" and isinstance(data.get("question"), str):
        question = {key: value for key, value in data.items() if key not in ("type", "format_version")}
        return ToolCall(
            id=call_id, name="ask_user", arguments=json.dumps({"questions": [question]}, ensure_ascii=False)
        )
    if data.get("type", "plan") == "plan" and isinstance(data.get("goal"), str) and isinstance(data.get("steps"), list):
        steps = [
            {key: value for key, value in step.items() if key in _STEP_KEYS}
            for step in data["steps"]
            if isinstance(step, dict)
        ]
        plan = {key: value for key, value in data.items() if key in _PLAN_KEYS} | {"steps": steps}
        return ToolCall(id=call_id, name="write_plan", arguments=json.dumps(plan, ensure_ascii=False))
    return None


def _only_object(text: str) -> dict[str, Any] | None:
    fenced = _FENCED.findall(text)
    source = fenced[0] if len(fenced) == 1 else text.strip()
    if not source.lstrip().startswith("{"):
        return None
    try:
        data = json.loads(source)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None
