"""`planact template`."""

from tests.cli.program import Program


def test_templates_are_listed_and_shown(planact: Program) -> None:
    listed = planact.run("template", "list")
    assert (listed.code, [line.split()[0] for line in listed.out.splitlines()][:2]) == (0, ["add-feature", "add-tests"])
    assert planact.run("template", "show", "release").out.startswith("---\n")
    missing = planact.run("template", "show", "nothing")
    assert (missing.code, "[TEMPLATE_NOT_FOUND]" in missing.err) == (1, True)


def test_a_template_becomes_a_plan_with_the_values_that_are_given(planact: Program) -> None:
    ran = planact.run(
        *("template", "use", "add-tests", "--set", "file=greeting.txt", "--set", "test_file=test_greeting.py"),
        *("--set", "test_command=true", "--json"),
    )
    assert (ran.code, ran.json["plan"]["goal"]) == (0, "Test `greeting.txt`")
    assert (planact.folder / ran.json["path"]).is_file()


def test_what_is_missing_is_asked_and_told_how_to_give(planact: Program) -> None:
    ran = planact.run("template", "use", "add-tests", "--set", "file=greeting.txt")
    assert (ran.code, "Where the tests go" in ran.err, "{{" in ran.err) == (3, True, False)
    assert ran.err.endswith("\nRun it again with --set test_file=… --set test_command=…\n")
    assert planact.run("questions", "--json").json == {"questions": []}  # nobody would use the answer


def test_what_has_a_default_is_not_asked_where_defaults_are_taken(planact: Program) -> None:
    words = ("template", "use", "add-tests", "--defaults", "--set", "file=greeting.txt")
    assert planact.run(*words).err.endswith("\nRun it again with --set test_file=…\n")
    ran = planact.run(*words, "--set", "test_file=test_greeting.py", "--json")
    assert (ran.code, ran.json["plan"]["validation"]) == (0, ["`python -m pytest -q`"])


def test_a_template_is_made_used_and_deleted(planact: Program) -> None:
    plan_id = planact.plan()
    words = ("template", "create", "--from-plan", plan_id, "--name", "bye", "--parameter", "file=greeting.txt")
    assert planact.run(*words).code == 0
    used = planact.run("template", "use", "bye", "--set", "file=other.txt", "--json")
    assert used.json["plan"]["steps"][0]["files"] == ["other.txt"]
    assert planact.run("template", "delete", "bye", "--yes").code == 0
    assert planact.run("template", "show", "bye").code == 1


def test_a_value_without_a_name_is_a_mistake(planact: Program) -> None:
    ran = planact.run("template", "use", "add-tests", "--set", "greeting.txt")
    assert (ran.code, "--set NAME=VALUE" in ran.err) == (2, True)
