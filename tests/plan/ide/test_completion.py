"""Completion: what can stand at the cursor, and the text that comes of it."""

import pytest

from planact.base.span import TextEdit, apply_edits
from planact.plan.ide.completion import Choices, Completion, completions
from planact.plan.syntax import grammar
from planact.plan.words import KEY_MEANINGS
from tests.plan.ide.cursor import parsed
from tests.plan.lint_contexts import AROUND

FOLDERS = {"": ["src/", "a.py"], "src/": ["app.py", "new app.py"]}
CHOICES = Choices(AROUND.tools, lambda folder: FOLDERS.get(folder, []), ["make", "echo `x`"])
STEPS = "# G\n## Steps\n- [ ] 1. a\n  - check: `pytest -q`\n  - reason: r\n"
TOOLS = ["read_file", "update_file", "create_file", "delete_file", "execute_command"]
MARKS = ["[ ]", "[~]", "[x]", "[-]", "[!]"]
KEYS = ["tools", "files", "time", "expect", "check"]


def offered(marked: str) -> tuple[str, list[Completion]]:
    tree, offset = parsed(marked)
    return tree.text, list(completions(tree, offset, CHOICES))


@pytest.mark.parametrize(
    ("text", "labels", "first"),
    [
        ("---\nid: x\n‸\n---\n", ["format_version", "status", "created"], "---\nid: x\nformat_version: \n"),
        ("---\nsta‸\n---\n", ["format_version", "id", "status"], "---\nformat_version: \n---\n"),
        ("---\nstatus: d‸\n---\n", ["draft", "approved"], "---\nstatus: draft\n---\n"),
        ("---\ninfrastructure: ‸\n---\n", ["true", "false"], "---\ninfrastructure: true\n---\n"),
        ("# G\n## ‸\n## Steps\n", ["## Analysis", "## Assumptions"], "# G\n## Analysis\n## Steps\n"),
        ("# G\n#‸", ["## Analysis"], "# G\n## Analysis"),
        ("# G\n## Ri‸", ["## Analysis"], "# G\n## Analysis"),
        (STEPS + "- [‸", MARKS, STEPS + "- [ ] "),
        (STEPS + "- [‸] 2. b", MARKS, STEPS + "- [ ] 2. b"),
        (STEPS + "- [?‸] 2. b", MARKS, STEPS + "- [ ] 2. b"),
        (STEPS + "‸", ["- [ ] 2."], STEPS + "- [ ] 2. "),
        (STEPS + "- ‸", ["- [ ] 2."], STEPS + "- [ ] 2. "),
        (STEPS + "  ‸", KEYS, STEPS + "  - tools: "),
        (STEPS + "  - ‸", KEYS, STEPS + "  - tools: "),
        (STEPS + "  - to‸", KEYS, STEPS + "  - tools: "),
        (STEPS + "  - tools: ‸", TOOLS, STEPS + "  - tools: read_file"),
        (STEPS + "  - tools: read_file, up‸", TOOLS, STEPS + "  - tools: read_file, read_file"),
        (STEPS + "  - tools: `up‸`", TOOLS, STEPS + "  - tools: `read_file`"),
        (STEPS + "  - tools:\n    - up‸", TOOLS, STEPS + "  - tools:\n    - read_file"),
        (STEPS + "  - files: ‸", ["src/", "a.py"], STEPS + "  - files: src/"),
        (STEPS + "  - files: a.py, src/‸", ["app.py", "new app.py"], STEPS + "  - files: a.py, src/app.py"),
        (STEPS + "  - files: src/ap‸", ["app.py", "new app.py"], STEPS + "  - files: src/app.py"),
        (STEPS + "  - files: ../‸", [], ""),
        (STEPS + "  - check: ‸", ["pytest -q", "make", "echo `x`"], STEPS + "  - check: `pytest -q`"),
        (STEPS + "  - check: `py‸`", ["pytest -q", "make", "echo `x`"], STEPS + "  - check: `pytest -q`"),
        (STEPS + "  - expect: see `src/‸`", ["app.py", "new app.py"], STEPS + "  - expect: see `src/app.py`"),
        (STEPS + "- [ ] 2. see `src/‸", ["app.py", "new app.py"], STEPS + "- [ ] 2. see `src/app.py"),
        (STEPS + "- [ ] 2. see `a` ‸", [], ""),
        (STEPS + "  - reason: ‸", [], ""),
        (STEPS + "  > ‸", [], ""),
        (STEPS + "```\n- [‸", [], ""),
        (STEPS + "```\n```\n- [‸", MARKS, STEPS + "```\n```\n- [ ] "),
        (STEPS + "## Validation\n- `‸`", ["pytest -q", "make", "echo `x`"], STEPS + "## Validation\n- `pytest -q`"),
        ("make it fast‸", [], ""),
        ("‸", [], ""),
        ("---\nparameters: [one, two]\n---\n# {{o‸", ["one", "two"], "---\nparameters: [one, two]\n---\n# {{one}}"),
        ("---\nparameters: [one]\n---\n# {{‸}}", ["one"], "---\nparameters: [one]\n---\n# {{one}}"),
    ],
)  # fmt: skip
def test_what_fits_is_offered_and_put_in_place(text: str, labels: list[str], first: str) -> None:
    plain, found = offered(text)
    assert [completion.label for completion in found][: len(labels)] == labels
    assert bool(found) == bool(labels)
    if found:
        made = apply_edits(plain, [TextEdit(found[0].span, found[0].new_text)])
        assert made.startswith(first)


def test_what_only_a_template_says_of_itself_is_offered_in_templates() -> None:
    own = ["description", "category", "applies"]
    _, in_template = offered("---\nparameters: []\n‸\n---\n")
    _, in_plan = offered("---\nid: x\n‸\n---\n")
    assert [key.label for key in in_template][-3:] == own
    assert not set(own) & {key.label for key in in_plan}


def test_every_key_of_the_front_matter_has_its_meaning() -> None:
    assert KEY_MEANINGS.keys() == grammar.FRONT_MATTER_KEYS.keys()


def test_a_tool_comes_with_its_permissions_and_a_key_with_its_meaning() -> None:
    _, tools = offered(STEPS + "  - tools: ‸")
    assert (tools[3].detail, tools[3].documentation) == ("delete_files, read_files", "Delete a file.")
    _, keys = offered(STEPS + "  - ‸")
    assert [key.documentation for key in keys if key.label == "check"] == [
        "A command that shows that the step is done. It may run in Act once the plan is approved."
    ]


def test_a_command_with_backticks_stays_one_command() -> None:
    text, found = offered(STEPS + "  - check: ‸")
    command = found[-1]
    made = apply_edits(text, [TextEdit(command.span, command.new_text)])
    assert parsed(made + "‸")[0].steps[0].details[-1].values == ("`` echo `x` ``",)
