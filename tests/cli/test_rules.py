"""`planact rules` and `planact rules revoke`, and how a rule comes about at the terminal."""

from tests.cli.program import Program


def answering(planact: Program, value: str) -> tuple[str, ...]:
    (planact.folder / "answers.yaml").write_text(f"- {{match: approval, answer: {value}}}")
    return ("chat", "--mode", "act", "Replace the greeting", "--answers", "answers.yaml")


def test_a_rule_is_made_by_an_answer_counts_and_is_revoked(planact: Program) -> None:
    assert planact.run("rules", "--json").json == {"rules": []}
    assert planact.run(*answering(planact, "Always allow")).code == 0
    (rule,) = planact.run("rules", "list", "--json").json["rules"]
    assert rule["allows"] == {"kind": "path", "action": "write", "path": "greeting.txt"}
    listed = planact.run("rules").out
    assert (listed.startswith(rule["id"]), listed.endswith("write greeting.txt\n")) == (True, True)

    (planact.folder / "greeting.txt").write_text("hello\n")
    assert planact.run("chat", "--mode", "act", "Replace the greeting").code == 0
    assert planact.greeting == "goodbye\n"

    ran = planact.run("rules", "revoke", rule["id"][-4:])
    assert (ran.code, ran.out) == (0, "Revoked: write greeting.txt\n")
    (planact.folder / "greeting.txt").write_text("hello\n")
    asked = planact.run("chat", "--mode", "act", "Replace the greeting", "--json")
    assert (asked.code, planact.greeting, planact.run("rules").out) == (3, "hello\n", "")
    assert "+goodbye" in asked.json["waiting"]["questions"][0]["context"]
    again = planact.run("rules", "revoke", rule["id"])
    assert (again.code, "[RULE_NOT_FOUND]" in again.err) == (1, True)


def test_an_answer_given_later_makes_the_rule_when_the_work_goes_on(planact: Program) -> None:
    waiting = planact.run("chat", "--mode", "act", "Replace the greeting", "--json").json
    question, session = waiting["waiting"]["question_id"], waiting["session_id"]
    assert planact.run("answer", question[-6:], "Always allow").code == 0
    assert planact.run("chat", "--session", session[-6:], "Replace the greeting").code == 0
    assert planact.greeting == "goodbye\n"
    assert session in planact.run("events", "--session", session[-6:], "--json").out
    assert planact.run("answer", question[-6:], "Always allow").code == 1  # it has ended
    assert [rule["text"] for rule in planact.run("rules", "--json").json["rules"]] == ["write greeting.txt"]


def test_a_yes_once_makes_no_rule(planact: Program) -> None:
    assert planact.run(*answering(planact, "Allow once")).code == 0
    assert (planact.greeting, planact.run("rules", "--json").json) == ("goodbye\n", {"rules": []})


def test_the_rules_of_one_folder_are_not_those_of_another(planact: Program) -> None:
    planact.run(*answering(planact, "Always allow"))
    planact.folder = planact.folder / "sub"
    planact.folder.mkdir()
    assert planact.run("rules", "--json").json == {"rules": []}
