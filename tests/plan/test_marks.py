"""A text in which a mark changed is not read anew, and means what reading it anew would give."""

import random
from collections.abc import Sequence

import pytest

from planact.base.span import Span, apply_edits
from planact.model.plan import StepStatus
from planact.plan.approval import approval_hash, hash_of
from planact.plan.syntax import parser
from planact.plan.syntax.edits import set_mark
from planact.plan.syntax.grammar import STATUSES
from planact.plan.syntax.lower import lower
from planact.plan.syntax.parser import parse
from planact.plan.syntax.tree import PlanTree, StepNode
from tests.soak import times

PIECES = (
    "- [ ] 1. Do it\n  - files: a.txt\n  - check: `true`\n",
    "- [x] 1. Do it\n  - files: a.txt\n  - check: `true`\n",
    "- [~] 2. Do more\n  - reason: so\n",
    "- [ ] Do it without a number\n",
    "  - [ ] a box below\n",
    "- [?] 4. A mark that nobody knows\n",
    "- [ ] 5. With a word\n  > better not\n",
    "- [ ]\n",
    "- [!] 6. Run\n  ```\n  - [ ] no step\n  ```\n",
    "text between\n\n",
    "## Steps\n",
    "## Risks\n- [ ] 7. no step either\n",
    "# Goal\n",
)


def texts(random_: random.Random) -> str:
    body = "".join(random_.choices(PIECES, k=random_.randint(1, 12)))
    text = f"---\nid: plan_1\nstatus: draft\n---\n# Goal\n\n## Steps\n{body}"
    return text.replace("\n", "\r\n") if random_.random() < 0.2 else text


def changed(random_: random.Random, text: str) -> str:
    """One character is another: nearly always between brackets, where marks are."""
    places = [at + 1 for at in range(len(text) - 2) if text[at] == "[" and text[at + 2] == "]"]
    at = random_.choice(places) if places and random_.random() < 0.9 else random_.randrange(len(text))
    return f"{text[:at]}{random_.choice([*STATUSES, '?', ']', '`'])}{text[at + 1 :]}"


def read_anew(tree: PlanTree) -> PlanTree:
    """The tree of the same text without what came before; all that is remembered is computed first."""
    fresh = parse(tree.text)
    assert lower(tree) == lower(fresh)
    assert hash_of(tree) == hash_of(fresh) == approval_hash(tree.text)
    for number in range(-1, 9):
        assert tree.step(number) == fresh.step(number) == step_by_number(fresh, number)
    return fresh


def step_by_number(tree: PlanTree, number: int) -> StepNode | None:
    written = [step for step in tree.steps if step.number == number]
    others = [step for step in tree.steps if not step.number and step.position == number]
    return next(iter([*written, *others]), None)


def test_a_tree_made_from_the_one_before_is_that_of_its_text() -> None:
    random_ = random.Random(21)
    for _ in range(times(150, 5_000)):
        tree = parse(texts(random_))
        for _ in range(6):
            fresh = read_anew(tree)
            assert tree == fresh
            assert tree.blocks == fresh.blocks
            tree = parse(changed(random_, tree.text), tree)


@pytest.fixture
def texts_read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are read whole."""
    found: list[str] = []
    lines_of = parser.line_spans

    def note(text: str) -> Sequence[Span]:
        found.append(text)
        return lines_of(text)

    monkeypatch.setattr(parser, "line_spans", note)
    return found


def test_marks_of_ordinary_steps_are_changed_without_reading_the_text(texts_read: list[str]) -> None:
    steps = "".join(f"- [ ] {number}. Step {number}\n  - files: f{number}\n" for number in range(1, 40))
    tree = parse(f"# Goal\n\n## Steps\n{steps}")
    whole = len(texts_read)
    for number in range(1, 40):
        for status in (StepStatus.RUNNING, StepStatus.DONE):
            tree = parse(apply_edits(tree.text, set_mark(tree, number, status)), tree)
    assert len(texts_read) == whole
    assert tree == parse(tree.text)


def test_a_step_is_put_together_once_for_all_its_marks() -> None:
    tree = parse("# Goal\n\n## Steps\n- [ ] 1. One\n- [ ] 2. Two\n")
    plan = lower(tree)
    later = lower(parse(tree.text.replace("[ ] 2", "[x] 2"), tree))
    assert plan is not None
    assert later is not None
    assert later.steps[0] is plan.steps[0]
    assert [step.status for step in later.steps] == [StepStatus.PENDING, StepStatus.DONE]
