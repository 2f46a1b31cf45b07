"""Words of the command line, one module for each noun: a word's arguments, handler and result stand together.

Each module of this folder lists its words in `COMMANDS`, so adding one takes no list. A handler imports what it needs
itself: `--help` loads no engine.
"""

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

from planact.cli.command import CliCommand

_FIRST = (
    *("chat", "plans", "templates", "executions", "sessions", "questions", "rules", "trust", "events", "policy"),
    *("doctor", "demo", "completion"),
)
"""Their order in `planact --help`. Other modules come behind these."""


def _in_order(names: Iterable[str]) -> list[str]:
    place = {name: at for at, name in enumerate(_FIRST)}
    return sorted(names, key=lambda name: (place.get(name, len(place)), name))


COMMANDS: tuple[CliCommand, ...] = tuple(
    command
    # `pkgutil`, which lists modules too, would take a millisecond and more to load.
    for name in _in_order(path.stem for path in Path(__file__).parent.glob("[!_]*.py"))
    for command in import_module(f"{__name__}.{name}").COMMANDS
)
