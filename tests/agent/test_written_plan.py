"""Plans in Markdown, and turns that were to make a plan and only talk."""

import asyncio
from pathlib import Path

import pytest

from planact.agent.written_plan import written_plan
from planact.model.chat.message import Reply
from planact.model.rights.permission import Mode
from planact.plan.syntax.lower import plan_from_json
from planact.plan.syntax.render import render
from tests.agent.talking import SAID, talk
from tests.fakes.world import call, calls

STEP = {"action": "Rename `load`", "files": ["a.py"], "reason": "r", "validation_checks": ["pytest -q"]}
OWN = render(
    plan_from_json(
        {
            "goal": "Rename it",
            "description": "Why.",
            "analysis": "a",
            "steps": [STEP, {"action": "Test"}],
            "risks": ["x"],
        }
    )
)
BODY = OWN.split("---\n")[-1]
NUMBERED = "1. Rename `load`\n   - **Files:** `a.py`\n   - Why: r\n   - check: `pytest -q`\n2. **Test**"

PLANS = {
    "our format": OWN,
    "without front matter": BODY,
    "with words around": f"Here it is:\n\n{OWN}",
    "in a fence": f"Here it is:\n\n```markdown\n{OWN}\n```\nShall I go on?",
    "numbered": f"# Rename it\n\nWhy.\n\n## Steps\n\n{NUMBERED}\n\n## Risks\n- x\n\n## Analysis\na",
    "with a title": f"# Plan: Rename it\n\nWhy.\n\n## Analysis\na\n\n### Implementation steps\n{NUMBERED}\n"
    "## Risks\n- x",
    "in bold": f"**Goal:** Rename it\n\nWhy.\n\n**Analysis:**\na\n\n**Steps:**\n{NUMBERED}\n\n**Risks:**\n- x",
    "with steps as headings": "# Rename it\nWhy.\n## Analysis\na\n## Steps\n### Step 1: Rename `load`\n- files: a.py\n"
    "- reason: r\n- check: `pytest -q`\n\n### 2. Test\n\n## Risks\n- x",
}  # fmt: skip


@pytest.mark.parametrize("form", PLANS)
def test_a_plan_in_markdown_is_read(form: str) -> None:
    plan = written_plan(PLANS[form])
    assert plan is not None
    assert [plan[key] for key in ("goal", "description", "analysis", "risks")] == ["Rename it", "Why.", "a", ["x"]]
    assert [{key: step[key] for key in STEP} for step in plan["steps"]] == [
        STEP,
        {"action": "Test", "files": [], "reason": "", "validation_checks": []},
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Just words.",
        "I looked at it.\n\n1. It opens the file\n2. It reads",
        "# How it works\n\n1. It opens the file\n2. It reads",
        "# Rename it\n\n## Steps\n\nNone yet.",
        "## Steps\n1. Rename",
        "# Plan\n1. Rename",
        "",
    ],
)
def test_what_lacks_a_goal_or_steps_is_none(text: str) -> None:
    assert written_plan(text) is None


@pytest.mark.slow
@pytest.mark.parametrize("form", PLANS)
def test_a_plan_in_markdown_is_submitted_where_one_was_asked_for(tmp_path: Path, form: str) -> None:
    it = talk(tmp_path, Reply(PLANS[form]), SAID)
    taken = asyncio.run(it.turn("Rename load in a.py"))
    assert taken.written is not None
    plan = taken.written.complete()
    assert (plan.goal, [step.action for step in plan.steps]) == ("Rename it", ["Rename `load`", "Test"])
    assert plan.status == "draft"
    it = talk(tmp_path / "other", Reply(PLANS[form]))
    assert asyncio.run(it.turn("How would a plan look?")).written is None
    it = talk(tmp_path / "act", Reply(PLANS[form]), mode=Mode.ACT)
    assert asyncio.run(it.turn("Rename load in a.py")).written is None


PLAN = calls(call("write_plan", goal="Rename it", steps=[{"action": "Rename"}]))


def test_a_turn_that_was_to_make_a_plan_and_only_talks_is_reminded_once(tmp_path: Path) -> None:
    it = talk(tmp_path, Reply("I would rename it."), PLAN, SAID)
    taken = asyncio.run(it.turn("Rename load in a.py"))
    assert taken.written is not None
    assert "submitted no plan" in it.requests()[1][-1]["content"]
    it = talk(tmp_path / "again", Reply("I would rename it."), Reply("There is no load."))
    (tmp_path / "again").mkdir(exist_ok=True)
    result = it.run("Rename load in a.py")
    assert (result.kind, result.text, len(it.requests())) == ("finished", "There is no load.", 2)


@pytest.mark.parametrize(
    ("text", "mode"),
    [("What does load do?", Mode.PLAN), ("Rename load in a.py", Mode.ACT), ("begin", Mode.PLAN)],
)
def test_other_turns_may_talk(tmp_path: Path, text: str, mode: Mode) -> None:
    it = talk(tmp_path, SAID, mode=mode)
    assert it.run(text).kind == "finished"
    assert len(it.requests()) == 1


def test_a_turn_that_made_its_plan_isn_t_reminded(tmp_path: Path) -> None:
    it = talk(tmp_path, PLAN, SAID)
    assert it.run("Rename load in a.py").kind == "finished"
    assert len(it.requests()) == 2
