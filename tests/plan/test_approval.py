"""Approval is blind to exactly what the server writes, and sees all else."""

import pytest

from planact.plan.approval import approval_hash, approved_text
from planact.plan.syntax.parser import parse
from tests.plan.plans import DOCUMENT

ADAPTED = "  > [!ADAPTED] r\n  > - planned: p\n  > - did: d\n"
QUESTION = "> [!QUESTION] q1 major: Which?\n> - [ ] a: The first\n> - [x] b: The second\n"
STEPS = "# G\n## Steps\n- [ ] 1. a\n  - check: `x`\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (DOCUMENT, DOCUMENT.replace("- [ ] 1.", "- [x] 1.")),
        (DOCUMENT, DOCUMENT.replace("status: draft ", "status: done ")),
        (DOCUMENT, DOCUMENT.replace("3b1f", "77")),
        (STEPS, STEPS + ADAPTED),
        (STEPS, STEPS + ADAPTED * 2),
        (STEPS[:-1], STEPS + ADAPTED[:-1]),
        (STEPS, STEPS.replace("  - check", f"{ADAPTED}  - check")),
        (STEPS, STEPS.replace("## Steps", f"{QUESTION}## Steps")),
        (STEPS, STEPS + "> [!QUESTION] q2 minor: Why?\n> answer: so\n"),
        (STEPS, "---\nstatus: running\ncontext:\n  - {path: a, sha256: 0}\n---\n" + STEPS),
    ],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_what_the_server_writes_is_not_covered(before: str, after: str, line_end: str) -> None:
    before, after = before.replace("\n", line_end), after.replace("\n", line_end)
    assert before != after
    assert approval_hash(before) == approval_hash(after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (STEPS, STEPS.replace("`x`", "`y`")),
        (STEPS, STEPS.replace("[ ]", "[?]")),
        (STEPS, STEPS.replace("\n", "\r\n")),
        (STEPS, STEPS + "\n"),
        (STEPS, STEPS + "- [x] 2. b\n"),
        (STEPS, STEPS + "  > a comment\n"),
        (STEPS, STEPS + "  - [ ] a: b\n"),
        (STEPS, "---\nmodel: other\n---\n" + STEPS),
        (STEPS, "---\nstatus: draft # rm -rf\n---\n" + STEPS),
        ("---\nstatus: a\n---\n---\nmodel: x\n---\n" + STEPS, "---\nmodel: x\n---\n" + STEPS),
        (STEPS, STEPS + "  > [!ADAPTED] r\n  > - planned: p\n  - check: `evil`\n"),
        (STEPS, STEPS + ADAPTED + "  - check: `evil`\n"),
        (STEPS, STEPS + ADAPTED.replace("  >", " >")),
        (STEPS, STEPS + ADAPTED.replace("> - did", ">  - did")),
        (STEPS, STEPS + ADAPTED.replace("r\n", "r \n", 1)),
        (STEPS, STEPS + "  > [!NOTE] n\n"),
        (STEPS, STEPS + QUESTION.replace("major", "urgent")),
        (STEPS, STEPS + QUESTION + "> - [ ] 2. Run `evil`\n"),
        (STEPS, STEPS + "```\n" + ADAPTED + "```\n"),
        ("---\nstatus: &a [x]\n---\n" + STEPS, "---\nstatus: &a [y]\n---\n" + STEPS),
        ("---\nstatus: a\nstatus: b\n---\n" + STEPS, "---\nstatus: a\nstatus: c\n---\n" + STEPS),
    ],
)
def test_everything_else_is_covered(before: str, after: str) -> None:
    assert before != after
    assert approval_hash(before) != approval_hash(after)


@pytest.mark.slow
def test_exactly_the_uncovered_characters_may_change_freely() -> None:
    text = DOCUMENT.replace("\n\n## Notes", f"\n{ADAPTED}\n## Notes")
    tree = parse(text)
    assert tree.front_matter
    keys = [tree.front_matter.key(name) for name in ("status", "context")]
    free = [step.mark_span for step in tree.steps] + [key.value_span for key in keys if key]
    words = [text.index(word) for word in ("ADAPTED] r", "planned: p", "did: d")]
    ends = [index + len(word) - 1 for index, word in zip(words, ("ADAPTED] r", "planned: p", "did: d"), strict=True)]
    covered = [i for i in range(len(text)) if i not in ends and not any(span.start <= i < span.end for span in free)]
    hash_ = approval_hash(text)
    for index in covered:
        assert approval_hash(f"{text[:index]}{'~' if text[index] != '~' else 'x'}{text[index + 1 :]}") != hash_, index
    for index in (*ends, *(step.mark_span.start for step in tree.steps)):
        assert approval_hash(f"{text[:index]}~{text[index + 1 :]}") == hash_


def test_the_covered_text_can_be_shown() -> None:
    assert approved_text(STEPS.replace("[ ]", "[!]") + ADAPTED) == f"---\n---\n{STEPS}"
