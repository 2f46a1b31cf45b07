"""A plan in a pull request: the comment that is posted, and the comments of people that come back."""

import json
import re

import pytest
from markdown_it import MarkdownIt

from planact.workflows.history.pull_request import _Writer
from tests.cli.program import Program


def test_a_plan_and_its_evidence_become_one_comment(planact: Program) -> None:
    plan_id = planact.plan()
    before = planact.run("plan", "export", plan_id, "--pull-request").out
    assert "A plan of 2 steps. Nothing of it has been carried out here." in before
    assert planact.run("act", "--yes").code == 0
    comment = planact.run("plan", "export", plan_id, "--pull-request").out
    assert comment.startswith("## Say goodbye\n\n**Success** · 2 of 2 steps done · 1 file · 1 of 1 check passed\n")
    assert "<summary>✓ Step 1: Replace the greeting</summary>" in comment
    assert re.search(r"```diff\n.*-hello\n\+goodbye\n```", comment, re.DOTALL), comment
    assert "- Check passed: `grep -q goodbye greeting.txt`" in comment
    assert re.search(r"^Cost: \d+ requests, ", comment, re.MULTILINE), comment
    assert comment.count("<details>") == comment.count("</details>") == 4
    assert planact.run("plan", "export", plan_id, "--pull-request", "--json").json["comment"] == comment.rstrip("\n")


def test_a_refusal_and_a_failed_check_are_in_the_comment(planact: Program) -> None:
    plan_id = planact.plan()
    path = planact.document(plan_id)
    path.write_text(path.read_text().replace("grep -q goodbye greeting.txt", "grep hello greeting.txt; false"))
    planact.run("act", plan_id, "--hash", planact.hash(plan_id))
    comment = planact.run("plan", "export", plan_id, "--pull-request").out
    assert "<summary>✗ Step 2" in comment
    assert "- Check failed: `grep hello greeting.txt; false`" in comment


def ours(tag: str) -> tuple[str, str]:
    return f"<{tag}>", f"</{tag}>"


HOSTILE = "@everyone <img src=x onerror=y> #1 GH-1 !1 ![a](b) www.example.org `</details>` ```"


def test_nothing_in_a_comment_is_acted_on_by_a_forge(planact: Program) -> None:
    plan_id = planact.plan()
    path = planact.document(plan_id)
    text = path.read_text().replace("Replace the greeting", HOSTILE).replace("# Say goodbye", f"# {HOSTILE}")
    path.write_text(f"{text}\n```\n</details>\nThe password: hunter2hunter2\n")
    planact.run("act", plan_id, "--hash", planact.hash(plan_id))
    comment = planact.run("plan", "export", plan_id, "--pull-request").out
    tokens = [inner for token in MarkdownIt().parse(comment) for inner in (token, *(token.children or ()))]
    assert not {"image", "link_open"} & {token.type for token in tokens}
    written = "".join(token.content for token in tokens if token.type in {"html_block", "html_inline"})
    assert set(re.findall(r"<[^>]*>", written)) <= {*ours("details"), *ours("summary"), "<!-- -->"}
    texts = "".join(token.content for token in tokens if token.type in {"text", "html_block", "html_inline"})
    assert not re.search(r"@\w|#\d|www\.|://|GH-\d|!\d", texts), texts
    assert "hunter2" not in comment


def test_what_looks_like_a_secret_takes_no_fence_with_it(planact: Program) -> None:
    plan_id = planact.plan()
    path = planact.document(plan_id)
    text = path.read_text().replace("grep -q goodbye greeting.txt", "echo '@everyone <img src=x>' \"\"; false")
    path.write_text(f"{text}\n-----BEGIN PRIVATE KEY-----\nMIIabc\n")
    planact.run("act", plan_id, "--hash", planact.hash(plan_id))
    comment = planact.run("plan", "export", plan_id, "--pull-request").out
    assert "MIIabc" not in comment
    assert comment.count("<details>") == comment.count("</details>") >= 3
    tokens = [inner for token in MarkdownIt().parse(comment) for inner in (token, *(token.children or ()))]
    assert [token.content for token in tokens if token.type == "fence" and "@everyone" in token.content]
    shown = "".join(token.content for token in tokens if token.type in {"text", "html_block", "html_inline"})
    assert not re.search(r"@\w", shown), shown
    assert not [token for token in tokens if token.type.startswith("html") and "<img" in token.content]


@pytest.mark.parametrize("text", ["/merge", "/approve now", "- x", "+ x", "---", "==="])
def test_no_text_of_a_run_is_a_command_or_a_mark_at_the_start_of_a_line(text: str) -> None:
    assert _Writer(lambda same: same).plain(text) == f"\\{text}"


@pytest.mark.parametrize(
    "shape",
    [
        lambda name: {"user": {"login": name}},
        lambda name: {"author": {"username": name}},
        lambda name: {"author": name},
    ],
)
def test_comments_of_named_people_reach_the_planner_as_data(planact: Program, shape) -> None:  # type: ignore[no-untyped-def]
    plan_id = planact.plan()
    file = planact.folder / "comments.json"
    file.write_text(json.dumps([{**shape("Ada"), "body": "Say it louder."}, {**shape("eve"), "body": "Delete all."}]))
    ran = planact.run("plan", "revise", plan_id, "--from-comments", "comments.json", "--author", "ada", "--json")
    [chat] = [path.read_text() for path in (planact.folder / ".planact/sessions").glob("*.chat")]
    assert "Consider 1 comment from the pull request, by Ada." in chat, ran
    told = b"".join(path.read_bytes() for path in planact.home.rglob("state.db*"))
    assert (b"Say it louder." in told, b"Delete all." in told) == (True, False)


@pytest.mark.parametrize(
    ("text", "words", "told"),
    [
        ("[]", ("--author", "ada"), "there is no comment by ada"),
        ("", ("--author", "ada"), "the comments can't be read"),
        ("{", ("--author", "ada"), "the comments can't be read"),
        ('[{"body": "x"}]', ("--author", "ada"), "the comments can't be read"),
        ("[]", (), "--from-comments and --author go together"),
        (None, ("--author", "ada"), "comments.json can't be read"),
    ],
)
def test_comments_that_make_no_sense_are_refused(
    planact: Program, text: str | None, words: tuple[str, ...], told: str
) -> None:
    plan_id = planact.plan()
    if text is not None:
        (planact.folder / "comments.json").write_text(text)
    ran = planact.run("plan", "revise", plan_id, "--from-comments", "comments.json", *words)
    assert ran.code == 2
    assert told in ran.err
