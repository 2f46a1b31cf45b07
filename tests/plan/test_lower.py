"""What a text means, and what JSON is taken for a plan."""

import json
from typing import Any

import pytest

from planact.base.errors import InvalidInput
from planact.model.plan import ContextFile, Plan, PlanStatus, Step, StepStatus
from planact.plan.syntax.lower import lower, plan_from_json, plan_json
from planact.plan.syntax.parser import parse
from planact.plan.syntax.render import render
from tests.plan.plans import DATA, DOCUMENT, PLAN


def test_a_document_means_its_plan() -> None:
    assert lower(parse(DOCUMENT)) == PLAN


def test_documents_of_the_first_format_still_load() -> None:
    assert plan_from_json(json.loads((DATA / "rename.json").read_text("utf-8"))) == PLAN


@pytest.mark.parametrize(
    "text", ["", "# G", "# G\n## Steps", "## Steps\n- [ ] 1. a", "#\n## Steps\n- [ ] 1. a", "# G\n## Steps\n- [ ] 1."]
)
def test_without_goal_or_steps_there_is_no_plan(text: str) -> None:
    assert lower(parse(text)) is None


@pytest.mark.parametrize(
    ("detail", "expected"),
    [
        ("check: pytest -q", {"validation_checks": ("pytest -q",)}),
        ("check: `a`\n  - check: `` b`c ``", {"validation_checks": ("a", "b`c")}),
        ("check:\n    - `a`\n    - b", {"validation_checks": ("a", "b")}),
        ("files: a b.py, `c,d.py`,, e.py", {"files": ("a b.py", "c,d.py", "e.py")}),
        ("files:\n    - a\n    - b", {"files": ("a", "b")}),
        ("files: a.py:12, `b/c.py:3-9`, a.py:40, d:e", {"files": ("a.py", "b/c.py", "d:e")}),
        ("Reason: one\n    two", {"reason": "one two"}),
        ("reason: one\n  - reason: two", {"reason": "one"}),
        ("unknown: x", {}),
        ("note\n    - check: `hidden`", {}),
        ("reason: r\n  > [!ADAPTED] a\n  > - planned: `x`\n  > - did: `y`", {"reason": "r"}),
        ("reason: a\ud800b", {"reason": "a\ufffdb"}),
    ],
)
def test_details_become_fields(detail: str, expected: dict[str, Any]) -> None:
    plan = lower(parse(f"# G\n## Steps\n- [ ] 1. a\n  - {detail}"))
    assert plan
    assert plan.steps == (Step(step_number=1, action="a", **expected),)


def test_comments_and_blocks_of_the_server_are_no_part_of_the_text() -> None:
    plan = lower(parse("# G\na\n> c\n\\# b\n## Steps\n- [ ] a\n## Risks\n- r\n> c\n  s\n\nt\n"))
    assert plan
    assert (plan.description, plan.risks) == ("a\n# b", ("r s", "t"))


def test_alerts_of_the_user_are_part_of_the_text() -> None:
    plan = lower(parse("# G\n> [!NOTE] n\n> m\n\n## Steps\n- [ ] a"))
    assert plan
    assert plan.description == "> [!NOTE] n\n> m"
    assert lower(parse(render(plan))) == plan


def test_front_matter_that_makes_no_sense_counts_for_nothing() -> None:
    plan = lower(
        parse(
            "---\nstatus: [a]\nid: {b: c}\ncontext: [x, {path: p, sha256: s}]\ninfrastructure: 7\n---\n"
            "# G\n## Steps\n- [ ] a"
        )
    )
    assert plan
    assert (plan.status, plan.id, plan.has_infrastructure_changes) == (PlanStatus.DRAFT, "", False)
    assert plan.context == (ContextFile(path="p", sha256="s"),)


@pytest.mark.parametrize(
    ("data", "field"),
    [
        (None, "JSON object"),
        ([], "JSON object"),
        ({}, "`goal`"),
        ({"goal": "g"}, "`steps`"),
        ({"goal": "g", "steps": []}, "`steps`"),
        ({"goal": " ", "steps": [{"action": "a"}]}, "`goal`"),
        ({"goal": "g", "steps": [{"action": "a"}, {}]}, "`steps[1].action`"),
        ({"goal": "g", "steps": [{"action": "a"}, {"action": "\n"}]}, "`steps[1].action`"),
        ({"goal": "g", "steps": [{"action": "a", "files": "b"}]}, "`steps[0].files`"),
        ({"goal": "g", "steps": [{"action": "a", "status": "finished"}]}, "`steps[0].status`"),
        ({"goal": "g", "steps": [{"action": "a", "validation_checks": ["a\nb"]}]}, "`steps[0].validation_checks[0]`"),
        ({"goal": "g\ud800", "steps": [{"action": "a"}]}, "`goal`"),
    ],
)
def test_json_that_is_no_plan_is_refused_by_the_name_of_its_field(data: Any, field: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        plan_from_json(data)
    assert caught.value.code == "PLAN_INVALID"
    assert field in caught.value.message


def test_null_counts_as_missing() -> None:
    plan = plan_from_json({"goal": "g", "analysis": None, "steps": [{"action": "a", "reason": None, "files": None}]})
    assert plan == Plan(goal="g", steps=(Step(step_number=1, action="a"),))


@pytest.mark.parametrize(
    ("given", "expected"),
    [([0, 1, 2], [1, 2, 3]), ([1, 1, 2], [1, 2, 3]), ([3, 2, 1], [1, 2, 3]), ([2, 4, 9], [2, 4, 9])],
)
def test_numbers_that_dont_rise_are_given_anew(given: list[int], expected: list[int]) -> None:
    plan = plan_from_json({"goal": "g", "steps": [{"action": "a", "step_number": number} for number in given]})
    assert [step.step_number for step in plan.steps] == expected


def test_the_json_form_has_the_documented_fields() -> None:
    data = plan_json(PLAN)
    assert data["type"] == "plan"
    assert set(data) >= {
        "format_version",
        "id",
        "goal",
        "description",
        "analysis",
        "assumptions",
        "prerequisites",
        "steps",
        "risks",
        "validation",
        "estimated_total_time",
        "has_infrastructure_changes",
        "context",
        "created_at",
    }
    assert data["steps"][1] == {
        "step_number": 2,
        "action": "Update the callers",
        "reason": "…",
        "tools_needed": [],
        "files": [],
        "estimated_time": "",
        "expected_outcome": "",
        "validation_checks": [],
        "status": StepStatus.DONE.value,
    }
