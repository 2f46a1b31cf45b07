"""How plans look when written, and that nothing in them is taken for markup."""

import pytest
import yaml

from planact.base.errors import InvalidInput
from planact.model.plan import Plan, Step
from planact.plan.syntax.lower import lower
from planact.plan.syntax.parser import parse
from planact.plan.syntax.render import render
from tests.plan.plans import PLAN

STEP = Step(step_number=1, action="a")


def test_a_plan_is_written_in_the_documented_form() -> None:
    plan = PLAN.model_copy(update={"steps": PLAN.steps[:1], "prerequisites": ("A clean tree.",)})
    assert render(plan) == (
        '---\nformat_version: "1.0"\nid: plan_20261120_k3v9\nstatus: draft\ncreated: 2026-11-20T10:00:00Z\n'
        "role: planner\nmodel: anthropic/claude-sonnet-4-5\ninfrastructure: false\n"
        "context:\n  - {path: src/app.py, sha256: 3b1f}\n---\n"
        "# Rename `load` to `read_config`\n\nFree text: what this is about.\n\n"
        "## Analysis\nWhy it is done this way.\n\n"
        "## Assumptions\n- The old name is not part of the public API.\n\n## Prerequisites\n- A clean tree.\n\n"
        "## Steps\n- [ ] 1. Rename the function in `src/app.py`\n  - reason: the name hides that it reads a file\n"
        "  - tools: read_file, update_file\n  - files: src/app.py\n  - time: ~1 min\n"
        "  - expect: `read_config` exists and `load` is gone\n  - check: `python -m pytest -q tests/test_app.py`\n\n"
        "## Risks\n- Plugins may import the old name.\n\n## Validation\n- `python -m pytest -q`\n\n"
        "## Estimated time\n~5 min\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "# a",
        "## Steps\n- [x] 9. b",
        "> c",
        "\\> d",
        "\\\\# e",
        "```\n> code\n## code\n```",
        "``` a ``` b",
        "~~~~\n~~~\n~~~~",
        "---\nid: x\n---",
    ],
)
def test_text_that_looks_like_markup_stays_text(text: str) -> None:
    plan = Plan(goal="g", description=text, analysis=text, steps=(STEP,))
    assert lower(parse(render(plan))) == plan


@pytest.mark.parametrize(
    "word",
    [
        "true",
        "1.0",
        "~",
        "a: b",
        "# c",
        "'d",
        '"e\\',
        "[f",
        "- g",
        "2020-01-01",
        "0b1",
        "null",
        "\x85",
        "𝔘\u2028",
        "*h",
    ],
)
def test_front_matter_reads_as_the_same_text_with_any_yaml_reader(word: str) -> None:
    plan = Plan(goal="g", id=word, model=word, steps=(STEP,))
    front = render(plan).split("---\n")[1]
    assert yaml.safe_load(front)["model"] == word
    assert lower(parse(render(plan))) == plan


def test_a_blank_goal_cannot_be_written() -> None:
    with pytest.raises(InvalidInput, match="PLAN_INVALID"):
        render(Plan(goal=" \n", steps=(STEP,)))
