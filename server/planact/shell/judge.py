"""Walks a command line's tree in the order it would run, and judges each command with the values known by then.

A variable counts only when it is set at one place of the line, before its use, in the same shell.
"""

import posixpath
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from planact.base.text import word_set
from planact.model.rights.classification import CommandClass, CommandTrait
from planact.shell.elsewhere import is_infrastructure, named_change
from planact.shell.environment import (
    are_in_scratch,
    class_of_output,
    class_of_writer,
    is_git_in_scratch,
    is_in_scratch,
    is_of_environment,
    is_within,
    known_variables,
    may_be_given,
    may_be_set,
)
from planact.shell.finding import CommandFinding, jail_of
from planact.shell.languages.with_keys import judge_call_with_keys
from planact.shell.line_state import LineState
from planact.shell.parse.syntax import (
    Assignment,
    Block,
    ForLoop,
    Node,
    Number,
    RawWord,
    Redirect,
    Simple,
    Substitution,
    Test,
    Variable,
    bound_names,
    has_input,
    is_sure_number,
)
from planact.shell.servers import demand_known, names_server
from planact.shell.table import CallRefused, Catalogue, CommandCall, CommandRow, paths_of, sort_out, sort_out_first
from planact.shell.words import ANYTHING, ShellWord, each_or_any, evaluate, is_descriptor, is_unsure, value_in_loop

_PROGRAM = re.compile(r"(?:/usr)?/bin/([\w.+-]+)\Z")
_VERSIONED = re.compile(r"(python|pip)3?(?:\.\d+)?\Z")
_DEEDS = {"mutating": "changes things", "unknown": "may run code that the workspace names"}
_NOWHERE = ("/dev/null", "/dev/stdout", "/dev/stderr")
_SOMEWHERE = ShellWord("/~", is_exact=False)
_DEVICES = frozenset(map("/dev/{}".format, word_set("full null random stderr stdin stdout urandom zero")))


@dataclass(frozen=True, slots=True)
class LineContext:
    """The directories where the line would run: absolute POSIX paths.

    Paths below `roots` aren't outside; `scratch` is the session's folder of temporary files and `home` the target of a
    tilde, empty where there is none.
    """

    directory: str
    roots: tuple[str, ...]
    scratch: str = ""
    home: str = ""


class LineJudge:
    """Judges one line. `findings`, `traits`, `reads`, `begins`, `outside` and `servers` grow while it walks.
    `is_unsure`: a word may hold a key of the environment, or be a path that leads elsewhere than its text says.
    `goes_up`: a path outside the workspace has a `..`. `is_unread`: a command may run programs that aren't known.
    """

    def __init__(self, catalogue: Catalogue, context: LineContext, tree: Block) -> None:
        self._catalogue = catalogue
        self._roots = context.roots
        self._scratch = context.scratch
        self._bindings = Counter(bound_names(tree))
        known = known_variables(context.scratch, context.home, tree, self._bindings)
        start = posixpath.normpath(context.directory)
        self._scope = LineState(start, (start,), known)
        self._moves = 0
        self._reads_scratch = False
        self._depth = 0
        self._opens_more = False
        self.findings: list[CommandFinding] = []
        self.traits: set[CommandTrait] = set()
        self.reads: list[str] = []
        self.begins: list[str] = []
        self.outside: list[str] = []
        self.servers: list[str] = []
        self.is_plain = True
        self.is_unsure = False
        self.goes_up = self.is_unread = self._is_fed = self._has_input = False
        self._tree = tree

    def judge(self) -> None:
        """Walk the whole line."""
        self._node(self._tree)
        # A file that a contained command left there could be data for another machine.
        if self._reads_scratch and any(finding.cls in ("net-read", "daemon-read") for finding in self.findings):
            reason = "what lies in the scratch folder may not be read where others can be reached: run it apart"
            self._add("unknown", "scratch", reason, self.findings[0].start, self.findings[-1].end)

    # --- the tree

    def _node(self, node: Node) -> None:
        match node:
            case Simple():
                self._simple(node)
            case Test():
                self._test(node)
            case ForLoop():
                self._loop(node)
            case Block():
                self._block(node)
            case _:
                assert_never(node)

    def _block(self, block: Block) -> None:
        outer = self._scope
        if block.kind != "sure":
            self._scope = outer.copy()
        self._redirects(block.redirects)
        moves, was_lost, was_fed, had_input = self._moves, self._scope.is_lost, self._is_fed, self._has_input
        # The grammar puts a redirection of the last command around all of a pipe.
        self._has_input = had_input or has_input(block.redirects)
        before: Node | None = None
        for item in block.items:
            is_lost = self._scope.is_lost
            if isinstance(item, Block) and item.kind == "then" and isinstance(before, Simple):
                self._scope.is_lost = was_lost  # it runs only where a `cd` before it led there
            self._is_fed = block.kind == "pipe" and before is not None and self._may_read_pipe(item)
            self._node(item)
            self._scope.is_lost, was_lost, before = self._scope.is_lost or is_lost, is_lost, item
        self._is_fed, self._has_input = was_fed, had_input
        if block.kind == "loop":
            self._note_repeated(moves)
        if self._scope is not outer:
            outer.may_be(self._scope)
        self._scope = outer

    def _may_read_pipe(self, item: Node) -> bool:
        return isinstance(item, Simple) and not self._has_input and not has_input(item.redirects)

    def _note_repeated(self, moves: int) -> None:
        if self._moves != moves:  # each time it goes on from where it came to
            self.is_plain, self.is_unsure, self._scope.is_lost = False, True, True

    def _loop(self, loop: ForLoop) -> None:
        values = [value_in_loop(word, self._word(word)) for word in loop.words]
        for value in values:
            if value.text.startswith(("/", "..")):  # what its variable names isn't known once the shell splits it
                self.read(value)
        if not may_be_set(loop.name):
            start, end = (loop.words[0].start, loop.words[-1].end) if loop.words else (0, 0)
            self._add("unknown", "variable", f"the variable {loop.name} may steer programs", start, end)
        outer = self._scope
        for value in each_or_any(values, loop.body):
            self._scope, moves = outer.copy(), self._moves
            self._scope.variables[loop.name] = self._if_bound_once(loop.name, value)
            self._node(loop.body)
            self._note_repeated(moves)
            outer.may_be(self._scope)
        self._scope = outer

    def _test(self, test: Test) -> None:
        self._add("local-read", "[[", "`[[` only compares", test.start, test.end)
        for raw in test.words:
            self._word(raw)
        for raw in test.numbers:
            word = self._word(raw)
            if not (word.is_exact and re.fullmatch(r"-?\d+", word.text)) and not is_sure_number(raw):
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
        except CallRefused as refused:
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

    def _if_bound_once(self, name: str, value: ShellWord) -> ShellWord:
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
                case ">" | ">>" | ">|" | "&>" | "&>>" if is_in_scratch(word, self._scratch, self._scope.directories):
                    self.is_plain = False  # only a jail holds it to that folder
                case _:
                    cls, reason = class_of_output(word, self._scratch, self._scope.directories)
                    self._add(cls, "redirection", reason, *where)

    def _word(self, raw: RawWord) -> ShellWord:
        """Evaluate a word, and judge the commands inside it."""
        for part in raw.parts:
            match part:
                case Number() if any(not self._holds_number(name) for name in part.names):
                    self._add("unknown", "arithmetic", "arithmetic evaluates what a variable holds", raw.start, raw.end)
                case Substitution():
                    self._node(part.body)
                case Variable() if is_of_environment(part.name) and part.name not in self._scope.variables:
                    self.is_unsure = True  # it may be a key
                case _:
                    pass
        return evaluate(raw, self._scope.variables)

    def _holds_number(self, name: str) -> bool:
        known = self._scope.variables.get(name)
        return known is not None and known.is_exact and known.text.isdigit()

    def _add(self, cls: CommandClass, rule: str, reason: str, start: int, end: int, program: str = "") -> None:
        # Constructs that the shell runs by itself, without a program.
        is_inert = cls == "local-read"
        self.findings.append(CommandFinding(cls, rule, reason, start, end, program, jail_of(cls, ()), is_inert))

    # --- commands

    def run(self, words: Sequence[ShellWord]) -> None:
        """Judge one command. Raises Refused."""
        try:
            cls = self._run(words)
        except CallRefused as refused:
            self.is_unread = self.is_unread or refused.cls == "unknown"
            if refused.cls == "unknown" and (change := named_change(words)):
                refused = CallRefused("change", f"`{change}` changes things", words[0], "mutating")
            if refused.cls == "mutating" and is_infrastructure(words):
                self.mark("infrastructure")
            if refused.cls == "mutating" and is_git_in_scratch(words, self._scratch, self._scope.directories):
                refused = CallRefused(refused.rule, refused.reason, refused.word)
            raise refused from None
        if cls == "mutating" and is_infrastructure(words):
            self.mark("infrastructure")

    def _run(self, words: Sequence[ShellWord]) -> CommandClass:
        self._depth += 1
        if self._depth > 8:
            raise CallRefused("nesting", "commands that start commands, nested too deeply", words[0])
        call = self._call(words)
        command = call.command
        if command.cls in ("net-read", "daemon-read"):
            demand_known(words)
        outer, self.traits = self.traits, set(command.traits - {"plain"})
        if command.cls == "net-read" and command.check != "curl" and names_server(words):
            self.mark("fetches")
        opened, self._opens_more = self._opens_more, call.opens_more
        try:
            judge_call_with_keys(call, self)
            cls = (self._catalogue.checks[command.check](call, self) if command.check else None) or command.cls
        finally:
            # A command that this one starts has replaced the set.
            own_traits, self.traits = self.traits, outer | self.traits
            opens_more, self._opens_more = self._opens_more, opened
        directories = self._scope.directories
        there = class_of_writer(command.name, words, self._scratch, directories) if cls == "mutating" else None
        self._depth -= 1
        if command.name == "cd":
            self._change_directory(call)
        if command.name == "read":
            self._scope.variables |= {word.text: ANYTHING for word in call.arguments}
        self.is_plain = self.is_plain and "plain" in command.traits and not opens_more
        for word in paths_of(call) if command.name != "cd" else ():
            self.read(word)
        if "path" in "".join(command.arguments) and any(word.is_open for word in call.arguments):
            self.is_plain, self.is_unsure = False, True  # one of these words may be a path
        reason = f"`{command.name}` {_DEEDS.get(cls, 'only reads')}"
        cls = there or cls
        end = max(word.end for word in words)
        program = command.name.partition(" ")[0]
        is_inert = (command.is_inert and "history" not in own_traits and not opens_more) or there == "local-read"
        jail = jail_of(cls, own_traits)
        self.findings.append(CommandFinding(cls, command.name, reason, words[0].start, end, program, jail, is_inert))
        return cls

    def _call(self, words: Sequence[ShellWord]) -> CommandCall:
        key = self._program(words[0])
        while key in self._catalogue.parents:
            parent = self._catalogue.commands.get(key, CommandRow(key))
            call, rest = sort_out_first(parent, words)
            below = f"{key} {rest[0].text}" if rest and rest[0].is_exact else ""
            if below not in self._catalogue.commands and below not in self._catalogue.parents:
                break
            for word in paths_of(call):
                self.read(word)
            key, words = below, rest
        command = self._catalogue.commands.get(key)
        if command is None:
            raise CallRefused("program", f"`{words[0].text}` may change files", words[0])
        if command.cls == "mutating":
            return CommandCall(command, words[0], (), ())
        return sort_out(command, words)

    def _program(self, word: ShellWord) -> str:
        if not word.is_exact or not word.is_one:
            raise CallRefused("word", "which program runs, only running can tell", word)
        name = word.text
        if found := _PROGRAM.match(name):
            name = found[1]
        if found := _VERSIONED.match(name):
            name = found[1]
        if name not in self._catalogue.commands and name not in self._catalogue.parents:
            raise CallRefused("program", f"`{word.text}` may change files", word)
        return name

    @property
    def is_fed(self) -> bool:
        """The command reads what the one before it prints; not known of one that another command starts."""
        return self._is_fed and self._depth == 1

    def mark(self, trait: CommandTrait, server: str = "") -> None:
        """Note what policy weighs, and the server that is asked."""
        self.traits.add(trait)
        self.servers += [server] if server else []

    def open_more(self) -> None:
        """Note that the command may open files that its words don't name, or print its environment."""
        self._opens_more = True

    # --- paths

    def are_in_scratch(self, words: Sequence[ShellWord]) -> bool:
        """All of them are paths of the session's temporary files, as far as their text tells."""
        return bool(words) and are_in_scratch(words, self._scratch, self._scope.directories)

    def read(self, word: ShellWord) -> None:
        """Note a path, and whether it lies outside."""
        self._read(word, is_elsewhere=self._scope.leads_elsewhere(word.text))

    def _read(self, word: ShellWord, *, is_elsewhere: bool) -> None:
        if is_descriptor(word):
            return
        if is_unsure(word) or is_elsewhere:
            self.is_plain, self.is_unsure = False, True  # only a jail holds it
        if word.text in ("", "-"):
            return
        for directory in self._scope.directories:
            self._read_in(directory, word)
        if not word.is_exact:
            self.begins.append(word.text)

    def _read_in(self, directory: str, word: ShellWord) -> None:
        path = posixpath.normpath(posixpath.join(directory, word.text))
        root = next((root for root in self._roots if path == root or path.startswith(f"{root.rstrip('/')}/")), None)
        if is_within(path, self._scratch):
            self._reads_scratch = True
        elif root is None and path not in _DEVICES:
            self.traits.add("outside")
            self.outside.append(path if word.is_exact or word.text.endswith("/") else posixpath.dirname(path))
            self.goes_up = self.goes_up or ".." in word.text.split("/")
        if word.is_exact and path not in _DEVICES:
            self.reads.append(posixpath.relpath(path, root) if root == self._roots[0] else path)

    def _change_directory(self, call: CommandCall) -> None:
        target = call.arguments[0] if call.arguments else _SOMEWHERE
        if target.text == "-":
            target = ShellWord("") if self._scope.go_back() else _SOMEWHERE
        self._read(target, is_elsewhere=self._scope.leads_elsewhere(target.text, is_by_text=not call.has("-P")))
        if target.text:
            self._moves += not target.text.startswith("/")
            self._scope.go_to(target.text)
