"""`planact executions` and `planact executions show`: what the runs of a folder came to."""

import json

from tests.cli.program import Program


def test_a_run_is_listed_and_shown_in_words_as_markdown_and_as_data(planact: Program) -> None:
    assert planact.run("executions", "--json").json == {"executions": [], "left_out": 0}
    assert "There are no executions" in planact.run("executions").err
    plan_id = planact.plan()
    ran = planact.run("act", "--yes")
    assert ran.code == 0, ran
    (run,) = planact.run("executions", "list", "--json").json["executions"]
    row = planact.run("executions").out
    assert (row.startswith(run["id"]), row.endswith("success  Say goodbye\n")) == (True, True)
    shown = planact.run("executions", "show", run["id"][-8:])
    assert (shown.code, shown.out) == (0, ran.out)
    assert planact.run("executions", "show").out == shown.out, "the newest"
    markdown = planact.run("executions", "show", run["id"], "--markdown").out
    assert markdown.startswith("# Say goodbye\n\n**Success**\n")
    for line in (
        f"- Plan: `{run['plan_file']}`",
        "## 1. Replace the greeting: done",
        "- Changed `greeting.txt`",
        "- Did: update_file `greeting.txt`",
        "- Check passed: `grep -q goodbye greeting.txt`, exit code 0",
    ):
        assert line in markdown.splitlines(), markdown
    data = planact.run("executions", "show", run["id"], "--json").json
    record = planact.folder / data.pop("record")
    assert data == json.loads(record.read_text()) == run
    assert run["plan_id"] == plan_id


def test_a_run_that_is_not_there_is_told(planact: Program) -> None:
    for words in ((), ("none",)):
        ran = planact.run("executions", "show", *words, "--json")
        assert (ran.code, ran.json["error"]["code"]) == (1, "EXECUTION_NOT_FOUND")
