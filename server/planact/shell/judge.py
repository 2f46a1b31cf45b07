"""Walks a command line's tree in the order it would run, and judges each command with what is known by then.

What is known only holds where it must: a variable counts when it is set at one place of the line, before its use, in
the same shell.
"""

import posixpath
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from planact.model.classification import CommandClass, CommandTrait
from planact.shell.environment import may_be_given, may_be_set
from planact.shell.syntax import (
    Assignment,
    Block,
    Loop,
    Node,
    Number,
    RawWord,
    Redirect,
    Simple,
    Substitution,
    Test,
    Text,
    Variable,
    walk,
)
from planact.shell.table import Call, Check, Command, Refused, paths_of, sort_out, sort_out_first
from planact.shell.words import ANYTHING, Word, evaluate

_PROGRAM = re.compile(r"(?:/usr)?/bin/([\w.+-]+)\Z")
_VERSIONED = re.compile(r"(python|pip)3?(?:\.\d+)?\Z")
_NOWHERE = ("/dev/null", "/dev/stdout", "/dev/stderr")
_DEVICES = {"/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/zero"}


@dataclass(frozen=True, slots=True)
class Context:
    """Where the line would run: absolute POSIX paths. What lies below `roots` isn't outside."""

    directory: str
    roots: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All families in one table, the names that have subcommands, and the closer looks by name."""

    commands: Mapping[str, Command]
    parents: frozenset[str]
    checks: Mapping[str, Check]


@dataclass(frozen=True, slots=True)
class Finding:
    """One part of the line, judged. Span in bytes. `is_configured`: files of the workspace may steer what it starts."""

    cls: CommandClass
    rule: str
    reason: str
    start: int
    end: int
    program: str = ""
    is_configured: bool = False


@dataclass(slots=True)
class _Scope:
    """What holds at a point of the line."""

    directory: str
    variables: dict[str, Word] = field(default_factory=dict)

    def copy(self) -> "_Scope":
        return _Scope(self.directory, dict(self.variables))


class LineJudge:
    """Judges one line. `findings`, `traits`, `reads` and `begins` grow while it walks."""

    def __init__(self, catalogue: Catalogue, context: Context, tree: Block) -> None:
        self._catalogue = catalogue
        self._roots = context.roots
        self._scope = _Scope(posixpath.normpath(context.directory))
        self._bindings = Counter(_bindings(tree))
        self._depth = 0
        self.findings: list[Finding] = []
        self.traits: set[CommandTrait] = set()
        self.reads: list[str] = []
        self.begins: list[str] = []
        self.is_plain = True
        self._tree = tree

    def judge(self) -> None:
        """Walk the whole line."""
        self._node(self._tree)

    # --- the tree

    def _node(self, node: Node) -> None:
        match node:
            case Simple():
                self._simple(node)
            case Test():
                self._test(node)
            case Loop():
                self._loop(node)
            case Block():
                self._block(node)
            case _:
                assert_never(node)

    def _block(self, block: Block) -> None:
        outer = self._scope
        if block.kind == "maybe":
            self._scope = outer.copy()
        self._redirects(block.redirects)
        for item in block.items:
            self._node(item)
        self._scope = outer

    def _loop(self, loop: Loop) -> None:
        values = [self._word(word) for word in loop.words]
        if not may_be_set(loop.name):
            start, end = (loop.words[0].start, loop.words[-1].end) if loop.words else (0, 0)
            self._add("unknown", "variable", f"the variable {loop.name} may steer programs", start, end)
        outer = self._scope
        self._scope = outer.copy()
        self._scope.variables[loop.name] = self._if_bound_once(loop.name, _any_of(values))
        self._node(loop.body)
        self._scope = outer

    def _test(self, test: Test) -> None:
        self._add("local-read", "[[", "`[[` only compares", test.start, test.end)
        for raw in test.words:
            self._word(raw)
        for raw in test.numbers:
            word = self._word(raw)
            if not (word.is_exact and re.fullmatch(r"-?\d+", word.text)) and not _is_number(raw):
                reason = "the shell evaluates what stands beside an arithmetic test"
                self._add("unknown", "arithmetic", reason, raw.start, raw.end)

    def _simple(self, simple: Simple) -> None:
        for assignment in simple.assignments:
            self._assign(assignment, is_exported=bool(simple.words or simple.keyword))
        self._redirects(simple.redirects)
        if not simple.words:
            if not simple.keyword and simple.assignments:
                self._add("local-read", "assignment", "sets variables of the shell", simple.start, simple.end)
            return
        words = [self._word(word) for word in simple.words]
        try:
            self.run(words)
        except Refused as refused:
            word = refused.word if refused.word.end else words[0]
            self._add(refused.cls, refused.rule, refused.reason, word.start, word.end, words[0].text)

    def _assign(self, assignment: Assignment, *, is_exported: bool) -> None:
        value = self._word(assignment.value)
        if is_exported:
            is_fine = may_be_given(assignment.name, value)
        else:
            is_fine = may_be_set(assignment.name) or may_be_given(assignment.name, value)
            self._scope.variables[assignment.name] = self._if_bound_once(assignment.name, value)
        if not is_fine:
            reason = f"the variable {assignment.name} may steer programs"
            self._add("unknown", "variable", reason, assignment.start, assignment.end)

    def _if_bound_once(self, name: str, value: Word) -> Word:
        return value if self._bindings[name] == 1 else ANYTHING

    def _redirects(self, redirects: Sequence[Redirect]) -> None:
        for redirect in redirects:
            word = self._word(redirect.word)
            where = (redirect.start, redirect.end)
            match redirect.operator:
                case "<<" | "<<-" | "<<<":
                    pass
                case "<" if not (word.is_one and (word.is_exact or (word.text and word.text[0] not in "/."))):
                    self._add("unknown", "redirection", "input from a place that only running can tell", *where)
                case "<" if re.match(r"/+dev/+(tcp|udp)", posixpath.normpath(word.text)):
                    self._add("unknown", "redirection", "input from the network", *where)
                case "<":
                    self.read(word)
                case ">" | ">>" | ">|" | "&>" | "&>>" if word.is_exact and word.text in _NOWHERE:
                    pass
                case ">&" | "<&" if word.is_exact and re.fullmatch(r"\d|-", word.text):
                    pass
                case _:
                    self._add("mutating", "redirection", "output goes to a file", *where)

    def _word(self, raw: RawWord) -> Word:
        """Also judges the commands inside the word."""
        for part in raw.parts:
            match part:
                case Number() if any(not self._holds_number(name) for name in part.names):
                    self._add("unknown", "arithmetic", "arithmetic evaluates what a variable holds", raw.start, raw.end)
                case Substitution():
                    self._node(part.body)
                case _:
                    pass
        return evaluate(raw, self._scope.variables)

    def _holds_number(self, name: str) -> bool:
        known = self._scope.variables.get(name)
        return known is not None and known.is_exact and known.text.isdigit()

    def _add(self, cls: CommandClass, rule: str, reason: str, start: int, end: int, program: str = "") -> None:
        self.findings.append(Finding(cls, rule, reason, start, end, program))

    # --- commands

    def run(self, words: Sequence[Word]) -> None:
        """Judge one command. Raises Refused."""
        self._depth += 1
        if self._depth > 8:
            raise Refused("nesting", "commands that start commands, nested too deeply", words[0])
        call = self._call(words)
        command = call.command
        if command.cls in ("net-read", "daemon-read"):
            _demand_known(words)
        was_configured = "configured" in self.traits
        cls = (self._catalogue.checks[command.check](call, self) if command.check else None) or command.cls
        is_marked = "configured" in self.traits and not was_configured
        self._depth -= 1
        if command.name == "cd":
            self._change_directory(call)
        if command.name == "read":
            self._scope.variables |= {word.text: ANYTHING for word in call.arguments}
        self.traits |= command.traits - {"plain"}
        self.is_plain = self.is_plain and "plain" in command.traits
        for word in paths_of(call):
            self.read(word)
        reason = f"`{command.name}` only reads" if cls != "mutating" else f"`{command.name}` changes things"
        end = max(word.end for word in words)
        program, is_configured = command.name.partition(" ")[0], is_marked or "configured" in command.traits
        self.findings.append(Finding(cls, command.name, reason, words[0].start, end, program, is_configured))

    def _call(self, words: Sequence[Word]) -> Call:
        key = self._program(words[0])
        while key in self._catalogue.parents:
            parent = self._catalogue.commands.get(key, Command(key))
            call, rest = sort_out_first(parent, words)
            below = f"{key} {rest[0].text}" if rest and rest[0].is_exact else ""
            if below not in self._catalogue.commands and below not in self._catalogue.parents:
                break
            for word in paths_of(call):
                self.read(word)
            key, words = below, rest
        command = self._catalogue.commands.get(key)
        if command is None:
            raise Refused("program", f"`{words[0].text}` isn't known to only read", words[0])
        if command.cls == "mutating":
            return Call(command, words[0], (), ())
        return sort_out(command, words)

    def _program(self, word: Word) -> str:
        if not word.is_exact or not word.is_one:
            raise Refused("word", "which program runs, only running can tell", word)
        name = word.text
        if found := _PROGRAM.match(name):
            name = found[1]
        if found := _VERSIONED.match(name):
            name = found[1]
        if name not in self._catalogue.commands and name not in self._catalogue.parents:
            raise Refused("program", f"`{word.text}` isn't known to only read", word)
        return name

    def mark(self, trait: CommandTrait) -> None:
        """Note what policy weighs."""
        self.traits.add(trait)

    # --- paths

    def read(self, word: Word) -> None:
        """Note a path, and whether it lies outside."""
        if word.text in ("", "-"):
            return
        if word.text.startswith("/dev/fd/"):
            return
        path = posixpath.normpath(posixpath.join(self._scope.directory, word.text))
        root = next((root for root in self._roots if path == root or path.startswith(f"{root.rstrip('/')}/")), None)
        if root is None and path not in _DEVICES:
            self.traits.add("outside")
        if not word.is_exact:
            self.begins.append(word.text)
        elif path not in _DEVICES:
            self.reads.append(posixpath.relpath(path, root) if root == self._roots[0] else path)

    def _change_directory(self, call: Call) -> None:
        target = call.arguments[0] if call.arguments else Word("/~", is_exact=False)
        if target.text == "-":
            target = Word("/~", is_exact=False)
        self.read(target)
        if target.text:
            self._scope.directory = posixpath.normpath(posixpath.join(self._scope.directory, target.text))


def _demand_known(words: Sequence[Word]) -> None:
    """What leaves the machine must be known: a name can carry what another command printed. Raises Refused."""
    for word in words:
        if not word.is_exact or not word.is_one:
            raise Refused("word", "a word that only running can tell would leave the machine", word)


def _bindings(tree: Block) -> list[str]:
    found: list[str] = []
    for node in walk(tree):
        if isinstance(node, Loop):
            found.append(node.name)
        elif isinstance(node, Simple) and not node.words:
            found += [assignment.name for assignment in node.assignments]
        elif isinstance(node, Simple):
            words = [part.value for word in node.words for part in word.parts if isinstance(part, Text)]
            found += words if "read" in words else []
    return found


def _any_of(values: Sequence[Word]) -> Word:
    """What a loop's variable may be: the beginning that all have in common."""
    if len(values) == 1 and values[0].is_exact:
        return values[0]
    if not values or any(value.may_be_option for value in values):
        return ANYTHING
    return (
        Word(posixpath.commonprefix([value.text for value in values]) or "?", is_exact=False)
        if not any(value.text.startswith("-") for value in values)
        else ANYTHING
    )


def _is_number(raw: RawWord) -> bool:
    return all(isinstance(part, Variable) and part.name in ("?", "#") for part in raw.parts) and bool(raw.parts)
