"""Pages that list what there is list all of it: commands, words, tools, roles, keys, codes. Links lead somewhere."""

import argparse
import json
import re
from pathlib import Path
from typing import get_args

import pytest

from planact.base.errors import ErrorCode
from planact.cli.command import Exit
from planact.cli.commands import COMMANDS
from planact.model.plan import PlanStatus
from planact.model.settings import HookSettings
from planact.plan import codes
from planact.plan.syntax import grammar
from planact.policy.context import DenyCode
from planact.policy.roles import BUILT_IN, built_in_role
from planact.workflows.chat.slash_commands import SLASH_COMMANDS
from tests.architecture.source import PACKAGE, ROOT
from tests.docs.pages import CODES, DOCS, anchors, links, name_of, pages, prose, rows, section, tracked_pictures

FOR_PROGRAMMERS = ("CONTRIBUTING.md", "server/ARCHITECTURE.md")
LARGEST_PICTURE = 100_000
SCREEN = 24
"""Lines of the page that a reader sees first."""
LONGEST_CHANGELOG = 60


def test_every_page_is_in_the_table_of_pages() -> None:
    listed = {ROOT / link.partition("#")[0] for link in links(ROOT / "README.md")}
    assert [page.name for page in DOCS.glob("*.md") if page not in listed] == []


@pytest.mark.parametrize("page", [*pages(), *map(ROOT.joinpath, FOR_PROGRAMMERS)], ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    lost = []
    for link in links(page):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if "://" not in link and (not target.exists() or (anchor and anchor not in anchors(target))):
            lost.append(link)
    assert lost == []


def test_the_first_screen_says_what_it_is_shows_it_and_starts_it() -> None:
    screen = "\n".join((ROOT / "README.md").read_text("utf-8").splitlines()[:SCREEN])
    assert screen.startswith("# planact\n\nAn AI coding agent")
    assert re.search(r"^!\[.+\]\(.+\.png\)$", screen, re.MULTILINE)
    assert "\nmake demo " in screen


def test_the_changelog_has_a_line_for_each_thing_and_is_short() -> None:
    lines = (ROOT / "CHANGELOG.md").read_text("utf-8").splitlines()
    assert len(lines) < LONGEST_CHANGELOG
    assert {line[:2] for line in lines[6:] if line} <= {"##", "- "}


def test_pictures_are_small_and_shown() -> None:
    shown = {(page.parent / link).resolve() for page in pages() for link in links(page) if link.endswith(".png")}
    pictures = tracked_pictures()
    assert {picture for picture in pictures if picture.stat().st_size > LARGEST_PICTURE} == set()
    assert shown == set(pictures)


def test_every_code_of_an_error_is_explained_once() -> None:
    calls = re.compile(r'(?:Failed|Refused|ToolNotice)\((?:[^()]|\([^()]*\))*?"([A-Z]+(?:_[A-Z]+)+)"')
    told = {code for path in PACKAGE.rglob("*.py") for code in calls.findall(path.read_text("utf-8"))}
    expected = {*get_args(ErrorCode), *get_args(DenyCode), *told, "BLOCKED_BY_SANDBOX", "ANSWER_CUT_OFF"}
    page = DOCS / "errors.md"
    assert sorted(rows(page.read_text("utf-8"))) == sorted(expected)
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in prose(page).splitlines() if line[:3] == "| `"]
    assert [row for row in cells if len(row) != 3 or not all(row)] == []


def test_every_code_of_the_linter_has_a_heading_to_which_diagnostics_lead() -> None:
    assert {code.lower() for code in codes.CODES} <= anchors(CODES)


def test_every_exit_code_is_explained() -> None:
    table = section(DOCS / "headless.md", "How it ends")
    assert [int(code) for code in re.findall(r"^\| (\d+) \|", table, re.MULTILINE)] == [code.value for code in Exit]


def test_every_command_of_the_terminal_is_listed() -> None:
    listed = rows(section(DOCS / "commands.md", "In the terminal"))
    names = {command.name for command in COMMANDS} | {"serve"}
    found = {re.match(r"planact ((?:[a-z]+ ?)+?)(?= [^a-z]|$)", row)[1] for row in listed}  # type: ignore[index]
    assert found == names


def test_the_options_that_commands_are_said_to_have_exist() -> None:
    said = dict(
        re.findall(r"^\| `planact ([a-z ]+?)(?= [^a-z]|`).*? \| (.*) \|$", prose(DOCS / "commands.md"), re.MULTILINE)
    )
    unknown = {}
    for command in COMMANDS:
        parser = argparse.ArgumentParser()
        command.add_arguments(parser)
        known = {option for action in parser._actions for option in action.option_strings} | {"--json"}
        unknown[command.name] = set(re.findall(r"--[a-z-]+", said.get(command.name, ""))) - known
    assert {name: options for name, options in unknown.items() if options} == {}


def test_every_word_of_the_chat_is_listed_with_what_follows_it() -> None:
    listed = rows(section(DOCS / "commands.md", "Words of the chat"))
    assert [row.replace("\\|", "|") for row in listed] == [word.usage for word in SLASH_COMMANDS]


def test_every_built_in_role_is_listed_with_its_mode() -> None:
    listed = re.findall(r"^\| `(\w+)` \| (\w+) \|", section(DOCS / "roles.md", "Built-in roles"), re.MULTILINE)
    assert dict(listed) == {name: built_in_role(name).mode.value for name in BUILT_IN}


def test_the_language_is_described_with_every_section_key_and_mark() -> None:
    page = DOCS / "plan-language.md"
    assert rows(section(page, "Sections")) == ["# …", *(f"## {title}" for title in grammar.SECTIONS)]
    steps = rows(section(page, "Steps"))
    marks = [f"[{mark}]" for mark in grammar.MARKS.values()]
    assert steps == [*(f"{key}:" for key in grammar.DETAILS), *marks]
    front = section(page, "Front matter")
    assert rows(front) == list(grammar.FRONT_MATTER_KEYS)
    assert [status.value for status in PlanStatus if f"`{status.value}`" not in front] == []


def test_every_hook_is_named() -> None:
    text = prose(DOCS / "hooks.md")
    names = {re.sub(r"(before|after)_", "", name).capitalize() for name in HookSettings.model_fields}
    assert [name for name in names if f"`{name}`" not in text] == []


def test_every_command_of_the_palette_is_listed_with_its_key() -> None:
    client = ROOT / "client-vscode"
    contributed = json.loads((client / "package.json").read_text("utf-8"))["contributes"]
    hidden = {each["command"] for each in contributed["menus"]["commandPalette"] if each["when"] == "false"}
    keys = {each["command"]: each["key"].title() for each in contributed["keybindings"]}
    commands = [each for each in contributed["commands"] if each["command"] not in hidden]
    listed = re.findall(
        r"^\| Planact: (.+?) \| (?:`(.+?)`)? ?\|", section(client / "README.md", "Commands"), re.MULTILINE
    )
    shown = {name: key for names, key in listed for name in names.split(", ")}
    assert shown == {each["title"]: keys.get(each["command"], "") for each in commands}
