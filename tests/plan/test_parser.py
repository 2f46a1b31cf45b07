"""What the parser sees in texts: chosen ones. Texts of all kinds are in `test_properties`."""

import sys
from typing import Any

import pytest
import yaml

from planact.base.span import Span
from planact.model.plan import StepStatus
from planact.plan.syntax.parser import parse
from planact.plan.syntax.tree import PlanTree, QuestionOption
from tests.plan.plans import DOCUMENT


def steps_of(text: str) -> list[tuple[int, str, str]]:
    return [(step.step_number, step.mark, step.action) for step in parse(text).steps]


def cut(tree: PlanTree, span: Span | None) -> str:
    return tree.text[slice(*span)] if span else ""


def codes(text: str) -> list[str]:
    return [problem.code for problem in parse(text).problems]


@pytest.mark.parametrize(
    ("below", "expected"),
    [
        ("- [ ] 1. a\n- [x] 2. b\n", [(1, " ", "a"), (2, "x", "b")]),
        ("* [~] 1) a\n+ [!] b", [(1, "~", "a"), (2, "!", "b")]),
        ("- [ ] a\n- [ ] 7. b\n- [ ] c", [(1, " ", "a"), (7, " ", "b"), (3, " ", "c")]),
        ("- [?] 1. a", [(1, "?", "a")]),
        ("- [🦀] 1. a", [(1, "🦀", "a")]),
        ("-\t[ ]\t1.\ta\t", [(1, " ", "a")]),
        ("- [ ] 1. a\n  b\n\tc\n  - reason: r\n  d", [(1, " ", "a b c")]),
        ("- [ ] 1. a\n\n  not the action", [(1, " ", "a")]),
        ("  - [ ] 1. a\n   - [ ] 2. b\n", [(1, " ", "a"), (2, " ", "b")]),
        ("- [ ] 1. a\n  - [ ] 2. b\n", [(1, " ", "a")]),
        ("- [ ] 1. a\n```\n- [ ] 2. b\n```\n- [ ] 3. c", [(1, " ", "a"), (3, " ", "c")]),
        ("- [ ] 1. a\n  ~~~~\n  ~~~\n- [ ] 2. b\n  ~~~~\n- [ ] 3. c", [(1, " ", "a"), (3, " ", "c")]),
        ("- [ ] 1. 2. a", [(1, " ", "2. a")]),
        ("- [ ] 1234567890. a", [(1, " ", "1234567890. a")]),
        ("- [ ] 0. a", [(1, " ", "a")]),
        ("### Later\n- [ ] 1. a\n### Even later\n- [ ] 2. b", [(1, " ", "a"), (2, " ", "b")]),
        ("> - [ ] 1. a", []),
    ],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_steps_are_found(below: str, expected: list[tuple[int, str, str]], line_end: str) -> None:
    assert steps_of(f"# G\n## Steps\n{below}".replace("\n", line_end)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "- [ ] 1. a",
        "# G\n- [ ] 1. a",
        "# G\n## Other\n- [ ] 1. a",
        "# G\n```\n## Steps\n- [ ] 1. a",
        "## Steps\n# G\n- [ ] 1. a",
    ],
)
def test_only_what_stands_below_the_heading_is_a_step(text: str) -> None:
    assert steps_of(text) == []


def test_every_part_of_a_step_has_its_span() -> None:
    tree = parse(
        "🦀\r\n## steps\r\n- [x] 12. Do 🦀 it\r\n  now\r\n  - files: a,\r\n    b\r\n    - `c,d`\r\n  > why?\r\n\r\nend"
    )
    step = tree.steps[0]
    detail = step.details[0]
    spans = (
        step.mark_span,
        step.number_span,
        step.action_span,
        detail.key_span,
        detail.value_span,
        step.comments[0].span,
    )
    assert [cut(tree, span) for span in spans] == [
        "x",
        "12",
        "Do 🦀 it\r\n  now",
        "files",
        "a,\r\n    b\r\n    - `c,d`",
        "  > why?",
    ]
    assert (step.action, step.status, detail.values) == ("Do 🦀 it now", StepStatus.DONE, ("a, b", "`c,d`"))
    assert cut(tree, step.span).endswith("  > why?")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# G\n> a\n> b\n\n> c", [(None, "a\nb"), (None, "c")]),
        (
            "# G\n## Steps\n> p\n- [ ] 4. a\n  > s\n  - reason: r\n> t\n## Risks\n> q",
            [(None, "p"), (4, "s"), (4, "t"), (None, "q")],
        ),
        ("# G\n```\n> code\n```", []),
        ("> [!NOTE] mine\n> more\n\n> c", [(None, "c")]),
        ("\\> escaped", []),
        ("  > [!ADAPTED] r\n  > - planned: p\n  > - did: d\n  > c", [(None, "c")]),
        ("> [!QUESTION] q1 major: t\n> - [ ] v: l\n> c", [(None, "c")]),
    ],
)
def test_comments_know_what_they_are_about(text: str, expected: list[tuple[int | None, str]]) -> None:
    assert [(comment.step, comment.text) for comment in parse(text).comments] == expected


def test_a_question_block_is_read_with_ticks_and_answer() -> None:
    tree = parse(
        "# G\n> [!QUESTION] q1 major: Which?\n> - [ ] a: The first\n> - [x] b: The second\n\n"
        "> [!QUESTION] q2 minor: Why?\n> answer: so 🦀"
    )
    first, second = tree.questions
    assert (first.id, first.severity, first.text) == ("q1", "major", "Which?")
    assert first.options == (QuestionOption("a", "The first", False), QuestionOption("b", "The second", True))
    assert second.answer == "so 🦀"


@pytest.mark.parametrize(
    ("text", "is_request", "is_template"),
    [
        ("", True, False),
        ("make it faster", True, False),
        ("# G\n## Constraints\n- none", True, False),
        ("# G\n## Steps\n", False, False),
        ("---\nparameters: [a]\n---\n# G", False, True),
        ("# G\n```\n## Steps\n```", True, False),
    ],
)
def test_requests_and_templates_are_told_apart(text: str, is_request: bool, is_template: bool) -> None:
    tree = parse(text)
    assert (tree.is_request, tree.is_template) == (is_request, is_template)


def front(text: str) -> dict[str, tuple[Any, str]]:
    tree = parse(text)
    assert tree.front_matter
    return {key.name: (key.value, cut(tree, key.value_span)) for key in tree.front_matter.keys}


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("status: draft # c", {"status": ("draft", "draft")}),
        ("status :  'a b'", {"status": ("a b", "'a b'")}),
        ("status:", {"status": ("", "")}),
        ("created: 2026-11-20", {"created": ("2026-11-20", "2026-11-20")}),
        ("a: yes\nb: 1e3\nc: ~", {"a": ("yes", "yes"), "b": ("1e3", "1e3"), "c": ("~", "~")}),
        ("a: [x, {b: c}] # d", {"a": (["x", {"b": "c"}], "[x, {b: c}]")}),
        (
            "context: # why\n  - {path: a, sha256: 0f}\n  # end\n",
            {"context": ([{"path": "a", "sha256": "0f"}], "- {path: a, sha256: 0f}")},
        ),
        (
            "context:\n- path: ä b\n  sha256: x\n",
            {"context": ([{"path": "ä b", "sha256": "x"}], "- path: ä b\n  sha256: x")},
        ),
        ("a: &x 1", {"a": (None, "&x 1")}),
        ("a: *x", {"a": (None, "*x")}),
        ("a: !!python/object/apply:os.system [ls]", {"a": (None, "!!python/object/apply:os.system [ls]")}),
        ("a: [1\nb: 2", {"a": (None, "[1"), "b": ("2", "2")}),
        ("a: [[[[[[[[[[1]]]]]]]]]]", {"a": (None, "[[[[[[[[[[1]]]]]]]]]]")}),
    ],
)
def test_front_matter_is_text_and_nothing_more(inside: str, expected: dict[str, tuple[Any, str]]) -> None:
    assert front(f"---\n{inside}\n---\n# G") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\nstatus: draft\n# G\n## Steps\n- [ ] 1. a", ["PLAN005"]),
        ("---\na: 'x\nstatus: draft\n---\n# G\n## Steps\n- [ ] 1. a", ["PLAN005"]),
        ("---\nnonsense\n---\n# G\n## Steps\n- [ ] 1. a", ["PLAN005"]),
        ("---\nid: a\nid: b\n---\n# G\n## Steps\n- [ ] 1. a", ["PLAN013"]),
        ("# G\n## Steps\n- [ ] 1. a\n- b", ["PLAN011"]),
        ("# G\n## Steps\n- [ ] 1. a\n1. b", ["PLAN011"]),
        ("# G\n## Steps\n- [ ] 1. a\nlazy\n  - [ ] 2. b\n- c", ["PLAN011"]),
        ("# G\n## Steps\n- [ ] 1. a\n  - [ ] b", ["PLAN012"]),
        ("# G\n## Steps\n- [ ] 1.\n- [ ] 2. a", ["PLAN010"]),
        ("# G\n## Steps\n- [ ] 1. a\n  - reason: b\n  - reason: c", ["PLAN013"]),
        ("# G\n## Steps\n- [ ] 1. a\n## Steps\n- [ ] 2. b", ["PLAN013"]),
        ("# G\n## Steps\n- [ ] 1. a\n```", ["PLAN014"]),
        (DOCUMENT, []),
    ],
)
def test_what_is_broken_is_reported_and_the_rest_still_read(text: str, expected: list[str]) -> None:
    assert codes(text) == expected
    assert parse(text).goal
    assert parse(text).steps[0].step_number in {1, 2}


def test_the_tree_keeps_unknown_sections_to_the_letter() -> None:
    tree = parse(DOCUMENT)
    assert "".join(cut(tree, section.span) for section in tree.sections) == DOCUMENT[tree.sections[0].span.start :]
    assert [cut(tree, s.body_span) for s in tree.sections if not s.name] == ["Untouched 🦀.\n\n"]


def calls_to_parse(text: str) -> int:
    count = 0

    def profile(_frame: Any, _event: str, _arg: Any) -> None:
        nonlocal count
        count += 1

    sys.setprofile(profile)
    try:
        parse(text)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        "- [ ] 1. a\n  - reason: b",
        "  - reason: b",
        "    more",
        "> a",
        "> [!QUESTION] a major: b",
        "```",
        "## Risks",
        "- b",
        "\n",
    ],
)
def test_work_grows_no_faster_than_the_text(line: str) -> None:
    start = "# G\n## Steps\n- [ ] 1. a\n"
    few, many = (calls_to_parse(start + f"{line}\n" * count) for count in (200, 2_000))
    assert many <= 11 * few


@pytest.mark.slow
def test_ten_thousand_steps_are_ten_thousand_steps() -> None:
    text = "# G\n## Steps\n" + "".join(f"- [ ] {number}. a\n" for number in range(1, 10_001))
    assert [step.step_number for step in parse(text).steps] == list(range(1, 10_001))


def test_the_yaml_library_reads_no_more_than_takes_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    parse_yaml = yaml.parse
    monkeypatch.setattr(yaml, "parse", lambda text, **more: read.append(text) or parse_yaml(text, **more))
    tree = parse("---\n" + "b: [*a, *a]\n" * 30_000 + "id: word\nnote: 'quoted'\n---\n# G\n\n## Steps\n- [ ] 1. a\n")
    assert sum(map(len, read)) <= 131_072
    values = {key.name: key.value for key in tree.front_matter.keys} if tree.front_matter else {}
    assert values == {"b": None, "id": "word", "note": None}


def test_values_that_approval_leaves_out_hide_no_other() -> None:
    context = "context: '" + "x" * 60_000 + "'"
    assert front(f"---\n{context}\nnote: 'quoted'\n---\n# G")["note"][0] == "quoted"
    assert (
        front(f"---\n{context}\nstatus: {'y z' * 10_000}\n{context}\nnote: 'quoted'\n---\n# G")["note"][0] == "quoted"
    )
