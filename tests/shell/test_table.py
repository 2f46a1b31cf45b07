"""The notation of command families, and that every family keeps to it."""

import re

import pytest

from planact.shell.catalogue import CATALOGUE
from planact.shell.commands import COMMANDS_FOLDER, FAMILIES, FAMILY_NAMES
from planact.shell.table import CallRefused, CommandCall, CommandRow, OptionForm, rows, sort_out
from planact.shell.words import ANY_WORDS, ANYTHING, ShellWord

ROW = rows("tool: path* | -a -n: --max= --color? --from=p -# --mode=(x,y) --pair=2")["tool"]
LONG = rows("long: long word | -json -out:")["long"]


def call(command: CommandRow, *words: str | ShellWord) -> CommandCall:
    return sort_out(
        command, [ShellWord(command.name), *(ShellWord(word) if isinstance(word, str) else word for word in words)]
    )


def test_a_row_says_what_is_harmless() -> None:
    found = rows("a, b c: net inert any word path* | -x!\n    --y=p\n# nothing\n")
    options = {"-x": OptionForm(opens_more=True), "--y": OptionForm(1, is_path=True)}
    assert found == {
        name: CommandRow(
            name, "net-read", is_inert=True, accepts_any=True, arguments=("word", "path*"), options=options
        )
        for name in ("a", "b c")
    }


@pytest.mark.parametrize("row", ["a: nonsense |", "a: word | nonsense", "a: check |"])
def test_a_row_with_an_unknown_word_is_an_error(row: str) -> None:
    with pytest.raises(ValueError, match="no such"):
        rows(row)


@pytest.mark.parametrize(
    "words",
    [
        ["-a", "f"],
        ["f", "-a"],
        ["-an5", "f"],
        ["-n", "5"],
        ["-20"],
        ["--max=5"],
        ["--max", "5"],
        ["--color"],
        ["--color=always"],
        ["--mode=x"],
        ["--pair", "a", "b"],
        ["--max", "-5"],
        ["--", "z"],
        ["-"],
        [ShellWord("src/", is_exact=False, is_many=True)],
        [ShellWord("--max=", is_exact=False)],
    ],
)
def test_calls_that_a_row_allows(words: list[str | ShellWord]) -> None:
    assert call(ROW, *words).command == ROW


@pytest.mark.parametrize(
    "words",
    [
        ["-z"],
        ["-az"],
        ["--ma=5"],
        ["--maximum=5"],
        ["-a=5"],
        ["--max"],
        ["--mode=z"],
        ["--mode", ANYTHING],
        [ANYTHING],
        [ANY_WORDS],
        ["--max", ANY_WORDS],
        ["--max", ANYTHING],
        ["--max", "-z"],
        ["--", "-z"],
        ["--", ANY_WORDS],
        [ShellWord("", is_exact=False, is_many=True)],
        [ShellWord("-", is_exact=False)],
        [ShellWord("-a", is_exact=False)],
        [ShellWord("--", is_exact=False)],
        ["--pair", "a"],
    ],
)
def test_calls_that_a_row_refuses(words: list[str | ShellWord]) -> None:
    with pytest.raises(CallRefused):
        call(ROW, *words)


def test_long_options_with_one_dash() -> None:
    assert call(LONG, "-json", "--out=x", "word").has("-json")
    for words in (["-jsonx"], ["-j"], ["word", "word"], ["-out"]):
        with pytest.raises(CallRefused):
            call(LONG, *words)


def test_every_check_that_a_row_names_exists_and_none_is_idle() -> None:
    assert {command.check for command in CATALOGUE.commands.values()} - {""} == CATALOGUE.checks.keys()


def test_every_file_of_the_folder_is_a_family() -> None:
    assert sorted(path.stem for path in COMMANDS_FOLDER.glob("*.txt")) == sorted(FAMILY_NAMES)


@pytest.mark.parametrize("family", FAMILY_NAMES)
def test_every_row_of_a_family_follows_the_notation(family: str) -> None:
    groups, names, told = "", [], []
    for row in re.sub(r"\n[ \t]+", " ", (COMMANDS_FOLDER / f"{family}.txt").read_text("utf-8")).splitlines():
        try:
            found = rows(groups + row)
        except (ValueError, KeyError) as error:
            told.append(f"{family}.txt: {row[:60]}: {error}")
            continue
        groups += f"{row}\n" if row.startswith("@") else ""
        names += found
        if row.strip() and row[0] not in "#@" and (not found or "|" not in row):
            told.append(f"{family}.txt: {row[:60]}: a row is `names: arguments | options`")
    assert told == []
    assert all(name and name == " ".join(name.split()) for name in names)


def test_a_command_with_subcommands_takes_no_free_words_itself() -> None:
    # Else a subcommand that isn't known would pass as a word.
    loose = {
        name
        for name in CATALOGUE.parents
        if (command := CATALOGUE.commands.get(name)) and command.cls != "mutating" and command.arguments
    }
    assert loose <= {"helm get", "kubectl top", "rustup show"}


def test_no_family_is_empty() -> None:
    assert all(FAMILIES)
    assert len(CATALOGUE.commands) > 1_000
