"""The second parser of shell lines: shfmt, a process that prints its syntax tree as JSON.

Its tree may only confirm the first parser's result, so each failure here gives the answer "can't tell".
"""

import json
import shutil
import subprocess
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from planact.model.rights.classification import Reading

_SECONDS = 2.0
_MAX_INPUT = 8_192
_MAX_OUTPUT = 8_000_000

# What may stand in a line that only reads. Functions, arithmetic commands, `case` and the rest aren't judged.
_TYPES = frozenset(
    [
        *("File", "CallExpr", "BinaryCmd", "Subshell", "Block", "IfClause", "ForClause", "WhileClause", "WordIter"),
        *("TestClause", "DeclClause", "TimeClause", "BinaryTest", "UnaryTest", "ParenTest"),
        *("Word", "Lit", "SglQuoted", "DblQuoted", "ParamExp", "CmdSubst", "ProcSubst", "ArithmExp"),
        *("BinaryArithm", "UnaryArithm", "ParenArithm"),
    ]
)


def find_shfmt(interpreter: Path) -> Path | None:
    """Return the shfmt that came with planact, beside its `interpreter`, or another one on PATH."""
    for name in ("shfmt", "shfmt.exe"):
        if (found := interpreter.parent / name).is_file():
            return found
    other = shutil.which("shfmt")
    return Path(other) if other else None


class Shfmt:
    """`shell.second_parser.SecondParser` by the shfmt at `path`; blocks for some 4 ms."""

    def __init__(self, path: Path, seconds: float = _SECONDS) -> None:
        self._path = path
        self._seconds = seconds

    def read(self, line: bytes) -> Reading | None:
        """Return the parsed line; None where shfmt can't tell, for whatever reason."""
        if len(line) > _MAX_INPUT:
            return None
        try:
            return _reading(json.loads(self._ask(line)))
        except (OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None

    def _ask(self, line: bytes) -> bytes:
        """Return the JSON. Raises when shfmt fails, takes too long or prints too much."""
        command = [str(self._path), "--to-json", "-ln", "bash"]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env={}) as process:
            alarm = threading.Timer(self._seconds, process.kill)
            alarm.start()
            try:
                assert process.stdin is not None
                assert process.stdout is not None
                process.stdin.write(line)
                process.stdin.close()
                printed = process.stdout.read(_MAX_OUTPUT + 1)
                if len(printed) > _MAX_OUTPUT or process.wait() != 0:
                    raise ValueError("no tree")
                return printed
            finally:
                alarm.cancel()
                process.kill()


def _reading(tree: Mapping[str, Any]) -> Reading:
    commands: set[tuple[tuple[int, int], ...]] = set()
    assignments: set[tuple[int, int]] = set()
    redirects: set[tuple[str, int, int]] = set()
    tests: set[tuple[int, int]] = set()
    timed: dict[int, tuple[int, int]] = {}
    for node in _nodes(tree):
        kind = node.get("Type", "")
        if kind and kind not in _TYPES:
            raise ValueError(kind)
        if node.get("Background") or node.get("Coprocess") or node.get("Disown"):
            raise ValueError("background")
        if kind == "TimeClause":
            timed[id(_timed_call(node))] = (_span(node)[0], _span(node)[0] + len("time"))
        if kind == "TestClause":
            tests.add(_span(node))
        if kind == "CallExpr" and node.get("Args"):
            keyword = (timed[id(node)],) if id(node) in timed else ()
            commands.add((*keyword, *(_span(word) for word in node["Args"])))
        assignments |= {_span(each) for key in ("Assigns", "Args") for each in node.get(key, ()) if "Name" in each}
        redirects |= {_redirect(each) for each in node.get("Redirs", ())}
    return Reading(frozenset(commands), frozenset(assignments), frozenset(redirects), frozenset(tests))


def _timed_call(clause: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the call right behind the word `time`, which other parsers take for a command itself."""
    if clause.get("PosixFormat"):
        raise ValueError("time -p")
    command: Mapping[str, Any] = clause["Stmt"]["Cmd"]
    while command["Type"] == "BinaryCmd":
        command = command["X"]["Cmd"]
    if command["Type"] != "CallExpr":
        raise ValueError("time of a compound command")
    return command


def _nodes(value: Any) -> Iterator[Mapping[str, Any]]:
    pending = [value]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            yield value
            pending += value.values()
        elif isinstance(value, list):
            pending += value


def _redirect(node: Mapping[str, Any]) -> tuple[str, int, int]:
    operator = str(node["Op"])
    if operator in ("<<", "<<-"):
        return (operator, 0, 0)
    return (operator, *_span(node["Word"]))


def _span(node: Mapping[str, Any]) -> tuple[int, int]:
    return (int(node["Pos"].get("Offset", 0)), int(node["End"].get("Offset", 0)))
