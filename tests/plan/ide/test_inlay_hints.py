"""Inlay hints: behind each step that is over, what came of it."""

import pytest

from planact.base.span import Span
from planact.model.plan import StepStatus
from planact.model.runs.execution import CheckResult, FileChange, StepRecord
from planact.plan.ide.inlay_hints import inlay_hints
from planact.plan.syntax.parser import parse

DONE = StepRecord(step_number=1, action="a", status=StepStatus.DONE, duration=12.3, output="Said hello.")
FILE = FileChange(path="a.py", after="1")
PASSED = CheckResult(command="true", exit_code=0, output="", passed=True)
FAILED = PASSED.model_copy(update={"passed": False})


def shown(text: str, record: StepRecord, selection: Span | None = None) -> list[tuple[str, str, str]]:
    """What stands before each hint in its line, the hint, and its tooltip."""
    found = inlay_hints(parse(text), {record.step_number: record}, selection or Span(0, len(text)))
    return [(text[: hint.offset].splitlines()[-1], hint.label, hint.tooltip) for hint in found]


@pytest.mark.parametrize(
    ("mark", "changes", "label"),
    [
        ("x", {}, "✓ 12 s"),
        ("x", {"duration": 0.0}, "✓"),
        ("x", {"duration": 0.4, "files": (FILE,), "checks": (PASSED, PASSED)}, "✓ under 1 s · 1 file · 2 checks"),
        ("x", {"duration": 150.0, "files": (FILE, FILE), "checks": (PASSED,)}, "✓ 2 min · 2 files · 1 check"),
        ("!", {"status": StepStatus.FAILED, "checks": (FAILED,)}, "✗ check failed · 12 s"),
        ("!", {"status": StepStatus.FAILED}, "✗ failed · 12 s"),
        ("-", {"status": StepStatus.SKIPPED}, None),
        (" ", {}, None),
        ("!", {}, None),
    ],
)
def test_a_step_that_is_over_says_what_came_of_it(mark: str, changes: dict[str, object], label: str | None) -> None:
    text = f"# G\n## Steps\n- [{mark}] 1. a\n  more\n- [ ] 2. b"
    expected = [(f"- [{mark}] 1. a", label, "Said hello.")] if label else []
    assert shown(text, DONE.model_copy(update=changes)) == expected


def test_an_error_is_in_the_tooltip() -> None:
    record = DONE.model_copy(update={"status": StepStatus.FAILED, "error": "no such file"})
    assert [tooltip for _, _, tooltip in shown("# G\n## Steps\n- [!] 1. a", record)] == ["no such file"]


@pytest.mark.parametrize(
    ("selection", "count"), [(Span(0, 5), 0), (Span(0, 16), 1), (Span(15, 15), 1), (Span(30, 40), 0)]
)
def test_only_what_is_on_the_screen_is_told(selection: Span, count: int) -> None:
    text = "# G\n## Steps\n- [x] 1. a\n" + "text\n" * 10
    assert len(shown(text, DONE, selection)) == count
