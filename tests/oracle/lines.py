"""Makes command lines from the tables' own grammar: each command with each of its options, joined, redirected, wrapped.

All by a seed. Only programs that are installed are drawn, since the others can't be observed.
"""

import json
import shutil
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from planact.base.text import word_set
from planact.shell.table import CommandRow, OptionForm

_WORDS = tomllib.loads((Path(__file__).parent / "words.toml").read_text("utf-8"))
_BUILTINS = word_set(
    """
    : [ alias break cd command continue echo exit false hash help history jobs printf pwd read return set shift shopt
    test time times true type ulimit umask wait
    """
)

IsRead = Callable[[str], bool]
"""Whether the classifier says of a line that it only reads."""


class Maker:
    """Makes lines of the rows that are judged to only read. The same seed and the same rows make the same lines."""

    def __init__(self, commands: Mapping[str, CommandRow], path: str, seed: int) -> None:
        self._random = Random(seed)
        rows = [row for _, row in sorted(commands.items()) if row.cls == "local-read"]
        self.unobserved = sorted({row.name.split()[0] for row in rows if not _is_installed(row, path)})
        self.rows = [row for row in rows if _is_installed(row, path)]
        # Of those that only tell their version, few are enough.
        self._weights = [1 if row.check == "version" else 4 + min(len(row.options), 40) for row in self.rows]

    def lines(self) -> Iterator[str]:
        """Make lines without end."""
        while True:
            yield self._line()

    def each_option(self) -> Iterator[str]:
        """Make a line for each option of each row, and one for each value that it may have."""
        for row in self.rows:
            for name, option in row.options.items():
                for value in sorted(option.choices) or [None]:
                    yield self._command(row, [self._option(name, option, value)])

    def each_program(self) -> Iterator[str]:
        """Make a line for each row as it is, with nothing and with something on its standard input."""
        for row in self.rows:
            yield row.name
            yield self._command(row, [])
            yield self._with_input(self._command(row, []))
            for words in _usage(row):
                yield f"{row.name} {words}".rstrip()

    def _line(self) -> str:
        line = self._wrapped()
        while self._random.random() < 0.35:
            line = self._random.choice(_WORDS["joints"]).format(a=line, b=self._wrapped())
        return self._with_input(line) if self._random.random() < 0.15 else line

    def _wrapped(self) -> str:
        (row,) = self._random.choices(self.rows, self._weights)
        command = self._command(row, self._options(row))
        if self._random.random() < 0.25:
            command += self._random.choice(_WORDS["redirects"])
        if self._random.random() < 0.3:
            command = self._random.choice(_WORDS["wrappers"]).format(c=command)
        return command

    def _with_input(self, line: str) -> str:
        text = self._random.choice(_WORDS["inputs"])
        if self._random.random() < 0.5:
            return f"{line} <<'E'\n{text}\nE"
        quoted = text.replace("'", '"').replace("\n", "\\n")
        return f"printf '{quoted.replace('%', '%%')}' | {line}"

    def _command(self, row: CommandRow, options: Sequence[str]) -> str:
        programs = _usage(row)
        if programs and (row.check or self._random.random() < 0.5):
            return " ".join([row.name, *options, self._random.choice(programs)]).rstrip()
        words = [self._argument(row, kind) for kind in self._kinds(row)]
        if self._random.random() < 0.8:
            return " ".join([row.name, *options, *words])
        return " ".join([row.name, *words, *options])

    def _options(self, row: CommandRow) -> list[str]:
        names = sorted(row.options)
        count = min(len(names), self._random.choice((0, 1, 1, 2, 3)))
        return [self._option(name, row.options[name], None) for name in self._random.sample(names, count)]

    def _option(self, name: str, option: OptionForm, value: str | None) -> str:
        if name.endswith("#"):
            return f"{name[:-1]}{self._random.choice((1, 3, 20))}"
        if not option.values and not option.is_attached:
            return name
        value = value or self._value(option)
        joint = "=" if name.startswith("--") else ""
        if option.is_attached:
            return name if self._random.random() < 0.4 else f"{name}{joint}{value}"
        if option.values > 1:
            return " ".join([name, *(self._value(option) for _ in range(option.values))])
        return f"{name} {value}" if self._random.random() < 0.5 else f"{name}{joint or ' '}{value}"

    def _value(self, option: OptionForm) -> str:
        if option.choices:
            return self._random.choice(sorted(option.choices))
        return self._random.choice(_WORDS["paths"] if option.is_path else _WORDS["values"])

    def _kinds(self, row: CommandRow) -> list[str]:
        kinds = [kind.rstrip("*") for kind in row.arguments]
        if not kinds:
            return []
        if row.arguments[-1].endswith("*"):
            return kinds[:-1] + [kinds[-1]] * self._random.choice((0, 1, 1, 1, 2, 3))
        return kinds[: self._random.randint(max(0, len(kinds) - 1), len(kinds))]

    def _argument(self, row: CommandRow, kind: str) -> str:
        known = _WORDS["of_program"].get(row.name.split()[0], ())
        if known and self._random.random() < 0.6:
            return self._random.choice(known)
        if kind == "path":
            return self._random.choice(_WORDS["usual_paths"] if self._random.random() < 0.5 else _WORDS["paths"])
        return self._random.choice(_WORDS["words"] if self._random.random() < 0.8 else _WORDS["paths"])


def only_read(lines: Iterator[str], is_read: IsRead, count: int | None = None) -> list[str]:
    """Return the first `count` different lines (or all) that are judged to only read."""
    found: dict[str, None] = {}
    for line in lines:
        if count is not None and len(found) >= count:
            break
        if line not in found and is_read(line):
            found[line] = None
    return list(found)


def recorded(*corpora: Path) -> list[str]:
    """Return the lines of those corpora that are there."""
    return [entry["cmd"] for path in corpora if path.is_file() for entry in json.loads(path.read_text("utf-8"))]


def _usage(row: CommandRow) -> Sequence[str]:
    program = row.name.split()[0]
    return _WORDS["of_language"].get(_WORDS["same_language"].get(program, program), ())


def _is_installed(row: CommandRow, path: str) -> bool:
    program = row.name.split()[0]
    return program in _BUILTINS or shutil.which(program, path=path) is not None
