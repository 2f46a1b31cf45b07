"""The linter: each rule on a text that breaks it, and on none that doesn't; and each way to mend it."""

import pytest

from planact.base.span import apply_edits
from planact.plan.rules import lint
from planact.plan.syntax.parser import parse
from planact.plan.syntax.tree import PlanProblem
from tests.plan.lint_contexts import GONE
from tests.plan.plans import DOCUMENT

WHY = "\n  - reason: r"
PLAN = "# G\n## Steps\n"


def problems(text: str) -> list[PlanProblem]:
    return list(lint(parse(text), GONE))


def found(text: str) -> list[tuple[str, str, str]]:
    return [(p.code, p.severity, text[slice(*p.span)]) for p in problems(text)]


def one(*details: str, risks: bool = False) -> str:
    """A plan of one step with a reason."""
    lines = "".join(f"\n  - {detail}" for detail in details)
    return f"{PLAN}- [ ] 1. a{WHY}{lines}\n" + ("## Risks\n- r\n" if risks else "")


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
            [("PLAN008", "warning", "reed_file")],
        ),
        ("# G\n## Steps\n- [ ] 1. a\n- [ ] 2. b\n  - reason:", [("PLAN009", "hint", "a"), ("PLAN009", "hint", "b")]),
        ("---\nstatus: maybe\n---\nwant", [("PLAN015", "warning", "maybe")]),
        ("---\ncontext: [a]\n---\nwant", [("PLAN015", "warning", "[a]")]),
        ("---\ncontext: []\n---\nwant", []),
        ("make it fast", []),
        ("", []),
        (DOCUMENT, [("PLAN006", "warning", "owner")]),
        (one("tools: read_file", "files: src/a.py, gone.py"), [("PLAN016", "warning", "gone.py")]),
        (one("tools: read_file", "files: `gone.py`"), [("PLAN016", "warning", "gone.py")]),
        (one("tools: read_file", "files: gone.py:12"), [("PLAN016", "warning", "gone.py:12")]),
        (one("tools: read_file", "files:\n    - gone.py\n    - src/a.py"), [("PLAN016", "warning", "gone.py")]),
        (one("files: gone.py"), [("PLAN016", "hint", "gone.py")]),
        ("---\nparameters: [x]\n---\n" + one("tools: read_file", "files: gone.py"), []),
        (one("tools: create_file", "files: new.py, gone/"), []),
        (one("tools: frobnicate", "files: new.py"), [("PLAN008", "warning", "frobnicate")]),
        (one("tools: mcp_docs_search", "files: src/app.py"), []),
        (one("tools: read_file", "files: ../gone.py, /gone.py, *.py, {{x}}"), [("PLAN020", "warning", "{{x}}")]),
        (one("tools: read_file", "files: gone.py").replace("[ ]", "[x]"), []),
        (
            one("tools: create_file", "files: gone/") + f"- [ ] 2. b{WHY}\n  - tools: read_file\n  - files: gone/a.py",
            [],
        ),
        (
            one("tools: create_file", "files: src/new.py").replace("[ ]", "[x]")
            + f"- [ ] 2. b{WHY}\n  - files: src/new.py",
            [],
        ),
        (one("check: `echo 'a`"), [("PLAN017", "warning", "echo 'a")]),
        (one() + "## Validation\n- Look at it\n- `echo 'a`\n", [("PLAN017", "warning", "echo 'a")]),
        (one("check: rm -rf x", risks=True), [("PLAN018", "error", "rm -rf x")]),
        (one("check: echo fine"), []),
        (one("tools: read_file, delete_file"), [("PLAN019", "warning", "delete_file")]),
        (one("tools: delete_file", risks=True), []),
        (one("tools: delete_file") + "## Risks\n- None.\n", [("PLAN019", "warning", "delete_file")]),
        (one("tools: delete_file").replace("[ ]", "[-]"), []),
        (one().replace("a\n", "Run `git push --force` to main\n"), [("PLAN019", "warning", "git push --force")]),
        (one().replace("a\n", "Remove the unused import, drop the argument\n"), []),
        (one("check: terraform destroy -auto-approve"), [("PLAN019", "warning", "terraform destroy -auto-approve")]),
        (one("expect: {{name}} is there, {{ jinja }} stays, ${{x}} too"), [("PLAN020", "warning", "{{name}}")]),
        ("---\nparameters:\n  - {name: module}\n---\n" + one("files: {{module}}.py"), []),
        (
            "---\nparameters: {module: {default: a}}\n---\n" + one("files: {{modules}}.py"),
            [("PLAN020", "warning", "{{modules}}")],
        ),
        ("rename {{a}} to {{b}}", []),
        (
            one() + "> [!QUESTION] q1 minor: b?\n> answer:\n",
            [("PLAN021", "hint", "> [!QUESTION] q1 minor: b?\n> answer:")],
        ),
        (
            one() + "> [!QUESTION] q1 major: b?\n> - [ ] v: l",
            [("PLAN021", "warning", "> [!QUESTION] q1 major: b?\n> - [ ] v: l")],
        ),
        (one() + "> [!QUESTION] q1 major: b?\n> - [x] v: l", []),
        (one() + "> [!QUESTION] q1 major: b?\n> answer: yes", []),
        ("<<<<<<< ours\n" + PLAN, [("PLAN022", "error", "<<<<<<< ours"), ("PLAN002", "error", "Steps")]),
        (one() + "```\n<<<<<<< ours\n```\n", []),
        (one() + ">>>>>>> theirs", [("PLAN022", "error", ">>>>>>> theirs")]),
        (one("checks: `true`", "note: mine"), [("PLAN023", "warning", "checks")]),
        (one() + "## risk\n- r\n## Notes\n", [("PLAN023", "warning", "risk")]),
        (one(risks=True) + "## Risk\n", []),
        ("# G\n## Steps\n- a\n- [ ] 2. b", [("PLAN011", "error", "- a"), ("PLAN009", "hint", "b")]),
    ],
)
def test_each_fault_is_found_where_it_is(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert found(text) == expected


def test_the_nearest_name_is_offered() -> None:
    text = "---\nstatis: x\n---\n# G\n## Steps\n- [ ] a\n  - tools: reed_file, zzz"
    hints = [(p.code, p.hint) for p in problems(text) if p.code in ("PLAN006", "PLAN008")]
    assert hints == [
        ("PLAN006", "Did you mean `status`?"),
        ("PLAN008", "Did you mean 'read_file'?"),
        ("PLAN008", "Name a tool that exists, or none."),
    ]


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("PLAN001", "## Steps\n- [ ] a", "# \n\n## Steps\n- [ ] a"),
        ("PLAN002", "# G\n## Steps\n\n## Risks\n", "# G\n## Steps\n- [ ] 1. \n\n## Risks\n"),
        (
            "PLAN003",
            PLAN + "- [ ] 2. a\n- [ ]\n- [ ] 1. c\n- [ ] b",
            PLAN + "- [ ] 1. a\n- [ ] 2. \n- [ ] 3. c\n- [ ] 4. b",
        ),
        ("PLAN004", PLAN + "- [?] 1. a", PLAN + "- [ ] 1. a"),
        ("PLAN006", "---\nstatis: draft\n---\n", "---\nstatus: draft\n---\n"),
        ("PLAN007", "---\nformat_version: 2\n---\n", '---\nformat_version: "1.0"\n---\n'),
        ("PLAN008", one("tools: `reed_file`, x"), one("tools: `read_file`, x")),
        ("PLAN009", PLAN + "  - [ ] a\r\n    more\r\n", PLAN + "  - [ ] a\r\n    more\n    - reason: \r\n"),
        ("PLAN011", PLAN + "3. a\n", PLAN + "- [ ] a\n"),
        ("PLAN012", one("[ ] box"), one("box")),
        ("PLAN014", "# G\n```\na", "# G\n```\na\n```\n"),
        ("PLAN015", "---\nstatus: drafd\n---\n", "---\nstatus: draft\n---\n"),
        ("PLAN016", one("files: gone.py"), f"{PLAN}- [ ] 1. a\n  - tools: create_file{WHY}\n  - files: gone.py\n"),
        ("PLAN019", one("tools: delete_file"), one("tools: delete_file") + "\n## Risks\n- Step 1: \n"),
        (
            "PLAN019",
            one("tools: delete_file") + "\n## Validation\n- v",
            one("tools: delete_file") + "\n## Risks\n- Step 1: \n\n## Validation\n- v",
        ),
        ("PLAN019", one("tools: delete_file") + "## Risks\n\n", one("tools: delete_file") + "## Risks\n- Step 1: \n\n"),
        (
            "PLAN020",
            "---\nparameters: [module]\n---\n" + one("files: {{modules}}"),
            "---\nparameters: [module]\n---\n" + one("files: {{module}}"),
        ),
        ("PLAN023", one("checks: `true`"), one("check: `true`")),
    ],
)
def test_the_first_fix_mends_it_and_changes_nothing_else(code: str, text: str, expected: str) -> None:
    problem = next(problem for problem in problems(text) if problem.code == code)
    assert apply_edits(text, problem.fixes[0].edits) == expected
    assert problem.fixes[0].title
