"""The page of rules: every code is there in one form, and its example has that code for the real linter."""

import json
import re
from pathlib import Path

import pytest
import yaml

from planact.plan import codes
from planact.plan.codes import CODES, PAGE, read_codes
from planact.plan.rules import LINT_RULES
from tests.architecture.source import ROOT
from tests.cli.program import Program

RETIRED = {"PLAN024"}
PARTS = "a title in bold type with the severities in brackets, a text, a plan with the problem, and the plan mended"


def reported() -> set[str]:
    """Every code that a rule or the parser reports."""
    sources = [path.read_text("utf-8") for path in Path(codes.__file__).parent.rglob("*.py")]
    return {code for source in sources for code in re.findall(r"""["'](PLAN[0-9]{3})["']""", source)}


def missing(page: str, wanted: set[str]) -> list[str]:
    """What is to be written where, for each code that the page doesn't explain, or not in the page's form."""
    lines = page.splitlines()
    headings = {
        line.removeprefix("## "): at for at, line in enumerate(lines, 1) if re.fullmatch("## PLAN[0-9]{3}", line)
    }
    read, where = read_codes(page), PAGE.relative_to(ROOT).as_posix()
    told = [
        f"{where}:{headings[code]}: `## {code}` needs, in the form of its neighbours, {PARTS}"
        for code in headings
        if code not in read
    ]
    for code in sorted(wanted - set(headings)):
        after = max((at for name, at in headings.items() if name < code), default=0)
        end = min((at for at in headings.values() if at > after), default=len(lines) + 1)
        told.append(f"{where}:{end}: add a section `## {code}` with {PARTS}")
    return told


def test_every_code_that_is_reported_has_its_text_and_example_on_the_page() -> None:
    assert missing(PAGE.read_text("utf-8"), reported()) == []


def test_every_code_on_the_page_is_reported_and_stands_there_once_in_order() -> None:
    listed = re.findall(r"^## (PLAN.*)$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert listed == sorted(set(listed))
    idle = sorted(set(listed) - reported())
    assert not idle, f"server/planact/plan/rules/: add a module whose `check` yields a PlanProblem with {idle}"


def test_no_number_of_a_code_is_used_again() -> None:
    assert not RETIRED & (set(CODES) | reported())


def test_severities_are_those_of_problems() -> None:
    assert {severity for code in CODES.values() for severity in code.severities} == {"error", "warning", "hint"}


def test_what_is_missing_is_told_with_the_line_to_write_it_on() -> None:
    page = PAGE.read_text("utf-8")
    lines = page.splitlines()
    without_example = page.replace("Mended:", "", 1)
    assert missing(page, {"PLAN999"}) == [
        f"server/planact/plan/rules/codes.md:{len(lines) + 1}: add a section `## PLAN999` with {PARTS}"
    ]
    assert missing(page.replace("## PLAN003\n", "## PLAN003 \n"), {"PLAN003"})[-1].startswith(
        f"server/planact/plan/rules/codes.md:{lines.index('## PLAN004') + 1}: add a section `## PLAN003`"
    )
    assert missing(without_example, set()) == [
        f"server/planact/plan/rules/codes.md:{lines.index('## PLAN001') + 1}: `## PLAN001` needs, in the form of its "
        f"neighbours, {PARTS}"
    ]
    assert lines.index("## PLAN003") + 1 == CODES["PLAN003"].line


def test_every_module_of_the_rules_is_a_rule() -> None:
    modules = {path.stem for path in PAGE.parent.glob("*.py")} - {"__init__"}
    assert sorted(rule.__module__.rpartition(".")[2] for rule in LINT_RULES) == sorted(modules)


def planned_after_reading(planact: Program, path: str) -> str:
    """The id of a plan that doesn't name what was read for it."""
    plan = {"goal": "Rename it", "steps": [{"action": "Rename it"}]}
    calls = ({"tool": "read_file", "args": {"path": path}}, {"tool": "write_plan", "args": plan})
    script = planact.home / "model.yaml"
    turns = [*({"calls": [call]} for call in calls), {"say": "Ready."}]
    script.write_text(yaml.safe_dump({"scenes": [{"turns": turns}]}))
    return str(planact.run("plan", "Rename it", "--json", model=f"scripted:{script}").json["plan_id"])


@pytest.mark.slow
def test_each_example_has_its_code_with_its_severity_and_mended_it_has_not(tmp_path: Path) -> None:
    folder, home = tmp_path / "work", tmp_path / "home"
    folder.mkdir()
    home.mkdir()
    (folder / "app.py").write_text("def load(): ...\n")
    (folder / "cache.db").touch()
    planact = Program(folder, home, {"PLANACT_COMMANDS_DENY": '["curl"]'})
    made = planned_after_reading(planact, "app.py")
    (folder / "app.py").write_text("")
    for code in CODES.values():
        (folder / f"{code.name}-faulty.plan").write_text(code.faulty.replace("plan_20261120_read", made), "utf-8")
        (folder / f"{code.name}-mended.plan").write_text(code.mended.replace("plan_20261120_read", made), "utf-8")
    found: dict[str, dict[str, str]] = {}
    for problem in json.loads(planact.run("plan", "lint", ".", "--json").out)["problems"]:
        found.setdefault(problem["path"], {})[problem["code"]] = problem["severity"]
    for code in CODES.values():
        assert found[f"{code.name}-faulty.plan"].get(code.name) in code.severities, code.name
    graver = {path: told for path, told in found.items() if "mended" in path and set(told.values()) - {"hint"}}
    left = {path: told for path, told in found.items() if "mended" in path and path.partition("-")[0] in told}
    assert (graver, left) == ({}, {})
