import json

import pytest

from planact.agent.understand import implied_call
from planact.model.tool_call import ToolCall

PLAN = {"type": "plan", "goal": "g", "steps": [{"action": "a", "step_number": 1, "status": "done"}], "id": "mine"}
QUESTION = {"type": "question", "question": "Which?", "options": [{"label": "A", "value": 1}]}


def implied(text: str) -> tuple[str, object] | None:
    call = implied_call(text, "c")
    return (call.name, json.loads(call.arguments)) if isinstance(call, ToolCall) else None


@pytest.mark.parametrize("form", ["{}", "  {}\n", "Here it is:\n```json\n{}\n```\nWhat do you think?", "```\n{}\n```"])
def test_a_plan_in_plain_text_is_submitted_without_what_the_model_may_not_say(form: str) -> None:
    assert implied(form.replace("{}", json.dumps(PLAN))) == ("write_plan", {"goal": "g", "steps": [{"action": "a"}]})


def test_a_question_in_plain_text_is_asked() -> None:
    expected = {"questions": [{key: value for key, value in QUESTION.items() if key != "type"}]}
    assert implied(json.dumps(QUESTION)) == ("ask_user", expected)


@pytest.mark.parametrize(
    "text",
    [
        "Just words.",
        "{not json}",
        "[1, 2]",
        '{"goal": "g"}',
        '{"type": "recipe", "goal": "g", "steps": []}',
        '{"type": "question", "question": 1}',
        f"I would write {json.dumps(PLAN)} into it",
        f"```json\n{json.dumps(PLAN)}\n```\nor\n```json\n{json.dumps(PLAN)}\n```",
        "{" * 50_000,
        '{"a":' * 50_000,
    ],
)
def test_what_is_neither_stays_text(text: str) -> None:
    assert implied(text) is None
