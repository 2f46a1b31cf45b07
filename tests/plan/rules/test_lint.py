"""The linter: each rule on a text that breaks it, and on none that doesn't."""

import pytest

from planact.plan.parser import parse
from planact.plan.rules import lint
from tests.plan.plans import DOCUMENT

TOOLS = frozenset({"read_file", "update_file"})
WHY = "\n  - reason: r"


def found(text: str) -> list[tuple[str, str, str]]:
    return [(p.code, p.severity, text[slice(*p.span)]) for p in lint(parse(text), TOOLS)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"## Steps\n- [ ] 1. a{WHY}", [("PLAN001", "error", "")]),
        (f"#\n## Steps\n- [ ] 1. a{WHY}", [("PLAN001", "error", "")]),
        ("# G\n## Steps\n", [("PLAN002", "error", "Steps")]),
        (f"# G\n## Steps\n- [ ] 2. a{WHY}\n- [ ] 1. b{WHY}", [("PLAN003", "warning", "1")]),
        (f"# G\n## Steps\n- [ ] 1. a{WHY}\n- [ ] 1. b{WHY}", [("PLAN003", "error", "1")]),
        (f"# G\n## Steps\n- [ ] 1. a{WHY}\n- [ ] b{WHY}\n- [ ] 7. c{WHY}", []),
        (f"# G\n## Steps\n- [?] 1. a{WHY}", [("PLAN004", "error", "?")]),
        ("---\nstatis: draft\n---\nwant", [("PLAN006", "warning", "statis")]),
        ("---\nformat_version: 2\n---\nwant", [("PLAN007", "error", "2")]),
        ("---\nformat_version: 1.0\n---\nwant", []),
        (
            f"# G\n## Steps\n- [ ] 1. a{WHY}\n  - tools: reed_file, read_file",
            [("PLAN008", "warning", "reed_file, read_file")],
        ),
        ("# G\n## Steps\n- [ ] 1. a\n- [ ] 2. b\n  - reason:", [("PLAN009", "hint", "a"), ("PLAN009", "hint", "b")]),
        ("---\nstatus: maybe\n---\nwant", [("PLAN015", "warning", "maybe")]),
        ("---\ncontext: [a]\n---\nwant", [("PLAN015", "warning", "[a]")]),
        ("---\ncontext: []\n---\nwant", []),
        ("make it fast", []),
        ("", []),
        (DOCUMENT, [("PLAN006", "warning", "owner")]),
        ("# G\n## Steps\n- a\n- [ ] 2. b", [("PLAN011", "error", "- a"), ("PLAN009", "hint", "b")]),
    ],
)
def test_each_fault_is_found_where_it_is(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert found(text) == expected


def test_the_nearest_name_is_offered() -> None:
    hints = {
        p.code: p.hint
        for p in lint(parse("---\nstatis: x\n---\n# G\n## Steps\n- [ ] a\n  - tools: reed_file, zzz"), TOOLS)
    }
    assert "`status`" in hints["PLAN006"]
    tools = [p for p in lint(parse("# G\n## Steps\n- [ ] a\n  - tools: reed_file, zzz"), TOOLS) if p.code == "PLAN008"]
    assert [p.hint for p in tools] == ["Did you mean 'read_file'?", "Name a tool that exists, or none."]
