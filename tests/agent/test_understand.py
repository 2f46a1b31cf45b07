import json

import pytest

from planact.agent.implied_call import ShownText, implied_call
from planact.tools.calls.decode import decode_call
from planact.tools.registry import BY_NAME

PLAN = {"type": "plan", "goal": "g", "steps": [{"action": "a", "step_number": 1, "status": "done"}], "id": "mine"}
QUESTION = {"type": "question", "question": "Which?", "options": [{"label": "A", "value": 1}]}


def implied(text: str) -> tuple[str, object] | None:
    found = implied_call(text, "c")
    return (found.call.name, json.loads(found.call.arguments)) if found else None


@pytest.mark.parametrize(
    "form",
    [
        "{}",
        "  {}\n",
        "Here it is:\n```json\n{}\n```\nWhat do you think?",
        "```\n{}\n```",
        "Here is my plan: {} Shall I?",
        'It uses {braces} and {"a": 1}.\n\n{}\n\nDone.',
        'A {"type": "x"} first\n{}',
    ],
)
def test_a_plan_in_plain_text_is_submitted_without_what_the_model_may_not_say(form: str) -> None:
    assert implied(form.replace("{}", json.dumps(PLAN))) == ("write_plan", {"goal": "g", "steps": [{"action": "a"}]})


CALLED = {"name": "write_plan", "arguments": PLAN}


@pytest.mark.parametrize("size", [1, 3, 10_000])
@pytest.mark.parametrize(
    "call", [CALLED, {"type": "function", "function": CALLED}, {"name": "write_plan", "parameters": PLAN}]
)
def test_a_plan_in_a_call_that_is_only_written_is_submitted_and_the_whole_call_not_shown(
    call: dict[str, object], size: int
) -> None:
    text = f"Here is the plan:\n```json\n{json.dumps(call, indent=1)}\n```"
    assert implied(text) == ("write_plan", {"goal": "g", "steps": [{"action": "a"}]})
    found = implied_call(text, "c")
    assert found is not None
    assert found.text == "Here is the plan:"
    stream = ShownText()
    shown = "".join(stream.add(text[at : at + size]) for at in range(0, len(text), size)) + stream.rest(text)
    assert shown.strip() == "Here is the plan:"


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
        f"{json.dumps(PLAN)} or {json.dumps(PLAN)}",
        f"```json\n{json.dumps(PLAN)}\n```\nor\n```json\n{json.dumps(PLAN)}\n```",
        "{" * 50_000,
        '{"a":' * 50_000,
    ],
)
def test_what_is_neither_stays_text(text: str) -> None:
    assert implied(text) is None


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("{}", ""),
        ("Here it is:\n\n{}\n\nWhat do you think?", "Here it is:\n\nWhat do you think?"),
        ("Here it is:\n```json\n{}\n```\nWhat do you think?", "Here it is:\n\nWhat do you think?"),
        ("Use `{braces}` and ```py\nx = {1: 2}\n``` first. {}", "Use `{braces}` and ```py\nx = {1: 2}\n``` first."),
    ],
)
@pytest.mark.parametrize("size", [1, 3, 10_000])
def test_its_json_is_not_shown_while_it_streams_nor_afterwards(form: str, expected: str, size: int) -> None:
    text = form.replace("{}", json.dumps(PLAN, indent=2))
    stream = ShownText()
    shown = "".join(stream.add(text[at : at + size]) for at in range(0, len(text), size)) + stream.rest(text)
    found = implied_call(text, "c")
    assert found is not None
    assert found.text == expected
    assert " ".join(shown.split()) == " ".join(expected.split())


@pytest.mark.parametrize(
    "text", ["Just words.", "`{`", 'A {"goal": 1} and ```json\n{"a": 2}\n```', "``", "{", '{"goal']
)
@pytest.mark.parametrize("size", [1, 2, 100])
def test_other_text_is_shown_whole(text: str, size: int) -> None:
    stream = ShownText()
    assert "".join(stream.add(text[at : at + size]) for at in range(0, len(text), size)) + stream.rest(text) == text


@pytest.mark.parametrize("data", [PLAN, QUESTION])
def test_an_unknown_format_version_is_refused_by_its_name(data: dict[str, object]) -> None:
    def problem(version: str) -> str:
        found = implied_call(f"Here: {json.dumps(data | {'format_version': version})}", "c")
        assert found is not None
        return getattr(decode_call(found.call, BY_NAME), "message", "")

    assert "format_version '2.0' is not supported" in problem("2.0")
    assert problem("1.0") == ""
