"""Plans as other agents and people write them: recognised, offered, and made plans without losing a word."""

import re
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planact.base.span import apply_edits
from planact.plan.check_lists import recognise
from planact.plan.lower import lower
from planact.plan.parser import parse
from planact.plan.rules import lint
from tests.plan.plans import line_ends, texts
from tests.plan.surroundings import AROUND
from tests.plan.test_properties import on_texts


def converted(text: str) -> str | None:
    found = recognise(parse(text))
    return apply_edits(text, found.edits) if found else None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            """\
            # Implementation Plan

            - [x] 1. Set up the project
              - Create the folders
              - _Requirements: 1.1_
            - [-] 2. Data models
            - [ ] 2.1 Create them
            - [ ]* 2.2 Test them
            """,
            """\
            # Implementation Plan

            ## Steps
            - [x] 1. Set up the project
              - Create the folders
              - _Requirements: 1.1_
            - [-] 2. Data models
            - [ ] 3. 2.1 Create them
            - [ ] 4. (optional) 2.2 Test them
            """,
            id="tasks with numbers of their own",
        ),
        pytest.param(
            """\
            ## Todos
            - [ ] Find the fault
              - [x] reproduce it
              - [ ] bisect
            - [x] Mend it

            That is all.
            - really
            """,
            """\
            # Todos

            ## Steps
            - [ ] 1. Find the fault
              - (done) reproduce it
              - bisect
            - [x] 2. Mend it

            ## Notes

            That is all.
            - really
            """,
            id="a list of things to do",
        ),
        pytest.param(
            """\
            Add a login

            ### Step 1: Make the form
            Use HTML.
            ```html
            # <b>
            ```
            - Files: a.html
            ### **Step 2: Check it** ###
            1. go
            2. run

            ## Risks
            - none
            """,
            """\
            # Add a login

            ## Steps
            - [ ] 1. Make the form

              Use HTML.
              ```html
              # <b>
              ```
              - Files: a.html
            - [ ] 2. Check it
              1. go
              2. run

            ## Risks
            - none
            """,
            id="a heading for each step",
        ),
        pytest.param(
            "**Step 1: Look**\nat it\n\n**Step 2 - Leap**\n",
            "## Steps\n- [ ] 1. Look\n\n  at it\n\n- [ ] 2. Leap\n",
            id="bold lines",
        ),
        pytest.param(
            "Do this:\n1. one\nand more\n2. two\n   ```\n1. code\n   ```\n3) three",
            "# Do this:\n\n## Steps\n- [ ] 1. one\n  and more\n- [ ] 2. two\n   ```\n1. code\n   ```\n- [ ] 3) three",
            id="a numbered list",
        ),
        pytest.param(
            "# Add it\n\n## Phase 1\n- [ ] a\n- b\n\n## Phase 2\nwords\n* [x] c\n\n## Phase 3\nlater\n",
            "# Add it\n\n## Phase 1\n\n## Steps\n- [ ] 1. a\n  - b\n\n  ### Phase 2\n  words\n"
            "* [x] 2. c\n\n## Phase 3\nlater\n",
            id="phases",
        ),
        pytest.param(
            "## 1. Build\n- [ ] 1.1 a\n- [ ] 1.2 b\n",
            "# 1. Build\n\n## Steps\n- [ ] 1. 1.1 a\n- [ ] 2. 1.2 b\n",
            id="boxes below numbered headings",
        ),
        pytest.param(
            "Todos\n\n☒ Read 👋\n☐ Mend\n  ☐ deeper\n  ✔ done\n☐ Test\n\nGood luck\n",
            "# Todos\n\n## Steps\n- [x] 1. Read 👋\n- [ ] 2. Mend\n  - deeper\n  - (done) done\n- [ ] 3. Test\n\n"
            "## Notes\n\nGood luck\n",
            id="boxes that are drawn",
        ),
        pytest.param(
            "- ✅ Read\n- ⬜\ufe0f Mend\n", "## Steps\n- [x] 1. Read\n- [ ] 2. Mend\n", id="boxes drawn in a list"
        ),
        pytest.param("## 1. Build\na\n## 2. Test\n", "## Steps\n- [ ] 1. Build\n\n  a\n- [ ] 2. Test\n", id="headings"),
        pytest.param(
            "# Why\n1. it is slow\n2. it is old\n# How\n1. a\n2. b\n3. c\n",
            "# Why\n1. it is slow\n2. it is old\n# How\n\n## Steps\n- [ ] 1. a\n- [ ] 2. b\n- [ ] 3. c\n",
            id="of two lists the longer one",
        ),
        pytest.param("1. a\r\n1. b\r\n", "## Steps\r\n- [ ] 1. a\r\n- [ ] 2. b\r\n", id="line ends and numbers"),
        pytest.param(
            "---\nid: x\n---\n- [ ] a 👋\n- [ ] b",
            "---\nid: x\n---\n## Steps\n- [ ] 1. a 👋\n- [ ] 2. b",
            id="front matter",
        ),
    ],
)
def test_lists_of_steps_become_plans(text: str, expected: str) -> None:
    assert converted(dedent(text)) == dedent(expected)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "make it fast",
        "1. only one",
        "- a\n- b",
        "```\n1. a\n2. b\n```",
        "```\n1. a\n2. b",
        "# G\n## Steps\n1. a\n2. b",
        "---\nparameters: x\n---\n1. a\n2. b",
        "2026. a year\n\n# End",
        "> 1. a\n> 2. b",
    ],
)
def test_nothing_is_recognised_where_there_is_no_list_or_a_plan_already(text: str) -> None:
    assert converted(text) is None


def test_it_is_offered_as_a_hint_with_a_fix_at_the_first_step() -> None:
    text = "# Goal\n\n1. a\n2. b\n"
    [problem] = lint(parse(text), AROUND)
    assert (problem.code, problem.severity, text[slice(*problem.span)]) == ("PLAN024", "hint", "1. a")
    [fix] = problem.fixes
    assert not fix.is_preferred
    plan = lower(parse(apply_edits(text, fix.edits)))
    assert plan
    assert [step.action for step in plan.steps] == ["a", "b"]


words = st.sampled_from(["alpha", "beta 👋", "gamma `x`", "ΔE delta", ""])
items = st.builds(
    "{}{} {}".format,
    st.sampled_from(["", "  ", "    ", "\t"]),
    st.sampled_from(
        [
            "- [ ]",
            "* [x]",
            "☐",
            "- ✅",
            "1.",
            "2)",
            "-",
            "### Step 1:",
            "## 2.",
            "**Step 3**",
            "# ",
            "## ",
            ">",
            "```",
            "",
        ]
    ),
    words,
)
lists = st.builds(lambda lines, end: end.join(lines), st.lists(items, max_size=14), line_ends)


def spoken(text: str) -> list[str]:
    return [word for word in re.findall(r"[^\W\d_]{2,}", text) if word.lower() not in ("step", "steps")]


@on_texts
@given(st.one_of(lists, texts))
def test_every_word_stays_in_its_order_and_the_result_is_a_plan(text: str) -> None:
    made = converted(text)
    if made is None:
        return
    tree = parse(made)
    assert not tree.is_request
    assert tree.steps
    assert not [problem for problem in tree.problems if problem.severity == "error"]
    left = iter(spoken(made))
    assert all(word in left for word in spoken(text))
