"""A plan's life at the terminal: approved, revised, compared, restored, exported, pinned."""

import json

from tests.cli.program import Program


def test_approval_starts_nothing_and_execution_needs_no_other_yes(planact: Program) -> None:
    plan_id = planact.plan()
    ran = planact.run("plan", "approve", plan_id)
    assert (ran.code, ran.out.split()[0], planact.greeting) == (0, "Approved", "hello\n")
    assert f"planact act {plan_id}" in ran.err
    assert json.loads(planact.run("plan", "list", "--json").out)["plans"][0]["status"] == "approved"


def test_a_revision_is_made_compared_and_taken_back(planact: Program) -> None:
    plan_id = planact.plan()
    before = planact.document(plan_id).read_text()
    ran = planact.run("plan", "revise", plan_id, "be late")
    assert (ran.code, "Say goodbye late" in ran.out) == (0, True)
    revised = planact.document(plan_id).read_text()
    compared = planact.run("plan", "diff", plan_id)
    assert (compared.code, "-# Say goodbye\n+# Say goodbye late\n" in compared.out) == (0, True)
    assert "2 revisions" in compared.err
    assert [each["author"] for each in planact.run("plan", "diff", plan_id, "--json").json["revisions"]] == [
        "planner",
        "planner",
    ]
    assert planact.run("plan", "restore", plan_id, "1", "--yes").code == 0
    assert planact.document(plan_id).read_text() == before != revised
    missing = planact.run("plan", "restore", plan_id, "9")
    assert missing.code == 1
    assert "has no revision 9. It has the revisions 1 to 3. [REVISION_NOT_FOUND]" in missing.err


def test_comments_in_the_document_are_enough_to_revise(planact: Program) -> None:
    plan_id = planact.plan()
    document = planact.document(plan_id)
    document.write_text(document.read_text() + "\n> be late\n")
    assert planact.run("plan", "revise", plan_id).code == 0
    assert "Say goodbye late" in document.read_text()


def test_a_plan_is_exported_as_markdown_and_as_json(planact: Program) -> None:
    plan_id = planact.plan()
    text = planact.run("plan", "export", plan_id).out
    assert text.startswith("# Say goodbye\n")
    assert "- [ ] 1. Replace the greeting" in text
    assert json.loads(planact.run("plan", "export", plan_id, "--format", "json").out)["goal"] == "Say goodbye"


def test_a_plan_is_pinned_until_it_is_not(planact: Program) -> None:
    plan_id = planact.plan()
    assert planact.run("plan", "pin", plan_id, "--json").json["is_pinned"] is True
    assert planact.run("plan", "pin", plan_id, "--off", "--json").json["is_pinned"] is False
