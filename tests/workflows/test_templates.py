import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from planact.base.errors import InvalidInput, PlanactError
from planact.model.notice import ToolNotice
from planact.model.question import DeclinedByUser
from planact.workflows.plans.library import PlanDocument, list_plans, read_document
from planact.workflows.templates import (
    TEMPLATES_FOLDER,
    create_template,
    delete_template,
    find_template,
    list_templates,
    unmet_need,
    use_template,
)
from tests.fakes.world import answer
from tests.workflows.scene import Scene

OWN = """---
description: Greets
parameters:
  - {name: who, description: Whom, schema: {pattern: "^[a-z]+$"}}
  - {name: how, default: loudly}
---
# Greet {{who}} {{how}}

## Steps
- [ ] 1. Say hello
"""


def use(it: Scene, name: str, values: Mapping[str, object]) -> PlanDocument:
    return asyncio.run(use_template(it.ws, it.session_id, find_template(it.ws, name).template, values))


def with_own(tmp_path: Path, text: str = OWN, name: str = "greet") -> Scene:
    it = Scene(tmp_path)
    it.world.write(f"{TEMPLATES_FOLDER}/{name}.plan", text)
    it.world.store.records.texts[f"templates/{name}.plan"] = text
    return it


def test_the_workspaces_templates_go_before_planacts(tmp_path: Path) -> None:
    it = with_own(tmp_path, name="fix-bug")
    known, problems = list_templates(it.ws)
    sources = {each.template.name: each.source for each in known}
    assert (sources["fix-bug"], sources["release"], list(problems)) == ("workspace", "planact", [])


def test_a_template_that_can_not_be_used_is_told_and_costs_no_other(tmp_path: Path) -> None:
    it = with_own(tmp_path, "# No parameters\n\n## Steps\n- [ ] 1. x\n")
    known, problems = list_templates(it.ws)
    assert len(known) > 10
    assert [problem.code for problem in problems] == ["TEMPLATE_INVALID"]
    with pytest.raises(PlanactError) as failure:
        find_template(it.ws, "greet")
    assert failure.value.code == "TEMPLATE_INVALID"


def test_a_plan_from_a_template_is_a_draft_of_planacts_own(tmp_path: Path) -> None:
    it = with_own(tmp_path)
    document = use(it, "greet", {"who": "ada", "how": "softly"})
    plan = document.complete()
    assert (plan.goal, plan.status.value, document.path) == (
        "Greet ada softly",
        "draft",
        f".planact/plans/{plan.id}-greet-ada-softly.plan",
    )
    assert (it.asked, it.session.plan_file) == ([], document.path)
    assert it.ws.ports.approvals.paths() == frozenset()


def test_what_has_no_value_is_asked_and_what_does_not_fit_is_asked_again(tmp_path: Path) -> None:
    it = with_own(tmp_path)
    it.answers(answer(who="ADA", how="x"), answer(who="ada", how="softly"))
    assert use(it, "greet", {}).complete().goal == "Greet ada softly"
    assert [question.default for question in it.asked[0].questions] == [None, "loudly"]
    assert "ADA" in it.world.editor.problems[1]


def test_a_user_who_does_not_say_gets_no_plan(tmp_path: Path) -> None:
    it = with_own(tmp_path)
    it.answers(DeclinedByUser())
    with pytest.raises(PlanactError) as failure:
        use(it, "greet", {})
    assert failure.value.code == "NOT_CONFIRMED"
    assert not (tmp_path / ".planact/plans").exists()


@pytest.mark.parametrize(
    ("values", "code"),
    [({"who": "A!", "how": "x"}, "ANSWER_INVALID"), ({"who": "a", "how": "x", "no": "y"}, "INVALID_ARGUMENTS")],
)
def test_a_given_value_that_does_not_fit_makes_no_plan(tmp_path: Path, values: dict[str, str], code: str) -> None:
    it = with_own(tmp_path)
    with pytest.raises(PlanactError) as failure:
        use(it, "greet", values)
    assert failure.value.code == code


def test_a_template_is_made_from_a_plan_used_and_deleted(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    it.write_plan()
    made = asyncio.run(create_template(it.ws, it.session_id, it.document(), "greet", "Greets", {"file": "a.txt"}))
    assert made.path == f"{TEMPLATES_FOLDER}/greet.plan"
    it.world.store.records.texts["templates/greet.plan"] = ""
    assert use(it, "greet", {"file": "c.txt"}).complete().steps[0].files == ("c.txt",)
    it.answers(answer(delete=True))
    assert asyncio.run(delete_template(it.ws, it.session_id, find_template(it.ws, "greet"))) == made.path
    assert not (tmp_path / made.path).exists()


@pytest.mark.parametrize("parameters", [{}, {"file": "a.txt"}])
def test_a_template_is_no_plan_that_could_be_carried_out(tmp_path: Path, parameters: dict[str, str]) -> None:
    it = Scene(tmp_path)
    it.write_plan()
    made = asyncio.run(create_template(it.ws, it.session_id, it.document(), "greet", "Greets", parameters))
    assert [plan.path for plan in list_plans(it.ws)] == [it.document().path]
    with pytest.raises(InvalidInput, match="is a template and no plan") as failure:
        read_document(it.ws, made.path).complete()
    assert failure.value.code == "PLAN_INVALID"


def test_a_template_is_not_written_over(tmp_path: Path) -> None:
    it = with_own(tmp_path)
    it.write_plan()
    with pytest.raises(PlanactError) as failure:
        asyncio.run(create_template(it.ws, it.session_id, it.document(), "greet", "", {}))
    assert failure.value.code in ("FILE_EXISTS", "EDIT_CONFLICT")
    assert it.world.read(f"{TEMPLATES_FOLDER}/greet.plan") == OWN


def test_what_ships_with_planact_can_not_be_deleted(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    with pytest.raises(PlanactError) as failure:
        asyncio.run(delete_template(it.ws, it.session_id, find_template(it.ws, "release")))
    assert failure.value.code == "TEMPLATE_INVALID"


@pytest.mark.parametrize(
    ("says", "lack"),
    [
        ("{glob: '*.py'}", ""),
        ("{glob: '*.rs'}", "no file is called like *.rs"),
        ("{command: 'test -f a.py'}", ""),
        ("{command: 'test -f b.py'}", "`test -f b.py` does not find what it needs"),
        ("{command: 'touch b.py'}", "`touch b.py` does not find what it needs"),
        ("{glob: '*.py', command: 'ls'}", ""),
    ],
)
def test_a_template_says_where_it_applies(tmp_path: Path, says: str, lack: str) -> None:
    it = with_own(tmp_path, OWN.replace("parameters:", f"applies: {says}\nparameters:"))
    it.world.write("a.py", "")
    template = find_template(it.ws, "greet").template
    assert asyncio.run(unmet_need(it.ws, it.session_id, template)) == lack
    assert not (tmp_path / "b.py").exists()
    assert it.asked == []


def test_no_template_is_read_through_a_link(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    it.world.write("elsewhere/greet.plan", OWN)
    (tmp_path / ".planact").mkdir()
    (tmp_path / TEMPLATES_FOLDER).symlink_to(tmp_path / "elsewhere")
    it.world.store.records.texts["templates/greet.plan"] = OWN
    assert [each.source for each in list_templates(it.ws)[0] if each.template.name == "greet"] == []


@pytest.mark.parametrize(("glob", "told"), [("*.rs", True), ("*.py", False)])
def test_who_uses_a_template_that_is_for_other_folders_is_told(tmp_path: Path, glob: str, told: bool) -> None:
    it = with_own(tmp_path, OWN.replace("parameters:", f"applies: {{glob: '{glob}'}}\nparameters:"))
    it.world.write("a.py", "")
    use(it, "greet", {"who": "ada", "how": "softly"})
    texts = [notice.text for notice in it.world.editor.notices if isinstance(notice, ToolNotice)]
    lack = (
        "The template greet may not fit here: no file is called like *.rs. Look through the plan before you execute it."
    )
    assert (lack in texts) is told


TYPED = """---
description: Greets
parameters:
  - {name: count, description: How often, schema: {type: integer, minimum: 1}}
  - {name: rate, default: 0.5, schema: {type: number}}
  - {name: is_loud, default: "no", schema: {type: boolean}}
  - {name: names, schema: {type: array, items: {type: string, pattern: "^[a-z]+$"}, minItems: 1}}
---
# Greet {{names}} {{count}} times, at {{rate}}, loud: {{is_loud}}

## Steps
- [ ] 1. Say hello
"""


@pytest.mark.parametrize(
    "values",
    [
        {"count": "3", "rate": "1.5", "is_loud": "yes", "names": "ada, bob"},
        {"count": 3, "rate": 1.5, "is_loud": True, "names": ["ada", "bob"]},
    ],
)
@pytest.mark.parametrize("is_asked", [True, False])
def test_values_of_each_type_are_taken_as_text_as_data_and_as_answers(
    tmp_path: Path, values: Mapping[str, object], is_asked: bool
) -> None:
    it = with_own(tmp_path, TYPED)
    if is_asked:
        it.answers(answer(count=3, rate=1.5, is_loud=True, names=["ada", "bob"]))
    goal = use(it, "greet", {} if is_asked else values).complete().goal
    assert goal == "Greet ada, bob 3 times, at 1.5, loud: true"
    assert len(it.asked) == is_asked
    if is_asked:
        assert [question.default for question in it.asked[0].questions] == [None, 0.5, False, None]


@pytest.mark.parametrize(
    "wrong", [{"count": "0"}, {"count": "some"}, {"names": "Ada"}, {"is_loud": "maybe"}, {"rate": "fast"}]
)
def test_a_value_that_does_not_fit_its_type_is_refused_before_anything_is_asked(
    tmp_path: Path, wrong: Mapping[str, str]
) -> None:
    it = with_own(tmp_path, TYPED)
    with pytest.raises(InvalidInput) as failure:
        use(it, "greet", wrong)
    assert (failure.value.code, it.asked) == ("ANSWER_INVALID", [])


def test_unknown_parameters_are_all_named_before_anything_is_asked(tmp_path: Path) -> None:
    it = with_own(tmp_path)
    with pytest.raises(InvalidInput) as failure:
        use(it, "greet", {"whom": "ada", "hw": "x"})
    assert (failure.value.code, it.asked) == ("INVALID_ARGUMENTS", [])
    assert "'whom', 'hw'" in failure.value.message
