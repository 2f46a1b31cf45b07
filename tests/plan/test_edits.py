"""The server's own changes: exactly these characters and no others."""

import pytest

from planact.base.errors import NotFound
from planact.base.span import TextEdit, apply_edits
from planact.model.plan import ContextFile, PlanStatus, StepStatus
from planact.model.runs.execution import Adaptation
from planact.plan.syntax.edits import add_adaptation, set_keys, set_mark, set_status
from planact.plan.syntax.parser import parse
from planact.plan.syntax.render import context_items
from tests.plan.plans import DOCUMENT

ADAPTATION = Adaptation(reason="a > b", original_action="use\n  `x`", adapted_action="# use y")
BLOCK = "  > [!ADAPTED] a > b\n  > - planned: use `x`\n  > - did: # use y"


def after(text: str, edits: tuple[TextEdit, ...]) -> str:
    return apply_edits(text, edits)


@pytest.mark.parametrize("status", StepStatus)
def test_a_mark_is_one_character(status: StepStatus) -> None:
    tree = parse(DOCUMENT.replace("\n", "\r\n"))
    edits = set_mark(tree, 1, status)
    assert [(edit.span.end - edit.span.start, len(edit.new_text)) for edit in edits] == [(1, 1)] * (
        status != StepStatus.PENDING
    )
    assert parse(after(tree.text, edits)).steps[0].status == status


@pytest.mark.parametrize(
    ("number", "expected"),
    [(1, "- [x] 1. a\n- [ ] 1. b\n- [ ] c"), (3, "- [ ] 1. a\n- [ ] 1. b\n- [x] c")],
)
def test_the_first_with_the_number_counts_then_the_position(number: int, expected: str) -> None:
    tree = parse("## Steps\n- [ ] 1. a\n- [ ] 1. b\n- [ ] c")
    assert after(tree.text, set_mark(tree, number, StepStatus.DONE)) == f"## Steps\n{expected}"


def test_a_step_that_isnt_there_is_not_found() -> None:
    for number in (0, 1, 9):
        with pytest.raises(NotFound, match="STEP_NOT_FOUND"):
            set_mark(parse("## Steps\n- [ ] 5. a"), number, StepStatus.DONE)


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("---\nstatus: draft # c\nx: y\n---\n# G", "---\nstatus: done # c\nx: y\n---\n# G"),
        ("---\nstatus: 'draft'\n---\n", "---\nstatus: done\n---\n"),
        ("---\nstatus: # c\n---\n", "---\nstatus: done # c\n---\n"),
        ("---\nstatus:\n  draft\n---\n", "---\nstatus:\n  done\n---\n"),
        ("---\nstatus: [a\n---\n", "---\nstatus: done\n---\n"),
        ("---\r\nx: y\r\n---\r\n", "---\r\nx: y\r\nstatus: done\r\n---\r\n"),
        ("---\n---\n", "---\nstatus: done\n---\n"),
        ("# G\r\n", "---\r\nstatus: done\r\n---\r\n# G\r\n"),
        ("\ufeff# G", "\ufeff---\nstatus: done\n---\n# G"),
        ("---\nstatus: done\n---\n", "---\nstatus: done\n---\n"),
    ],
)
def test_the_status_changes_and_nothing_else(before: str, expected: str) -> None:
    assert after(before, set_status(parse(before), PlanStatus.DONE)) == expected


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        (
            "context: # c\n  - {path: x, sha256: 0}\n  # d\nx: y",
            "context: # c\n  - {path: a, sha256: ff}\n  - {path: b c, sha256: ff}\n  # d\nx: y",
        ),
        ("context: [] # c", "context:\n  - {path: a, sha256: ff}\n  - {path: b c, sha256: ff} # c"),
        ("context:\n- path: x\n  sha256: 0", "context:\n- {path: a, sha256: ff}\n- {path: b c, sha256: ff}"),
        ("context:", "context:\n  - {path: a, sha256: ff}\n  - {path: b c, sha256: ff}"),
        ("x: y", "x: y\ncontext:\n  - {path: a, sha256: ff}\n  - {path: b c, sha256: ff}"),
    ],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_the_context_changes_and_nothing_else(before: str, expected: str, line_end: str) -> None:
    text = f"---\n{before}\n---\n# G\n".replace("\n", line_end)
    files = [ContextFile(path="a", sha256="ff"), ContextFile(path="b c", sha256="ff")]
    wanted = f"---\n{expected}\n---\n# G\n".replace("b c", '"b c"').replace("\n", line_end)
    assert after(text, set_keys(parse(text), {"context": context_items(files)})) == wanted


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("- [ ] 1. a\n  - reason: b\n\n- [ ] 2. c", f"- [ ] 1. a\n  - reason: b\n{BLOCK}\n\n- [ ] 2. c"),
        ("- [ ] 1. a", f"- [ ] 1. a\n{BLOCK}"),
        ("- [ ] 1. a\n  > mine\n", f"- [ ] 1. a\n  > mine\n{BLOCK}\n"),
    ],
)
def test_an_adaptation_goes_below_its_step(before: str, expected: str, line_end: str) -> None:
    text = f"# G\n## Steps\n{before}".replace("\n", line_end)
    changed = after(text, add_adaptation(parse(text), 1, ADAPTATION))
    assert changed == f"# G\n## Steps\n{expected}".replace("\n", line_end)
    adaptation = parse(changed).steps[0].adaptations[0].adaptation
    assert adaptation == ADAPTATION.model_copy(update={"original_action": "use `x`"})
