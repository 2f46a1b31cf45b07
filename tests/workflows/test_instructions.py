"""Files of a repository that tell the agent how to work there."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from planact.model.settings import Settings
from planact.workflows.sessions.instructions import find_instructions
from tests.workflows.scene import Scene

RULES = {".cursor/rules/b.mdc": "Use spaces.", ".cursor/rules/a.mdc": "Use tabs."}


@pytest.mark.parametrize(
    ("files", "read"),
    [
        ({"AGENTS.md": "a", "CLAUDE.md": "c"}, ["AGENTS.md"]),
        ({"AGENTS.md": " \n", "CLAUDE.md": "c", "GEMINI.md": "g"}, ["CLAUDE.md"]),
        ({"GEMINI.md": "g", ".github/copilot-instructions.md": "p"}, ["GEMINI.md"]),
        ({".github/copilot-instructions.md": "p", **RULES}, [".github/copilot-instructions.md"]),
        (RULES, [".cursor/rules/a.mdc", ".cursor/rules/b.mdc"]),
        ({".cursor/rules": "Use tabs."}, [".cursor/rules"]),
        ({"README.md": "r"}, []),
    ],
)
def test_the_settings_files_count_then_the_first_of_other_agents(
    tmp_path: Path, files: Mapping[str, str], read: list[str]
) -> None:
    it = Scene(tmp_path)
    for path, text in files.items():
        it.world.write(path, text)
    assert [name for name, _ in find_instructions(it.ws)] == read


def test_no_file_counts_where_the_setting_names_none(tmp_path: Path) -> None:
    it = Scene(tmp_path, settings=Settings(model="played", instructions=[]))
    it.world.write("CLAUDE.md", "c")
    assert find_instructions(it.ws) == []


@pytest.mark.parametrize("link", ["CLAUDE.md", ".cursor/rules", ".cursor/rules/x.mdc"])
@pytest.mark.parametrize("target", [".env", "private/notes.md", "../outside.md"])
def test_none_leads_to_what_the_agent_must_not_see(tmp_path: Path, link: str, target: str) -> None:
    root = tmp_path / "ws"
    it = Scene(root, settings=Settings(model="played", ignore=["private/"]))
    for path in (".env", "private/notes.md"):
        it.world.write(path, "TOKEN=hunter2")
    (tmp_path / "outside.md").write_text("TOKEN=hunter2")
    (root / link).parent.mkdir(parents=True, exist_ok=True)
    (root / link).symlink_to(root / target)
    assert find_instructions(it.ws) == []


def test_a_folder_of_rules_that_leads_elsewhere_is_left_out(tmp_path: Path) -> None:
    it = Scene(tmp_path / "ws", settings=Settings(model="played", ignore=["private/"]))
    it.world.write("private/notes.md", "TOKEN=hunter2")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/notes.md").write_text("TOKEN=hunter2")
    it.world.write(".cursor/readme", "")
    for target in (tmp_path / "elsewhere", it.world.root / "private"):
        (it.world.root / ".cursor/rules").symlink_to(target)
        assert find_instructions(it.ws) == []
        (it.world.root / ".cursor/rules").unlink()
