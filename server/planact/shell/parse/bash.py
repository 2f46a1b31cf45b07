"""Reads a command line with tree-sitter's grammar of bash, and keeps only the forms that `syntax` has a place for.

Nodes are allow-listed by type: any construct that isn't named here makes the whole line unreadable.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import tree_sitter_bash
from tree_sitter import Language, Node, Parser

from planact.shell.parse.read_words import DEPTH, WORD_NODES, Unreadable, WordReader
from planact.shell.parse.syntax import (
    Assignment,
    Block,
    BlockKind,
    ForLoop,
    RawWord,
    Redirect,
    Simple,
    Test,
    Text,
    WordPart,
)
from planact.shell.parse.syntax import Node as Tree

_SEPARATORS = {";", "\n", "&&", "||", "|", "|&", "comment"}
_REDIRECTS = {"file_redirect", "herestring_redirect"}
_NUMBER_TESTS = {"-eq", "-ne", "-lt", "-le", "-gt", "-ge"}
_TEXT_TESTS = {"=", "==", "!=", "=~", "<", ">", "&&", "||", "!", "(", ")", "-ef", "-nt", "-ot"}
_FILE_TESTS = {f"-{letter}" for letter in "abcdefghknoprstuwxzGLNOS"} - {"-o"}


class BashParser:
    """Holds the grammar, which costs a moment to load. Not to be shared between threads."""

    def __init__(self) -> None:
        self._parser = Parser(Language(tree_sitter_bash.language()))

    def parse(self, line: bytes) -> Block:
        """The tree. Raises Unreadable."""
        root = self._parser.parse(line).root_node
        if root.has_error:
            bad = next(_errors(root), root)
            raise Unreadable("syntax error", bad.start_byte, bad.end_byte)
        return _Reader(line).block(root, "sure", 0)

    def root(self, line: bytes) -> Node:
        """Return the grammar's own tree of a line, judged or not; never raises."""
        return self._parser.parse(line).root_node

    def syntax_error(self, line: bytes) -> tuple[int, int] | None:
        """Return the place where bash would stop reading, in bytes; None for a line it can read, judged or not."""
        root = self._parser.parse(line).root_node
        if not root.has_error:
            return None
        bad = next(_errors(root), root)
        return bad.start_byte, bad.end_byte


def _errors(node: Node) -> Iterator[Node]:
    pending = [node]
    while pending:
        for child in pending.pop().children:
            if child.is_error or child.is_missing:
                yield child
            elif child.has_error:
                pending.append(child)


def _is_and_list(node: Node) -> bool:
    return node.type == "list" and node.child_count == 3 and node.children[1].type == "&&"


def _is_misplaced(node: Node) -> bool:
    """Return True for `a && b 2>&1`, perhaps in a pipe, that the grammar takes for `{ a && b; } 2>&1`."""
    is_around = False
    while True:
        if node.type == "redirected_statement" and all(child.type in _REDIRECTS for child in node.children[1:]):
            node, is_around = node.children[0], True
        elif node.type == "pipeline":
            node = node.children[0]
        else:
            return is_around and _is_and_list(node)


def _last_command(node: Node) -> Node:
    """Return what a redirection at the end of a line is for: the grammar takes all of a list or pipe for it."""
    while node.type in ("list", "pipeline"):
        node = node.children[-1]
    return node


class _Reader:
    """Turns one line's nodes into ours."""

    def __init__(self, line: bytes) -> None:
        self._words = WordReader(line, lambda node, depth, skip: self.block(node, "maybe", depth, skip))
        self._redirected: dict[int, tuple[Sequence[RawWord], Sequence[Redirect]]] = {}

    # --- commands

    def block(self, node: Node, kind: BlockKind, depth: int, skip: Sequence[str] = ()) -> Block:
        items = [
            self._command(child, depth + 1)
            for child in node.children
            if child.type not in _SEPARATORS and child.type not in skip
        ]
        return Block(kind, tuple(items))

    def _command(self, node: Node, depth: int) -> Tree:
        redirected = self._redirected.pop(node.id, None)
        tree = self._read(node, depth)
        if redirected is None:
            return tree
        words, redirects = redirected
        if isinstance(tree, Simple):
            return replace(tree, words=(*tree.words, *words), redirects=(*tree.redirects, *redirects))
        if words:
            raise self._words.stop(node, "words after a redirection")
        return Block("maybe", (tree,), tuple(redirects))

    def _read(self, node: Node, depth: int) -> Tree:
        if depth > DEPTH:
            raise self._words.stop(node, "nesting")
        match node.type:
            case "command":
                return self._simple(node, depth)
            case "variable_assignment" | "variable_assignments":
                each = [node] if node.type == "variable_assignment" else node.children
                found = tuple(self._assignment(child, depth) for child in each)
                return Simple(found, (), (), node.start_byte, node.end_byte)
            case "declaration_command":
                return self._declaration(node, depth)
            case "redirected_statement":
                return self._with_redirects(node, depth)
            case "test_command":
                return self._test(node, depth)
            case "for_statement":
                return self._for(node, depth)
            case "list" | "pipeline" if (node.type == "list" and node.child_count == 3) or _is_misplaced(node):
                return self._list(node, depth)
        if node.type not in _BLOCKS:
            raise self._words.stop(node)
        return self.block(node, _KINDS.get(node.type, "maybe"), depth, _BLOCKS[node.type])

    def _list(self, node: Node, depth: int) -> Tree:
        """Read two commands or a chain by `&&`. The first always runs, each further one only after those before it."""
        parts: list[tuple[Node, ...]] = [(node.children[0],), (node.children[-1],)]
        kind: BlockKind = "maybe"
        if node.type != "list" or _is_and_list(node):
            parts, kind = self._joined_by_and(node, depth), "then"
        read = [self._pipe(part, depth + len(parts) - 1) for part in parts]
        after = read.pop()
        while read:
            after = Block("sure", (read.pop(), Block(kind, (after,))))
        return after

    def _joined_by_and(self, node: Node, depth: int) -> list[tuple[Node, ...]]:
        """Return the parts of `a && b | c && d`, each as what is joined by pipes, and keep redirections within."""
        parts: list[tuple[Node, ...]] = []
        behind: tuple[Node, ...] = ()
        while True:
            if _is_and_list(node):
                node, _, right = node.children
                parts.append((right, *behind))
                behind = ()
            elif not _is_misplaced(node):
                return [(node, *behind), *reversed(parts)]
            elif node.type == "pipeline":
                node, *others = node.children
                behind = (*(child for child in others if child.type not in _SEPARATORS), *behind)
            else:
                words: list[RawWord] = []
                redirects: list[Redirect] = []
                node, *others = node.children
                for child in others:
                    self._redirect(child, redirects, words, depth)
                self._redirected[_last_command(node).id] = (words, redirects)

    def _pipe(self, part: Sequence[Node], depth: int) -> Tree:
        found = tuple(self._command(node, depth) for node in part)
        return found[0] if len(found) == 1 else Block("pipe", found)

    def _simple(self, node: Node, depth: int) -> Simple:
        assignments: list[Assignment] = []
        words: list[RawWord] = []
        redirects: list[Redirect] = []
        for child in node.children:
            if child.type == "variable_assignment":
                assignments.append(self._assignment(child, depth))
            elif child.type == "command_name":
                words.append(self._words.word(child.children[0], depth))
            elif child.type in _REDIRECTS:
                self._redirect(child, redirects, words, depth)
            else:
                words.append(self._words.word(child, depth))
        if not words:
            raise self._words.stop(node, "command without a name")
        return Simple(tuple(assignments), tuple(words), tuple(redirects), node.start_byte, node.end_byte)

    def _assignment(self, node: Node, depth: int) -> Assignment:
        name, *rest = node.children
        value = node.child_by_field_name("value")
        if name.type != "variable_name" or not rest or self._words.text(rest[0]) != "=" or len(rest) > 2:
            raise self._words.stop(node, "assignment to an array or with +=")
        word = RawWord((), node.end_byte, node.end_byte) if value is None else self._words.word(value, depth)
        if value is None and len(rest) == 2:
            raise self._words.stop(node)
        return Assignment(self._words.text(name), word, node.start_byte, node.end_byte)

    def _declaration(self, node: Node, depth: int) -> Simple:
        keyword, *rest = node.children
        if keyword.type != "export" or any(child.type != "variable_assignment" for child in rest) or not rest:
            raise self._words.stop(node, f"{self._words.text(keyword)} with more than name=value")
        found = tuple(self._assignment(child, depth) for child in rest)
        return Simple(found, (), (), node.start_byte, node.end_byte, keyword="export")

    def _for(self, node: Node, depth: int) -> ForLoop:
        variable = node.child_by_field_name("variable")
        body = node.child_by_field_name("body")
        words = [self._words.word(child, depth) for child in node.children_by_field_name("value")]
        tokens = [child.type for child in node.children if not child.is_named]
        if variable is None or body is None or body.type != "do_group" or tokens[:2] != ["for", "in"]:
            raise self._words.stop(node)
        return ForLoop(self._words.text(variable), tuple(words), self.block(body, "maybe", depth, ("do", "done")))

    # --- redirections

    def _with_redirects(self, node: Node, depth: int) -> Tree:
        words: list[RawWord] = []
        redirects: list[Redirect] = []
        after: list[Tree] = []
        body = node.child_by_field_name("body")
        if body is None:
            raise self._words.stop(node, "redirection without a command")
        for child in node.children:
            if child.type == "heredoc_redirect":
                self._document(child, redirects, words, after, depth)
            elif child.type in _REDIRECTS:
                self._redirect(child, redirects, words, depth)
            elif child.start_byte != body.start_byte:
                raise self._words.stop(child)
        last = _last_command(body)
        self._redirected[last.id] = (words, redirects)
        inner = self._command(body, depth + 1)
        if last.id in self._redirected:
            raise self._words.stop(last, "redirection")
        return Block("maybe", (inner, *after)) if after else inner

    def _redirect(self, node: Node, redirects: list[Redirect], words: list[RawWord], depth: int) -> None:
        operator, found = "", []
        for child in node.children:
            if child.type in WORD_NODES:
                found.append(self._words.word(child, depth))
            elif child.type != "file_descriptor":
                operator = self._words.text(child)
            elif not self._words.text(child).isdigit():
                raise self._words.stop(child, "named file descriptor")
        if operator in ("<&-", ">&-") and not found:
            found = [RawWord((Text("-", is_quoted=False),), node.end_byte - 1, node.end_byte)]
            operator = operator[:2]
        if not found or not operator:
            raise self._words.stop(node)
        redirects.append(Redirect(operator, found[0], node.start_byte, node.end_byte))
        words += found[1:]

    def _document(
        self,
        node: Node,
        redirects: list[Redirect],
        words: list[RawWord],
        after: list[Tree],
        depth: int,
    ) -> None:
        parts: list[WordPart] = []
        operator = ""
        for child in node.children:
            match child.type:
                case "<<" | "<<-":
                    operator = child.type
                case "heredoc_start":
                    if not re.fullmatch(r"\w+|'\w+'|\"\w+\"", self._words.text(child)):
                        raise self._words.stop(child, "delimiter of a here-document")
                case "heredoc_end" | "&&" | "||":
                    pass
                case "heredoc_body":
                    parts += self._document_parts(child, depth)
                case kind if kind in _REDIRECTS:
                    self._redirect(child, redirects, words, depth)
                case "pipeline":
                    after.append(self.block(child, "pipe", depth))
                case kind if kind in WORD_NODES:
                    words.append(self._words.word(child, depth))
                case _:
                    after.append(self._command(child, depth + 1))
        redirects.append(
            Redirect(operator, RawWord(tuple(parts), node.start_byte, node.end_byte), node.start_byte, node.end_byte)
        )

    def _document_parts(self, node: Node, depth: int) -> list[WordPart]:
        return [
            self._words.part(child, depth, is_quoted=True) for child in node.children if child.type != "heredoc_content"
        ]

    # --- tests

    def _test(self, node: Node, depth: int) -> Tree:
        opening = node.children[0].type
        words: list[RawWord] = []
        numbers: list[RawWord] = []
        if opening == "[":
            self._flatten(node, words, depth)
            return Simple((), tuple(words), (), node.start_byte, node.end_byte)
        if opening != "[[":
            raise self._words.stop(node, "arithmetic command")
        for child in node.children[1:-1]:
            self._expression(child, words, numbers, depth + 1)
        return Test(tuple(words), tuple(numbers), node.start_byte, node.end_byte)

    def _flatten(self, node: Node, words: list[RawWord], depth: int) -> None:
        if depth > DEPTH:
            raise self._words.stop(node, "nesting")
        for child in node.children:
            if child.type in ("binary_expression", "unary_expression", "negation_expression"):
                self._flatten(child, words, depth + 1)
            elif child.type in WORD_NODES:
                words.append(self._words.word(child, depth))
            elif child.type in ("[", "]", "!", "=", "==", "!="):
                words.append(RawWord((Text(child.type, is_quoted=False),), child.start_byte, child.end_byte))
            else:
                raise self._words.stop(child)

    def _expression(self, node: Node, words: list[RawWord], numbers: list[RawWord], depth: int) -> None:
        if depth > DEPTH:
            raise self._words.stop(node, "nesting")
        if node.type in ("binary_expression", "unary_expression", "parenthesized_expression", "negated_command"):
            operators = {self._words.text(child) for child in node.children if child.type == "test_operator"}
            target = numbers if operators & _NUMBER_TESTS else words
            for child in node.children:
                self._expression(child, target, numbers, depth + 1)
        elif node.type == "test_operator":
            if self._words.text(node) not in _NUMBER_TESTS | _TEXT_TESTS | _FILE_TESTS:
                raise self._words.stop(node, f"test {self._words.text(node)}")
        elif node.type in WORD_NODES:
            words.append(self._words.word(node, depth))
        elif node.type not in _TEXT_TESTS:
            raise self._words.stop(node)


_KINDS: dict[str, BlockKind] = {
    "compound_statement": "sure",
    "&&": "then",
    "while_statement": "loop",
    "pipeline": "pipe",
}
_BLOCKS: dict[str, tuple[str, ...]] = {
    "pipeline": (),
    "negated_command": ("!",),
    "subshell": ("(", ")"),
    "compound_statement": ("{", "}"),
    "if_statement": ("if", "then", "fi"),
    "elif_clause": ("elif", "then"),
    "else_clause": ("else",),
    "while_statement": ("while", "until"),
    "do_group": ("do", "done"),
}
