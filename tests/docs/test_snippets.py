"""Whatever stands in a fence on a page for users is what it says it is: a plan, settings, a role, answers, JSON."""

import json
import re
import shlex
import tomllib
from typing import Any, get_args

import pytest
import yaml
from pydantic import TypeAdapter

from planact.base.errors import PlanactError
from planact.cli.command import Invocation
from planact.cli.main import _parse
from planact.cli.output.answers_file import AnswerEntry
from planact.model.layer import Layer
from planact.model.plan import Plan
from planact.model.rights.permission import Role
from planact.model.runs.journal import Event, EventKind
from planact.plan.lint_context import LintContext
from planact.plan.rules import lint
from planact.plan.syntax.parser import parse
from planact.plan.templates.template import read_template
from planact.policy.merge_settings import merge
from planact.policy.roles import parse_role
from planact.tools.registry import BY_NAME, planned_tools
from tests.architecture.source import ROOT
from tests.docs.pages import CODES, DOCS, EDITORS, Block, blocks, section

KINDS = {
    *("console", "sh", "text", "plan", "toml", "markdown role", "yaml answers", "yaml workflow", "json plan"),
    *("yaml gitlab", "json event", "json", "lua", "elisp"),
}


def each(*kinds: str) -> Any:
    found = [block for block in blocks(*kinds) if block.page != CODES]
    assert found, f"no page has a block of {kinds}"
    return pytest.mark.parametrize("block", [pytest.param(block, id=str(block)) for block in found])


def test_every_block_is_of_a_kind_that_is_tested() -> None:
    assert {str(block): block.kind for block in blocks() if block.kind not in KINDS} == {}


@each("plan")
def test_plans_have_nothing_that_the_linter_minds(block: Block) -> None:
    tree = parse(block.text)
    found = lint(tree, LintContext(planned_tools()))
    assert [(problem.code, problem.message) for problem in found if problem.severity != "hint"] == []
    if tree.is_template:
        read_template("greet", block.text)


@each("toml")
def test_settings_are_known_and_fit(block: Block) -> None:
    assert merge([Layer("user", "the page", tomllib.loads(block.text))]).problems == ()


@each("markdown role")
def test_roles_can_be_used(block: Block) -> None:
    assert isinstance(parse_role(block.text, "docs", "the page", "user", BY_NAME), Role)


@each("yaml answers")
def test_answers_can_be_used(block: Block) -> None:
    assert TypeAdapter(tuple[AnswerEntry, ...]).validate_python(yaml.safe_load(block.text))


@each("json")
def test_json_is_json(block: Block) -> None:
    assert json.loads(block.text)


@each("lua", "elisp")
def test_what_editors_are_told_to_load_is_there(block: Block) -> None:
    found = re.findall(r"require\('([\w.]+)'\)|\(require '([\w-]+)|'(planact-[\w]+)$", block.text, re.MULTILINE)
    names = ["".join(each) for each in found]
    files = [path for path in EDITORS.rglob("*") if path.suffix in (".lua", ".el")]
    known = {path.stem for path in files} | {path.parent.name for path in files if path.name == "init.lua"}
    assert names
    assert set(names) <= known
    assert block.text.count("(") == block.text.count(")")


@each("json plan")
def test_the_json_form_of_a_plan_has_what_the_page_says(block: Block) -> None:
    said = json.loads(block.text)
    plan = Plan.model_validate(said).model_dump(mode="json")
    assert {key: plan[key] for key in said} == said


@each("json event")
def test_events_are_as_they_are_printed(block: Block) -> None:
    for line in block.text.splitlines():
        assert Event.model_validate_json(line).model_dump(mode="json") == json.loads(line)


def test_the_kinds_of_events_are_those_of_the_page() -> None:
    text = section(DOCS / "headless.md", "Output")
    assert [kind for kind in get_args(EventKind) if f"`{kind}`" not in text] == []


@each("yaml workflow")
def test_the_workflow_uses_what_there_is(block: Block) -> None:
    steps = yaml.safe_load(block.text)["jobs"]["act"]["steps"]
    [command] = [step["run"] for step in steps if "planact act" in step.get("run", "")]
    digest = "0" * 64
    call = understood(command.partition("|")[0].replace("$HASH", digest))
    assert (call.options.hash, call.options.answers, call.options.json_lines) == (digest, "answers.yaml", True)
    assert "://" not in block.text


@each("yaml workflow")
def test_the_workflow_posts_nothing_for_forks(block: Block) -> None:
    steps = yaml.safe_load(block.text)["jobs"]["act"]["steps"]
    [post] = [step for step in steps if "gh pr comment" in step.get("run", "")]
    write, is_own, comment = post["run"].splitlines()
    assert "!github.event.repository.fork" in post["if"]
    assert understood(write.partition(">")[0]).options.pull_request
    assert "isCrossRepository" in is_own
    assert is_own.endswith("= false")
    assert comment.endswith("--body-file review.md")


@each("yaml gitlab")
def test_the_template_posts_nothing_for_forks(block: Block) -> None:
    job = yaml.safe_load(block.text)["planact"]
    [rule] = job["rules"]
    assert "$CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_PROJECT_ID" in rule["if"]
    assert understood(job["script"][-1].partition(">")[0].replace("$HASH", "0" * 64)).options.json_lines
    assert understood(job["after_script"][0].partition(">")[0]).options.pull_request


def understood(command: str) -> Invocation:
    """What planact makes of a command line."""
    words = shlex.split(command, comments=True)
    assert words.pop(0) == "planact"
    return _parse(words, {})[1]


@each("sh")
def test_command_lines_are_such_that_they_can_be_typed(block: Block) -> None:
    targets = (ROOT / "Makefile").read_text("utf-8")
    for line in block.text.splitlines():
        for command in line.split(" && "):
            match shlex.split(command, comments=True):
                case ["make", target]:
                    assert f"\n{target}:" in targets, line
                case ["planact", *_]:
                    try:
                        understood(command)
                    except PlanactError as error:
                        pytest.fail(f"{line}: {error}")
                case [] | ["export" | "cd" | "git" | "code" | "npm" | "cp" | "mkdir", *_]:
                    continue
                case words:
                    pytest.fail(f"nobody knows what {words[0]} is: {line}")
