"""What is generated from the code is as the code is now."""

import json
from pathlib import Path

import pytest

from planact.lsp import generate, protocol
from planact.model.settings import Settings
from tests.architecture.source import ROOT


def test_generated_files_are_current() -> None:
    stale = generate.outdated(ROOT)
    assert stale == [], "run `python -m planact.lsp.generate`"


def test_every_command_and_message_is_in_the_clients_types() -> None:
    text = generate.typescript()
    names = [command.name for command in protocol.COMMANDS] + [*protocol.NOTIFICATIONS, *protocol.REQUESTS]
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
    ("before", "after"),
    [
        ("no markers", "no markers"),
        (f"a\n{generate.TABLE_BEGIN}\nold\n{generate.TABLE_END}\nb\n", None),
        (f"a\n{generate.TABLE_BEGIN}\nno end", f"a\n{generate.TABLE_BEGIN}\nno end"),
    ],
)
def test_the_table_of_settings_stands_between_its_markers(before: str, after: str | None) -> None:
    table = generate.with_table(before)
    if after is not None:
        assert table == after
    else:
        assert table.startswith(f"a\n{generate.TABLE_BEGIN}\n| setting | default | meaning | an untrusted folder |\n")
        assert "| `limits.maxTurns` | `100` |" in table
        assert table.endswith(f"\n{generate.TABLE_END}\nb\n")
        assert generate.with_table(table) == table


def test_check_names_what_is_out_of_date_and_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for path in (generate.TYPES, generate.CODES, generate.CAPABILITIES):
        (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / generate.TYPES).write_text("old", "utf-8")
    (tmp_path / generate.MANIFEST).write_text('{"contributes": {}}', "utf-8")
    assert generate.main(["--check"]) == (
        "Out of date: client-vscode/src/protocol.ts, server/planact/plan/codes.md, "
        "server/planact/lsp/advertised.json, client-vscode/package.json. "
        "Run `python -m planact.lsp.generate`."
    )
    assert (tmp_path / generate.TYPES).read_text("utf-8") == "old"
    assert generate.main([]) == ""
    assert generate.main(["--check"]) == ""
