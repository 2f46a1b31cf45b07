from importlib.resources import files
from pathlib import Path

import pytest

from planact.base.errors import InvalidInput
from planact.base.patterns import bounded
from planact.plan.lint_context import LintContext, ToolFact
from planact.plan.rules import lint
from planact.plan.syntax.lower import lower
from planact.plan.syntax.parser import parse
from planact.plan.templates.template import Template, fill_template, json_schema, make_template, read_template
from planact.tools.registry import TOOLS

BUILT_IN = sorted(Path(str(files("planact.plan.templates"))).glob("builtin/*.plan"))
AROUND = LintContext({tool.name: ToolFact(tool.name, "", tool.required_permissions, tool.risk) for tool in TOOLS})

TEXT = """---
format_version: "1.0"
description: "Greets"
category: manners
applies: {glob: "*.py", command: "git status"}
mine: kept
parameters:
  - {name: who, description: "Whom", schema: {pattern: "^[a-z]+$", maxLength: 9}}
  - {name: how, default: "loudly", required: false}
---
# Greet {{who}}

## Steps
- [ ] 1. Say hello to {{who}} {{how}}
  - reason: it is polite
  - check: `grep {{who}} a.txt`
"""


def test_a_template_is_read_with_all_it_says() -> None:
    template = read_template("greet", TEXT)
    assert (template.name, template.goal, template.description, template.category, template.glob, template.command) == (
        *("greet", "Greet {{who}}", "Greets", "manners"),
        *("*.py", "git status"),
    )
    assert [(each.name, each.default, each.is_required) for each in template.parameters] == [
        ("who", "", True),
        ("how", "loudly", False),
    ]
    assert json_schema("greet", template.parameters[0]) == {"pattern": "^[a-z]+$", "maxLength": 9}


def test_a_filled_template_is_a_plan_like_any_other() -> None:
    text = fill_template(read_template("greet", TEXT), {"who": "ada"})
    assert text == TEXT.split("description:")[0] + "mine: kept\n---\n" + TEXT.split("---\n")[2].replace(
        "{{who}}", "ada"
    ).replace("{{how}}", "loudly")
    assert not parse(text).is_template
    plan = lower(parse(text))
    assert plan is not None
    assert plan.steps[0].validation_checks == ("grep ada a.txt",)


def test_what_is_not_required_may_be_nothing() -> None:
    assert "- [ ] 1. Say hello to ada \n" in fill_template(read_template("greet", TEXT), {"who": "ada", "how": ""})


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"who": ""},
        {"who": "a\n- [ ] 2. rm"},
        {"who": "a\x85b"},
        {"who": "a\u2028b"},
        {"who": "a\x00"},
        {"who": "x" * 2_001},
    ],
)
def test_a_value_is_one_line_of_text(values: dict[str, str]) -> None:
    with pytest.raises(InvalidInput) as failure:
        fill_template(read_template("greet", TEXT), values)
    assert failure.value.code == "ANSWER_INVALID"


def test_a_value_can_not_bring_another_placeholder() -> None:
    assert "# Greet {{how}}\n" in fill_template(read_template("greet", TEXT), {"who": "{{how}}"})


def test_a_value_nobody_asked_for_is_a_mistake() -> None:
    with pytest.raises(InvalidInput) as failure:
        fill_template(read_template("greet", TEXT), {"who": "ada", "whom": "bob"})
    assert "whom" in failure.value.message
    assert "who, how" in failure.value.hint


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("Greet", TEXT, "its name"),
        ("../greet", TEXT, "its name"),
        ("greet", "# Greet\n\n## Steps\n- [ ] 1. Say\n", "no `parameters`"),
        ("greet", "---\nparameters: []\n---\n# Greet\n", "no goal or no steps"),
        ("greet", TEXT.replace("name: how", "name: howl"), "{{how}}"),
        ("greet", TEXT.replace("name: how", 'name: "ho w"'), "'ho w'"),
        ("greet", TEXT.replace("maxLength: 9", "maxLength: many"), "maxLength of who"),
        ("greet", TEXT.replace("maxLength: 9", "format: email"), "format: email"),
        ("greet", TEXT.replace("maxLength: 9", "type: object"), "type: object"),
    ],
)
def test_what_can_not_be_used_says_why(name: str, text: str, said: str) -> None:
    with pytest.raises(InvalidInput) as failure:
        read_template(name, text)
    assert (failure.value.code, said in failure.value.message) == ("TEMPLATE_INVALID", True), failure.value.message


DONE = """---
id: plan_20261120_aaaa
status: done
context:
  - {path: a.txt, sha256: 00}
---
# Greet ada

## Steps
- [x] 1. Say hello to ada
  - check: `grep ada a.txt`
> louder
- [!] 2. Leave
"""


def test_a_template_is_made_from_a_plan_and_gives_it_back() -> None:
    text = make_template(parse(DONE), 'For "greeting"', "workspace", {"who": "ada"})
    template = read_template("greet", text)
    assert (template.goal, template.description) == ("Greet {{who}}", 'For "greeting"')
    plan = lower(parse(fill_template(template, {})))
    assert plan is not None
    assert [(step.action, step.status.value) for step in plan.steps] == [
        ("Say hello to ada", "pending"),
        ("Leave", "pending"),
    ]
    assert "louder" not in text
    assert "plan_20261120_aaaa" not in text


def test_a_text_that_the_plan_does_not_have_is_no_parameter() -> None:
    with pytest.raises(InvalidInput, match="bob"):
        make_template(parse(DONE), "", "workspace", {"who": "bob"})


@pytest.fixture(params=BUILT_IN, ids=lambda path: path.stem)
def built_in(request: pytest.FixtureRequest) -> Template:
    return read_template(request.param.stem, request.param.read_text("utf-8"))


def test_there_is_a_template_for_each_common_task() -> None:
    assert {path.stem for path in BUILT_IN} >= {
        *("add-feature", "add-tests", "application-migration", "aws-auto-scaling", "aws-blue-green", "aws-bucket"),
        *("aws-canary", "aws-ec2-instance", "aws-iam-policy", "aws-lambda", "aws-security-group"),
        *("database-migration", "extract-module", "fix-bug", "release", "rename", "upgrade-dependency"),
        "vulnerability-scan",
    }


def test_a_built_in_template_and_its_plan_have_no_problems(built_in: Template) -> None:
    assert lint(built_in.tree, AROUND) == ()
    assert built_in.description
    values = {each.name: each.default or "x1" for each in built_in.parameters}
    text = fill_template(built_in, values)
    assert "{{" not in text
    assert lint(parse(text), AROUND) == ()
    plan = lower(parse(text))
    assert plan is not None
    assert plan.risks
    assert all(step.reason for step in plan.steps)
    assert plan.has_infrastructure_changes is built_in.name.startswith("aws-")
    for parameter in built_in.parameters:
        assert parameter.description
        pattern = json_schema(built_in.name, parameter).get("pattern", "")
        assert isinstance(pattern, str)
        assert bounded(pattern)
