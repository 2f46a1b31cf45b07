"""The notation in which command families say which calls are harmless, and the check of a call against it.

    name[, name…]: [class] [inert] [trait…] [any] [style] [check=…] arguments | options
    @name: options

Options are allow-listed in full spelling: `-a` alone, `-a:` with a value, `-a?` with an optional attached one, `--all`,
`--max=` with a value (`--max=2`: two words), `--color?` with an optional one behind `=`, `-#` for `-20`, `@name` for a
group that a line above defines; `=p` or `:p`: the value is a path that is read, the last one of `=2p`; `=(a,b)`: only
these values; `!` behind it: the call isn't inert. Arguments: `path`, `word`, the last with `*` if it repeats, `pattern`
for a word that is a path when an option brought the pattern, or `none`. Classes: local-read unless `net`, `daemon`,
`mutates`, or `contained`: reads, and may run code that the workspace names. An `inert` call runs no code that it reads,
opens no file that its words don't name, and tells nothing of its environment, so it may stand beside one that speaks to
others. A line that begins with a blank goes on with the one before; one that begins with `#` is a comment.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol, get_args

from planact.model.rights.classification import CommandClass, CommandTrait
from planact.shell.words import ShellWord

Style = Literal["gnu", "posix", "long", "free"]
"""`gnu`: options anywhere. `posix`: options end at the first argument. `long`: `-name` is one option. `free`: none."""

_CLASSES: dict[str, CommandClass] = {
    "net": "net-read",
    "daemon": "daemon-read",
    "mutates": "mutating",
    "contained": "unknown",
}
_TRAITS: Mapping[str, CommandTrait] = {trait: trait for trait in get_args(CommandTrait)}
_STYLES: dict[str, Style] = {"posix": "posix", "long": "long", "free": "free"}
_OPTION = re.compile(r"(?P<name>(?:--?|\+)[\w#@+.][\w.-]*)(?P<kind>[:=?]?)(?P<rest>\d?p|\d|\([^)]*\))?(?P<more>!?)\Z")
_BRINGS_PATTERN = {"-e", "-f", "--regexp", "--file", "--files"}


@dataclass(frozen=True, slots=True)
class OptionForm:
    """The number of values that an option takes. `is_attached`: only in the same word, or none. `opens_more`: with it a
    call of an inert row isn't inert.
    """

    values: int = 0
    is_attached: bool = False
    is_path: bool = False
    choices: frozenset[str] = frozenset()
    opens_more: bool = False


@dataclass(frozen=True, slots=True)
class CommandRow:
    """One row: a program, or a subcommand of one.

    Attributes:
        is_inert: as the notation says, but for its options that open more and for calls in which its check finds more.
        accepts_any: no possible word makes it do harm, so unknown words may be there.
        check: name of the function that looks closer.
    """

    name: str
    cls: CommandClass = "local-read"
    is_inert: bool = False
    traits: frozenset[CommandTrait] = frozenset()
    accepts_any: bool = False
    style: Style = "gnu"
    check: str = ""
    arguments: tuple[str, ...] = ()
    options: Mapping[str, OptionForm] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CommandCall:
    """A command with its words sorted out: options with their values, and the rest."""

    command: CommandRow
    name: ShellWord
    options: tuple[tuple[str, tuple[ShellWord, ...]], ...]
    arguments: tuple[ShellWord, ...]

    @property
    def opens_more(self) -> bool:
        """An option makes it open files that its words don't name."""
        return any(self.command.options.get(name, OptionForm()).opens_more for name, _ in self.options)

    @property
    def words(self) -> Sequence[ShellWord]:
        """Return the arguments and the values of all options."""
        return [*self.arguments, *(value for _, values in self.options for value in values)]

    def has(self, *names: str) -> bool:
        """Return True if one of the options is given."""
        return any(name in names for name, _ in self.options)

    def values(self, *names: str) -> Iterator[ShellWord]:
        """Yield all values of these options."""
        return (value for name, values in self.options if name in names for value in values)


class CallRefused(Exception):
    """A word that the row doesn't allow. Never leaves the package."""

    def __init__(self, rule: str, reason: str, word: ShellWord, cls: CommandClass = "unknown") -> None:
        super().__init__(reason)
        self.rule, self.reason, self.word, self.cls = rule, reason, word, cls


# --- rows


def rows(text: str) -> dict[str, CommandRow]:
    """Return the commands of a family by name. Raise ValueError for a row that breaks the notation."""
    found: dict[str, CommandRow] = {}
    groups: dict[str, Mapping[str, OptionForm]] = {}
    for row in re.sub(r"\n[ \t]+", " ", text).splitlines():
        if not row.strip() or row.startswith("#"):
            continue
        programs, _, rest = row.partition(": ")
        if programs.startswith("@"):
            groups[programs[1:]] = _options(rest, groups)
            continue
        words, _, options = rest.partition("|")
        template = _command(words.split(), _options(options, groups))
        for name in programs.split(","):
            found[name.strip()] = CommandRow(name.strip(), *template)
    return found


def _command(
    words: Sequence[str], options: Mapping[str, OptionForm]
) -> tuple[CommandClass, bool, frozenset[CommandTrait], bool, Style, str, tuple[str, ...], Mapping[str, OptionForm]]:
    cls: CommandClass = "local-read"
    style: Style = "gnu"
    traits: set[CommandTrait] = set()
    is_inert, accepts_any, check = False, False, ""
    arguments: list[str] = []
    for word in words:
        if word in _CLASSES:
            cls = _CLASSES[word]
        elif word in _TRAITS:
            traits.add(_TRAITS[word])
        elif word in _STYLES:
            style = _STYLES[word]
        elif word == "inert":
            is_inert = True
        elif word == "any":
            accepts_any = True
        elif word.startswith("check="):
            check = word.removeprefix("check=")
        elif word.rstrip("*") in ("path", "word", "pattern"):
            arguments.append(word)
        elif word != "none":
            raise ValueError(f"no such word in a row: {word!r}")
    return cls, is_inert, frozenset(traits), accepts_any, style, check, tuple(arguments), options


def _options(text: str, groups: Mapping[str, Mapping[str, OptionForm]]) -> dict[str, OptionForm]:
    found: dict[str, OptionForm] = {}
    for token in text.split():
        if token.startswith("@"):
            found |= groups[token[1:]]
            continue
        match = _OPTION.match(token)
        if match is None:
            raise ValueError(f"no such option in a row: {token!r}")
        rest = match["rest"] or ""
        choices = frozenset(rest[1:-1].split(",")) if rest.startswith("(") else frozenset[str]()
        count = rest.removesuffix("p")
        values = int(count) if count.isdigit() else int(match["kind"] in (":", "="))
        found[match["name"]] = OptionForm(
            values, match["kind"] == "?", rest.endswith("p"), choices, bool(match["more"])
        )
    return found


# --- calls


def sort_out(command: CommandRow, words: Sequence[ShellWord]) -> CommandCall:
    """Check the words behind the command's name (which is `words[0]`) against its row. Raises Refused."""
    return _Sorter(command, words).call()


def sort_out_first(command: CommandRow, words: Sequence[ShellWord]) -> tuple[CommandCall, Sequence[ShellWord]]:
    """The call up to its first argument, and that argument with all behind it. Raises Refused."""
    sorter = _Sorter(replace(command, style="posix", arguments=("word*",)), words)
    call = sorter.call(only_first=True)
    return call, (*call.arguments, *sorter.rest)


class _Sorter:
    def __init__(self, command: CommandRow, words: Sequence[ShellWord]) -> None:
        self._command = command
        self._words = words
        self._options: list[tuple[str, tuple[ShellWord, ...]]] = []
        self._arguments: list[ShellWord] = []
        self._at = 1

    def call(self, *, only_first: bool = False) -> CommandCall:
        only_arguments, is_behind_end = self._command.style == "free", False
        while self._at < len(self._words) and not (only_first and self._arguments):
            word = self._words[self._at]
            self._at += 1
            if is_behind_end:
                self._require_no_option(word, "an argument behind `--`")
            if only_arguments or not (word.may_be_option or _looks_like_option(word)):
                self._argument(word)
                only_arguments = only_arguments or self._command.style == "posix"
            elif word.is_exact and word.text == "--":
                only_arguments = is_behind_end = True
            elif word.may_be_option:
                if not self._command.accepts_any:
                    raise CallRefused("word", "a word that only running can tell might be an option", word)
                self._arguments.append(word)
            else:
                self._option(word)
        return CommandCall(self._command, self._words[0], tuple(self._options), tuple(self._arguments))

    @property
    def rest(self) -> Sequence[ShellWord]:
        """The words that weren't checked."""
        return self._words[self._at :]

    def _argument(self, word: ShellWord) -> None:
        allowed = self._command.arguments
        at = len(self._arguments)
        repeats = bool(allowed) and allowed[-1].endswith("*")
        if not repeats and (at >= len(allowed) or not word.is_one) and not self._command.accepts_any:
            raise self._refused("argument", f"`{self._command.name}` with this argument", word)
        self._arguments.append(word)

    def _option(self, word: ShellWord) -> None:
        text = word.text
        name, sign, _ = text.partition("=")
        options = self._command.options
        if text in options and word.is_exact:
            self._take(text, options[text], word)
        elif sign and name in options and (options[name].values == 1 or options[name].is_attached):
            self._add(name, options[name], (_rest(word, len(name) + 1),), word)
        elif self._command.style == "long" and text.startswith("--") and word.is_exact and text[1:] in options:
            self._take(text[1:], options[text[1:]], word)
        elif text.startswith("--") or self._command.style == "long":
            if self._command.style == "long" and sign and name[1:] in options and options[name[1:]].values == 1:
                self._add(name[1:], options[name[1:]], (_rest(word, len(name) + 1),), word)
                return
            raise self._refused("option", f"`{self._command.name} {name}`", word)
        elif re.fullmatch(r"[-+]\d+", text) and f"{text[0]}#" in options and word.is_exact:
            self._options.append((f"{text[0]}#", (word,)))
        else:
            self._cluster(word)

    def _cluster(self, word: ShellWord) -> None:
        """Short options in one word: all but the last take no value, and the last may have it attached."""
        options = self._command.options
        text = word.text
        for at in range(1, len(text)):
            name = f"{text[0]}{text[at]}"
            option = options.get(name)
            if option is None:
                if at > 1 and text[at:].isdigit() and "-#" in options:
                    return
                raise self._refused("option", f"`{self._command.name} {name}`", word)
            if option.is_attached or (option.values and (at + 1 < len(text) or not word.is_exact)):
                self._add(name, option, (_rest(word, at + 1),) if at + 1 < len(text) else (), word)
                return
            if not word.is_exact and at + 1 == len(text):
                break
            self._take(name, option, word)
        if not word.is_exact:
            raise CallRefused("word", "an option that only running can tell", word)

    def _take(self, name: str, option: OptionForm, word: ShellWord) -> None:
        count = 0 if option.is_attached else option.values
        values = tuple(self._words[self._at : self._at + count])
        self._at += count
        if len(values) < count:
            raise CallRefused("option", f"`{name}` lacks its value", word)
        for value in values:
            self._require_no_option(value, f"the value of `{name}`")
            if not value.is_one and not self._command.accepts_any:
                raise CallRefused("word", f"the value of `{name}` may become several words", value)
        # Of several words only the first is the value.
        self._arguments += [value for value in values if not value.is_one]
        self._add(name, option, values, word)

    def _add(self, name: str, option: OptionForm, values: tuple[ShellWord, ...], word: ShellWord) -> None:
        for value in values:
            if option.choices and not (value.is_exact and value.text in option.choices):
                raise self._refused("option", f"`{self._command.name}` with this value of `{name}`", word)
        self._options.append((name, values))

    def _require_no_option(self, word: ShellWord, what: str) -> None:
        """Refuse a word that an option or an argument could only be if the program has the same options as its row:
        another version may take no value where the row has one, or one where it has none. Of rows that reach other
        machines, which is asked about, a word that isn't known passes.
        """
        if self._command.accepts_any or not self._command.options:
            return
        is_unknown = word.may_be_option and self._command.cls == "local-read"
        if is_unknown or (_looks_like_option(word) and not _NUMBER.match(word.text)):
            raise CallRefused("word", f"{what} might be an option", word)

    def _refused(self, rule: str, what: str, word: ShellWord) -> CallRefused:
        deed = "may change files" if self._command.cls == "local-read" else "may do more than read"
        return CallRefused(rule, f"{what} {deed}", word)


def paths_of(call: CommandCall) -> Iterator[ShellWord]:
    """Yield the words of a call that may name paths to read. A word that may become several moves all behind it: so it
    and they count where the program takes a path there or later.
    """
    for name, values in call.options:
        if call.command.options.get(name, OptionForm()).is_path:
            yield from values[-1:]
    kinds = call.command.arguments
    named = {"path", "pattern"} if call.has(*_BRINGS_PATTERN) else {"path"}
    is_moved = False
    for at, word in enumerate(call.arguments):
        is_moved = is_moved or not word.is_one
        first = min(at, len(kinds) - 1)
        possible = kinds[first:] if is_moved else kinds[first : first + 1]
        if not named.isdisjoint(kind.rstrip("*") for kind in possible):
            yield word


_NUMBER = re.compile(r"-\d")


def _looks_like_option(word: ShellWord) -> bool:
    return word.text.startswith("-") and (len(word.text) > 1 or not word.is_exact)


def _rest(word: ShellWord, start: int) -> ShellWord:
    return ShellWord(word.text[start:], word.is_exact, word.is_many, word.is_open, word.start, word.end)


class Judge(Protocol):
    """Services for a closer look: judging a command inside the command, and noting a path that is read."""

    @property
    def is_fed(self) -> bool:
        """The command reads what the one before it prints."""

    def run(self, words: Sequence[ShellWord]) -> None:
        """Judge a command that this one would start. Raises Refused."""

    def read(self, word: ShellWord) -> None:
        """Note that a path is read."""

    def are_in_scratch(self, words: Sequence[ShellWord]) -> bool:
        """All of them are paths of the session's temporary files, as far as their text tells."""

    def mark(self, trait: CommandTrait, server: str = "") -> None:
        """Note a trait that policy weighs, and the server that is asked."""

    def open_more(self) -> None:
        """Note that the call may open files that its words don't name, or print its environment."""


Check = Callable[[CommandCall, Judge], CommandClass | None]
"""Checks a call whose options are in order; may return a class other than the row's. Raises Refused."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All families in one table, the names that have subcommands, and the closer looks by name."""

    commands: Mapping[str, CommandRow]
    parents: frozenset[str]
    checks: Mapping[str, Check]
