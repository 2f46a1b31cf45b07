"""The configurations that no editor is driven with here: each can be read, starts the server and has its section."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

EDITORS = Path(__file__).parents[2] / "server" / "editors"
SECTIONS = re.findall(r"^## (.*)$", (EDITORS / "README.md").read_text("utf-8"), re.MULTILINE)


def toml(path: str) -> Any:
    return tomllib.loads((EDITORS / path).read_text("utf-8"))


def commented_json(path: str) -> Any:
    return json.loads(re.sub(r"^\s*//.*$", "", (EDITORS / path).read_text("utf-8"), flags=re.MULTILINE))


def helix() -> list[str]:
    server = toml("helix/languages.toml")["language-server"]["planact"]
    return [server["command"], *server["args"]]


def kate() -> list[str]:
    [server] = commented_json("kate/settings.json")["servers"].values()
    language = ElementTree.parse(EDITORS / "kate" / "planact-plan.xml").getroot()
    assert re.search(server["highlightingModeRegex"], language.attrib["name"])
    command: list[str] = server["command"]
    return command


def sublime() -> list[str]:
    client = commented_json("sublime/LSP.sublime-settings")["clients"]["planact"]
    syntax = (EDITORS / "sublime" / "Planact Plan.sublime-syntax").read_text("utf-8")
    [scope] = re.findall(r"^scope: (\S+)$", syntax, re.MULTILINE)
    assert scope in client["selector"]
    command: list[str] = client["command"]
    return command


def zed() -> list[str]:
    assert list(toml("zed/extension.toml")["language_servers"]) == ["planact"]
    assert toml("zed/Cargo.toml")["lib"]["crate-type"] == ["cdylib"]
    code = (EDITORS / "zed" / "src" / "lib.rs").read_text("utf-8")
    return [program or argument for program, argument in re.findall(r'which\("(\w+)"\)|vec!\["(\w+)"', code)]


@pytest.mark.parametrize("command", [helix, kate, sublime, zed])
def test_a_configuration_starts_the_language_server(command: Any) -> None:
    assert command() == ["planact", "serve"]


def test_each_editor_has_a_section_that_says_how_to_set_it_up() -> None:
    folders = sorted(path.name for path in EDITORS.iterdir() if path.is_dir())
    assert sorted(section.split()[0].lower() for section in SECTIONS if section != "Any other") == folders
