"""What lacks a piece fails here, and the message names the file and the line to add. CONTRIBUTING.md has the recipes.

Tools have `test_pieces_of_a_tool.py`, codes of the linter `tests/plan/rules/test_codes.py`, and what one row of a table
describes there `test_missing_parts.py`.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

import pytest

from planact.cli.commands import COMMANDS as CLI_COMMANDS
from planact.model.settings import Settings
from planact.policy.roles import BUILT_IN
from planact.workflows.chat.handle_slash_command import _HANDLERS
from planact.workflows.chat.slash_commands import SLASH_COMMANDS
from tests.architecture.source import PACKAGE, ROOT, python_modules

CLIENT = ROOT / "client-vscode"
EDITORS = ROOT / "server" / "editors"
PAGE_OF_COMMANDS = "server/docs/commands.md"


def read(path: str) -> str:
    return (ROOT / path).read_text("utf-8")


# --- a command of the language server


def of_commands(handlers: Iterable[str], tests: Collection[str]) -> Iterator[str]:
    """`handlers` without `handle_`; `tests` by name of their file. That a handler is a command needs no list."""
    for name in handlers:
        if f"test_{name}" not in tests:
            yield f"tests/lsp/commands/test_{name}.py: add what the command does, tested"


def commands() -> Iterable[str]:
    sources = [path.read_text("utf-8") for path in python_modules(PACKAGE / "lsp" / "commands")]
    handlers = [name for source in sources for name in re.findall(r"^async def handle_(\w+)", source, re.MULTILINE)]
    assert len(handlers) > 40
    return of_commands(handlers, {path.stem for path in (ROOT / "tests" / "lsp" / "commands").glob("test_*.py")})


# --- a command of VS Code's palette


def of_palette(contributed: Mapping[str, str], sources: str, page: str) -> Iterator[str]:
    """`contributed`: titles by name without `planact.ui.`, empty where hidden; `sources` of the client."""
    table = sources.partition("const palette")[2].partition("\n  };\n")[0]
    handled = {
        *re.findall(r"^    (\w+): ", table, re.MULTILINE),
        *re.findall(r'registerCommand\("planact\.ui\.(\w+)"', sources),
    }
    for name in sorted(contributed.keys() - handled):
        yield f"client-vscode/src/commands.ts: add `{name}: (subject) => …` to `palette`"
    for name in sorted(handled - contributed.keys()):
        entry = f'{{"command": "planact.ui.{name}", "title": "…", "category": "Planact"}}'
        yield f"client-vscode/package.json: add `{entry}` to contributes.commands"
    for title in filter(None, contributed.values()):
        if not re.search(rf"^\| Planact: ([^|]*, )?{re.escape(title)}(,| \|)", page, re.MULTILINE):
            yield f"client-vscode/README.md, section Commands: add `| Planact: {title} | | … |`"


def palette() -> Iterable[str]:
    contributes = json.loads(read("client-vscode/package.json"))["contributes"]
    hidden = {each["command"] for each in contributes["menus"]["commandPalette"] if each["when"] == "false"}
    titles = {each["command"]: "" if each["command"] in hidden else each["title"] for each in contributes["commands"]}
    sources = "\n".join(path.read_text("utf-8") for path in sorted((CLIENT / "src").glob("*.ts")))
    own = {name.removeprefix("planact.ui."): title for name, title in titles.items() if name.startswith("planact.ui.")}
    return of_palette(own, sources, read("client-vscode/README.md"))


# --- a setting


def of_settings(schema: Mapping[str, Mapping[str, object]], prefix: str = "") -> Iterator[str]:
    for name, value in schema.items():
        if not value.get("description") or not value.get("fromRepository"):
            yield f"server/planact/model/settings.py: `{prefix}{name}`: set it to `_setting(DEFAULT, DESCRIPTION)`"


def settings() -> Iterator[str]:
    schema = Settings.model_json_schema(by_alias=True)
    groups = {name: value["$ref"].rpartition("/")[2] for name, value in schema["properties"].items() if "$ref" in value}
    yield from of_settings({name: value for name, value in schema["properties"].items() if name not in groups})
    for name, group in groups.items():
        yield from of_settings(schema["$defs"][group]["properties"], f"{name}.")


# --- a word of the command line, and one of the chat


def of_cli_words(words: Mapping[str, str], page: str) -> Iterator[str]:
    """`words` with the usage of each."""
    for word, usage in words.items():
        if not re.search(rf"^\| `planact {word}(?![a-z ]*[a-z])", page, re.MULTILINE):
            yield f"{PAGE_OF_COMMANDS}, section In the terminal: add `| `planact {word}` | {usage} |`"


def cli_words() -> Iterable[str]:
    return of_cli_words({each.name: each.summary for each in CLI_COMMANDS}, read(PAGE_OF_COMMANDS))


def of_slash_words(words: Mapping[str, str], handled: Collection[str], page: str) -> Iterator[str]:
    """`words` with the usage of each."""
    for word, usage in words.items():
        if word not in handled:
            yield f'server/planact/workflows/chat/handle_slash_command.py: add `"{word}": _…` to _HANDLERS'
        if f"\n| `{usage}` |" not in page:
            yield f"{PAGE_OF_COMMANDS}, section Words of the chat: add `| `{usage}` | … |`"
    for word in sorted(set(handled) - words.keys()):
        yield f'server/planact/workflows/chat/slash_commands.py: add `SlashCommand("{word}", …)` to SLASH_COMMANDS'


def slash_words() -> Iterable[str]:
    words = {each.name: each.usage.replace("|", "\\|") for each in SLASH_COMMANDS}
    return of_slash_words(words, {*_HANDLERS, "/new"}, read(PAGE_OF_COMMANDS))


# --- a line of the conversation in VS Code's chat


def of_blocks(blocks: str, drawn: str) -> Iterator[str]:
    """`blocks` and `drawn`: sources of blocks.ts and message.tsx."""
    for kind in re.findall(r'readonly kind: "(\w+)"', blocks):
        if f'case "{kind}":' not in drawn:
            yield f'client-vscode/webview/message.tsx: add `case "{kind}":` to BlockView'
        if not re.search(rf'(?<!readonly )kind: "{kind}"', blocks):
            yield f'client-vscode/webview/blocks.ts: have blocksOf make a block of `kind: "{kind}"`'


def blocks() -> Iterable[str]:
    return of_blocks(read("client-vscode/webview/blocks.ts"), read("client-vscode/webview/message.tsx"))


# --- a card in the dock of VS Code's chat


def of_cards(cards: str, drawn: str, components: Collection[str], page: str, tests: str) -> Iterator[str]:
    """`cards` and `drawn`: sources of dock_cards.ts and dock.tsx; `components`: names of modules; `page`: of all;
    `tests`: of those that show it.
    """
    union = cards.partition("export type DockCard =")[2].partition(";\n\n")[0]
    for kind in re.findall(r'"(\w+)"', union):
        if f'case "{kind}":' not in drawn:
            yield f'client-vscode/webview/dock.tsx: add `case "{kind}":` to Shown'
        if not re.search(rf'(?<!readonly )kind: "{kind}"', cards):
            yield f'client-vscode/webview/dock_cards.ts: have cardsOf make a card of `kind: "{kind}"`'
        if not re.search(rf'(card: |isCard\(page, )"{kind}"', tests):
            yield f'tests/editors/page/states.mjs: add `x: {{ …, sees: {{ card: "{kind}", title: "…" }} }}` to STATES'
    for component in components:
        if f'from "./{component}"' not in page:
            yield f'client-vscode/webview/dock.tsx: add `import {{ … }} from "./{component}"`, and draw it'


def cards() -> Iterable[str]:
    page = {path.stem: path.read_text("utf-8") for path in (CLIENT / "webview").glob("*.tsx")}
    components = sorted(name for name in page if name.endswith("_card"))
    tests = read("tests/editors/page/states.mjs") + read("tests/editors/vscode_states.test.mjs")
    cards = read("client-vscode/webview/dock_cards.ts")
    return of_cards(cards, page["dock"], components, "\n".join(page.values()), tests)


# --- a role


def of_roles(files: Collection[str], listed: Collection[str], page: str) -> Iterator[str]:
    for role in sorted(set(files) - set(listed)):
        yield f'server/planact/policy/roles.py: add `"{role}"` to BUILT_IN'
    for role in sorted(set(listed) - set(files)):
        yield f"server/planact/policy/roles/{role}.md: add the file, with `description:` and `mode:`"
    for role in sorted({*files, *listed}):
        if not re.search(rf"^\| `{role}` \| (plan|act) \|", page, re.MULTILINE):
            yield f"server/docs/roles.md, section Built-in roles: add `| `{role}` | MODE | … |`"


def roles() -> Iterable[str]:
    return of_roles(
        [path.stem for path in (PACKAGE / "policy/roles").glob("*.md")], BUILT_IN, read("server/docs/roles.md")
    )


# --- an editor


def of_editors(folders: Collection[str], page: str, readme: str, tests: Mapping[str, str]) -> Iterator[str]:
    """`tests` by name of their file."""
    sections = {title.split()[0].lower() for title in re.findall(r"^## (.*)$", page, re.MULTILINE)} - {"any"}
    for folder in sorted(folders):
        if folder not in sections:
            yield f"server/editors/README.md: add a section `## {folder.capitalize()}` that says how to set it up"
        if not re.search(rf"^\|.*\b{folder}\b", readme, re.MULTILINE | re.IGNORECASE):
            yield f"README.md, section Editors: add a row for {folder.capitalize()}"
        if f"test_{folder}" not in tests:
            read = tests["test_configurations"]
            if f"def {folder}(" not in read:
                yield f"tests/editors/test_configurations.py: add `def {folder}()`, which returns its command"
            if not re.search(rf'parametrize\("command", \[[^]]*\b{folder}\b', read):
                yield f"tests/editors/test_configurations.py: add `{folder}` to the list above its first test"
    for section in sorted(sections - set(folders)):
        yield f"server/editors/{section}/: add the folder with what {section.capitalize()} needs, or drop its section"


def editors() -> Iterable[str]:
    tests = {path.stem: path.read_text("utf-8") for path in (ROOT / "tests" / "editors").glob("test_*.py")}
    folders = {path.relative_to(EDITORS).parts[0] for path in EDITORS.glob("*/**/*") if path.is_file()}
    return of_editors(folders, read("server/editors/README.md"), read("README.md"), tests)


@pytest.mark.parametrize("pieces", [commands, palette, settings, cli_words, slash_words, blocks, cards, roles, editors])
def test_no_piece_is_missing(pieces: Callable[[], Iterable[str]]) -> None:
    missing = list(pieces())
    assert not missing, "\n".join(["Add, as CONTRIBUTING.md describes:", *missing])


PALETTE = 'const palette = {\n    run: (subject) => run(subject),\n  };\nregisterCommand("planact.ui.log", show)'
BLOCK = '{ readonly kind: "said" }\nreturn { kind: "said" }'
SHOWN = 'card: "a" isCard(page, "b")'
READ = 'def x():\n@pytest.mark.parametrize("command", [helix, x])'
CARD = 'export type DockCard =\n  | { readonly kind: "a" | "b" };\n\nreturn [{ kind: "a" }, { kind: "b" }]'


@pytest.mark.parametrize(
    ("missing", "expected"),
    [
        (of_commands(["pin_plan"], {"test_pin_plan"}), []),
        (of_commands(["pin_plan"], ()), ["commands/test_pin_plan.py: add"]),
        (of_palette({"run": "Run", "log": "Log"}, PALETTE, "| Planact: Run, Log |"), []),
        (
            of_palette({"run": "Run", "log": "Log"}, PALETTE, "| Planact: Log |"),
            ["README.md, section Commands: add `| Planact: Run"],
        ),
        (
            of_palette({"run": "A", "log": "B", "pin": "C"}, PALETTE, "| Planact: A, B, C |"),
            ["src/commands.ts: add `pin: (subject)"],
        ),
        (of_palette({"log": "B"}, PALETTE, "| Planact: B |"), ['package.json: add `{"command": "planact.ui.run"']),
        (of_settings({"x": {"description": "d", "fromRepository": "never"}}), []),
        (of_settings({"x": {"fromRepository": "never"}}), ["model/settings.py: `x`: set it to `_setting("]),
        (of_settings({"x": {"description": "d"}}, "limits."), ["`limits.x`: set it"]),
        (of_cli_words({"act": "run a plan"}, "| `planact act [ID]` | … |"), []),
        (of_cli_words({"plan": "make one"}, "| `planact plan list` | … |"), ["add `| `planact plan` | make one |`"]),
        (of_slash_words({"/act": "/act [ID]"}, {"/act"}, "\n| `/act [ID]` | … |"), []),
        (of_slash_words({"/act": "/act"}, {"/act"}, ""), ["Words of the chat: add `| `/act` | … |`"]),
        (of_slash_words({"/act": "/act"}, (), "\n| `/act` |"), ['handle_slash_command.py: add `"/act": _…`']),
        (of_slash_words({}, {"/act"}, ""), ['slash_commands.py: add `SlashCommand("/act", …)`']),
        (of_blocks(BLOCK, 'case "said":'), []),
        (of_blocks(BLOCK, ""), ['message.tsx: add `case "said":`']),
        (of_blocks('readonly kind: "said"', 'case "said":'), ["blocks.ts: have blocksOf make a block"]),
        (of_cards(CARD, 'case "a": case "b":', ["x_card"], 'from "./x_card"', SHOWN), []),
        (of_cards(CARD, 'case "a": case "b":', (), "", SHOWN[:9]), ['states.mjs: add `x: { …, sees: { card: "b"']),
        (of_cards(CARD, 'case "a":', (), "", SHOWN), ['dock.tsx: add `case "b":` to Shown']),
        (of_cards(CARD[:-15], 'case "a": case "b":', (), "", SHOWN), ['have cardsOf make a card of `kind: "b"`']),
        (of_cards("", "", ["x_card"], "", ""), ['dock.tsx: add `import { … } from "./x_card"`']),
        (of_roles(["x"], ["x"], "| `x` | plan | … |"), []),
        (of_roles(["x"], [], "| `x` | act |"), ['policy/roles.py: add `"x"`']),
        (of_roles([], ["x"], "| `x` | act |"), ["policy/roles/x.md: add the file"]),
        (of_roles(["x"], ["x"], ""), ["Built-in roles: add `| `x` | MODE | … |`"]),
        (of_editors(["x"], "## X\n", "| X |", {"test_x": "", "test_configurations": ""}), []),
        (of_editors(["x"], "", "| X |", {"test_x": ""}), ["editors/README.md: add a section `## X`"]),
        (of_editors(["x"], "## X\n", "", {"test_x": ""}), ["README.md, section Editors: add a row for X"]),
        (of_editors(["x"], "## X\n", "| X |", {"test_configurations": READ}), []),
        (of_editors(["x"], "## X\n", "| X |", {"test_configurations": READ[:9]}), ["add `x` to the list above"]),
        (of_editors(["x"], "## X\n", "| X |", {"test_configurations": READ[9:]}), ["configurations.py: add `def x()`"]),
        (of_editors([], "## X\n", "", {}), ["server/editors/x/: add the folder"]),
    ],
)
def test_each_missing_piece_is_named(missing: Iterable[str], expected: list[str]) -> None:
    found = list(missing)
    assert len(found) == len(expected), found
    assert all(part in line for part, line in zip(expected, found, strict=True)), found
