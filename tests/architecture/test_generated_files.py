"""What is generated from the code is as the code is now."""

import json
from pathlib import Path

import pytest

from planact.lsp.commands import LSP_COMMANDS
from planact.lsp.protocol import messages
from planact.model.settings import Settings
from server.generators import protocol as generate
from tests.architecture.source import ROOT


def test_generated_files_are_current() -> None:
    stale = generate.outdated(ROOT)
    assert stale == [], "run `python server/generators/protocol.py`"


def test_every_command_and_message_is_in_the_clients_types() -> None:
    text = generate.typescript()
    names = [command.name for command in LSP_COMMANDS] + [*messages.NOTIFICATIONS, *messages.REQUESTS]
    assert [name for name in names if f'"{name}": ' not in text] == []


def test_no_setting_can_come_from_a_workspace() -> None:
    # VS Code takes settings of these scopes from the user alone; a repository's `.vscode/settings.json` has no say.
    manifest = json.loads((ROOT / generate.MANIFEST).read_text("utf-8"))
    properties = manifest["contributes"]["configuration"]["properties"]
    assert {name for name, schema in properties.items() if schema["scope"] != "machine"} == set()
    assert {
        "planact.model",
        "planact.approval",
        "planact.limits.maxCost",
        "planact.server.command",
    } <= properties.keys()


def test_the_defaults_that_the_editor_shows_are_those_of_the_server() -> None:
    shown: dict[str, object] = {}
    for name, schema in generate.settings():
        group, _, key = name.rpartition(".")
        place = shown.setdefault(group, {}) if group else shown
        assert isinstance(place, dict)
        place[key] = schema["default"]
    assert Settings.model_validate(shown) == Settings()


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("no markers", "no markers"),
        ("a\n<!-- x: generated -->\nold\n<!-- /x -->\nb\n", "a\n<!-- x: generated -->\n| 1 |\n| 2 |\n<!-- /x -->\nb\n"),
        ("a\n<!-- x: generated -->\nno end", "a\n<!-- x: generated -->\nno end"),
        ("a\n<!-- y: generated -->\nold\n<!-- /y -->", "a\n<!-- y: generated -->\nold\n<!-- /y -->"),
    ],
)
def test_a_table_stands_between_its_markers(page: str, expected: str) -> None:
    assert generate.with_table(page, "x", ["| 1 |", "| 2 |"]) == expected
    assert generate.with_table(expected, "x", ["| 1 |", "| 2 |"]) == expected


def test_the_pages_have_a_row_for_each_setting_and_tool() -> None:
    assert "| `limits.maxTurns` | `100` |" in "\n".join(generate.settings_table())
    assert any(
        row.startswith("| `make_directory` | `create_files` | low | Make a dir") for row in generate.tools_table()
    )


def test_check_names_what_is_out_of_date_and_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for path in (generate.TYPES, generate.CAPABILITIES, generate.MANUAL):
        (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / generate.TYPES).write_text("old", "utf-8")
    (tmp_path / generate.MANIFEST).write_text('{"contributes": {}}', "utf-8")
    assert generate.main(["--check"]) == (
        "Out of date: client-vscode/src/protocol.ts, "
        "server/planact/lsp/wire/advertised.json, client-vscode/package.json, server/man/planact.1. "
        "Run `python server/generators/protocol.py`."
    )
    assert (tmp_path / generate.TYPES).read_text("utf-8") == "old"
    assert generate.main([]) == ""
    assert generate.main(["--check"]) == ""
