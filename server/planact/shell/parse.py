"""Reads a command line with tree-sitter's grammar of bash, and keeps only what `syntax` has a place for.

Nodes are allow-listed by type: a construct that isn't named here makes the whole line unreadable, whatever it is.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

import tree_sitter_bash
from tree_sitter import Language, Node, Parser

from planact.shell.syntax import (
    Assignment,
    Block,
    Loop,
    Number,
    Part,
    RawWord,
    Redirect,
    Simple,
    Substitution,
    Test,
    Text,
    Variable,
)
from planact.shell.syntax import Node as Tree

DEPTH = 64
_SEPARATORS = {";", "\n", "&&", "||", "|", "|&", "comment"}
_WORDS = {
    "word",
    "number",
    "string",
    "raw_string",
    "ansi_c_string",
    "concatenation",
    "simple_expansion",
    "expansion",
    "command_substitution",
    "process_substitution",
    "arithmetic_expansion",
    "extglob_pattern",
    "regex",
    "test_operator",
}
_ARITHMETIC = {"binary_expression", "unary_expression", "parenthesized_expression", "ternary_expression"}
_ARITHMETIC_SIGNS = set("+ - * / % ** ( ) < > <= >= == != && || ! ~ & | ^ << >> ? :".split())
_NUMBER_TESTS = {"-eq", "-ne", "-lt", "-le", "-gt", "-ge"}
_TEXT_TESTS = {"=", "==", "!=", "=~", "<", ">", "&&", "||", "!", "(", ")", "-ef", "-nt", "-ot"}
_FILE_TESTS = {f"-{letter}" for letter in "abcdefghknoprstuwxzGLNOS"} - {"-o"}
_ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", "'": "'", '"': '"', "r": "\r", "0": "\0"}
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


class Unreadable(Exception):  # noqa: N818
    """A construct that isn't judged, and where it stands in bytes. Never leaves the package."""

    def __init__(self, construct: str, start: int, end: int) -> None:
        super().__init__(construct)
        self.construct, self.start, self.end = construct, start, end


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


def _errors(node: Node) -> Iterator[Node]:
    for child in node.children:
        if child.is_error or child.is_missing:
            yield child
        elif child.has_error:
            yield from _errors(child)


class _Reader:
    """Turns one line's nodes into ours."""

    def __init__(self, line: bytes) -> None:
        self._line = line

    def _text(self, node: Node) -> str:
        return self._line[node.start_byte : node.end_byte].decode()

    def _stop(self, node: Node, construct: str = "") -> Unreadable:
        return Unreadable(construct or node.type.replace("_", " "), node.start_byte, node.end_byte)

    # --- commands

    def block(self, node: Node, kind: Literal["sure", "maybe"], depth: int, skip: Sequence[str] = ()) -> Block:
        items = [
            self._command(child, depth + 1)
            for child in node.children
            if child.type not in _SEPARATORS and child.type not in skip
        ]
        return Block(kind, tuple(items))

    def _command(self, node: Node, depth: int) -> Tree:
        if depth > DEPTH:
            raise self._stop(node, "nesting")
        match node.type:
            case "command":
                return self._simple(node, depth)
            case "variable_assignment":
                return Simple((self._assignment(node, depth),), (), (), node.start_byte, node.end_byte)
            case "variable_assignments":
                found = tuple(self._assignment(child, depth) for child in node.children)
                return Simple(found, (), (), node.start_byte, node.end_byte)
            case "declaration_command":
                return self._declaration(node, depth)
            case "redirected_statement":
                return self._redirected(node, depth)
            case "test_command":
                return self._test(node, depth)
            case "for_statement":
                return self._for(node, depth)
        if node.type in _BLOCKS:
            return self.block(node, "sure" if node.type in _SURE else "maybe", depth, _BLOCKS[node.type])
        if node.type == "list":
            # The left side always runs, the right side may not.
            left, right = node.children[0], node.children[2]
            return Block("sure", (self._command(left, depth + 1), Block("maybe", (self._command(right, depth + 1),))))
        raise self._stop(node)

    def _simple(self, node: Node, depth: int) -> Simple:
        assignments: list[Assignment] = []
        words: list[RawWord] = []
        redirects: list[Redirect] = []
        for child in node.children:
            if child.type == "variable_assignment":
                assignments.append(self._assignment(child, depth))
            elif child.type == "command_name":
                words.append(self._word(child.children[0], depth))
            elif child.type in ("file_redirect", "herestring_redirect"):
                self._redirect(child, redirects, words, depth)
            else:
                words.append(self._word(child, depth))
        if not words:
            raise self._stop(node, "command without a name")
        return Simple(tuple(assignments), tuple(words), tuple(redirects), node.start_byte, node.end_byte)

    def _assignment(self, node: Node, depth: int) -> Assignment:
        name, *rest = node.children
        value = node.child_by_field_name("value")
        if name.type != "variable_name" or not rest or self._text(rest[0]) != "=" or len(rest) > 2:
            raise self._stop(node, "assignment to an array or with +=")
        word = RawWord((), node.end_byte, node.end_byte) if value is None else self._word(value, depth)
        if value is None and len(rest) == 2:
            raise self._stop(node)
        return Assignment(self._text(name), word, node.start_byte, node.end_byte)

    def _declaration(self, node: Node, depth: int) -> Simple:
        keyword, *rest = node.children
        if keyword.type != "export" or any(child.type != "variable_assignment" for child in rest) or not rest:
            raise self._stop(node, f"{self._text(keyword)} with more than name=value")
        found = tuple(self._assignment(child, depth) for child in rest)
        return Simple(found, (), (), node.start_byte, node.end_byte, keyword="export")

    def _for(self, node: Node, depth: int) -> Loop:
        variable = node.child_by_field_name("variable")
        body = node.child_by_field_name("body")
        words = [self._word(child, depth) for child in node.children_by_field_name("value")]
        tokens = [child.type for child in node.children if not child.is_named]
        if variable is None or body is None or body.type != "do_group" or tokens[:2] != ["for", "in"]:
            raise self._stop(node)
        return Loop(self._text(variable), tuple(words), self.block(body, "maybe", depth, ("do", "done")))

    # --- redirections

    def _redirected(self, node: Node, depth: int) -> Tree:
        words: list[RawWord] = []
        redirects: list[Redirect] = []
        after: list[Tree] = []
        body = node.child_by_field_name("body")
        if body is None:
            raise self._stop(node, "redirection without a command")
        inner = self._command(body, depth + 1)
        for child in node.children:
            if child.type == "heredoc_redirect":
                self._document(child, redirects, words, after, depth)
            elif child.type in ("file_redirect", "herestring_redirect"):
                self._redirect(child, redirects, words, depth)
            elif child.start_byte != body.start_byte:
                raise self._stop(child)
        if isinstance(inner, Simple):
            inner = Simple(
                inner.assignments,
                (*inner.words, *words),
                (*inner.redirects, *redirects),
                inner.start,
                inner.end,
                inner.keyword,
            )
        elif words:
            raise self._stop(node, "words after a redirection")
        else:
            inner = Block("maybe", (inner,), tuple(redirects))
        return Block("maybe", (inner, *after)) if after else inner

    def _redirect(self, node: Node, redirects: list[Redirect], words: list[RawWord], depth: int) -> None:
        operator, found = "", []
        for child in node.children:
            if child.type in _WORDS:
                found.append(self._word(child, depth))
            elif child.type != "file_descriptor":
                operator = self._text(child)
            elif not self._text(child).isdigit():
                raise self._stop(child, "named file descriptor")
        if operator in ("<&-", ">&-") and not found:
            found = [RawWord((Text("-", is_quoted=False),), node.end_byte - 1, node.end_byte)]
            operator = operator[:2]
        if not found or not operator:
            raise self._stop(node)
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
        parts: list[Part] = []
        operator = ""
        for child in node.children:
            match child.type:
                case "<<" | "<<-":
                    operator = child.type
                case "heredoc_start":
                    if not re.fullmatch(r"\w+|'\w+'|\"\w+\"", self._text(child)):
                        raise self._stop(child, "delimiter of a here-document")
                case "heredoc_end" | "&&" | "||":
                    pass
                case "heredoc_body":
                    parts += self._document_parts(child, depth)
                case "file_redirect" | "herestring_redirect":
                    self._redirect(child, redirects, words, depth)
                case "pipeline":
                    after.append(self.block(child, "maybe", depth))
                case kind if kind in _WORDS:
                    words.append(self._word(child, depth))
                case _:
                    after.append(self._command(child, depth + 1))
        redirects.append(
            Redirect(operator, RawWord(tuple(parts), node.start_byte, node.end_byte), node.start_byte, node.end_byte)
        )

    def _document_parts(self, node: Node, depth: int) -> list[Part]:
        return [self._part(child, depth, is_quoted=True) for child in node.children if child.type != "heredoc_content"]

    # --- tests

    def _test(self, node: Node, depth: int) -> Tree:
        opening = node.children[0].type
        words: list[RawWord] = []
        numbers: list[RawWord] = []
        if opening == "[":
            self._flatten(node, words, depth)
            return Simple((), tuple(words), (), node.start_byte, node.end_byte)
        if opening != "[[":
            raise self._stop(node, "arithmetic command")
        for child in node.children[1:-1]:
            self._expression(child, words, numbers, depth + 1)
        return Test(tuple(words), tuple(numbers), node.start_byte, node.end_byte)

    def _flatten(self, node: Node, words: list[RawWord], depth: int) -> None:
        if depth > DEPTH:
            raise self._stop(node, "nesting")
        for child in node.children:
            if child.type in ("binary_expression", "unary_expression", "negation_expression"):
                self._flatten(child, words, depth + 1)
            elif child.type in _WORDS:
                words.append(self._word(child, depth))
            elif child.type in ("[", "]", "!", "=", "==", "!="):
                words.append(RawWord((Text(child.type, is_quoted=False),), child.start_byte, child.end_byte))
            else:
                raise self._stop(child)

    def _expression(self, node: Node, words: list[RawWord], numbers: list[RawWord], depth: int) -> None:
        if depth > DEPTH:
            raise self._stop(node, "nesting")
        if node.type in ("binary_expression", "unary_expression", "parenthesized_expression", "negated_command"):
            operators = {self._text(child) for child in node.children if child.type == "test_operator"}
            target = numbers if operators & _NUMBER_TESTS else words
            for child in node.children:
                self._expression(child, target, numbers, depth + 1)
        elif node.type == "test_operator":
            if self._text(node) not in _NUMBER_TESTS | _TEXT_TESTS | _FILE_TESTS:
                raise self._stop(node, f"test {self._text(node)}")
        elif node.type in _WORDS:
            words.append(self._word(node, depth))
        elif node.type not in _TEXT_TESTS:
            raise self._stop(node)

    # --- words

    def _word(self, node: Node, depth: int) -> RawWord:
        if node.type not in _WORDS:
            raise self._stop(node)
        return RawWord(merged(self._parts(node, depth)), node.start_byte, node.end_byte)

    def _parts(self, node: Node, depth: int) -> Iterator[Part]:
        if node.type == "concatenation":
            at = node.start_byte
            for child in node.children:
                if child.start_byte != at:
                    raise self._stop(node, "word with a gap")
                at = child.end_byte
                yield from self._parts(child, depth)
        elif node.type == "string":
            yield Text("", is_quoted=True)
            yield from self._quoted(node, depth)
        elif node.type in ("word", "number", "extglob_pattern", "regex", "test_operator"):
            yield from self._bare(node)
        elif node.type == "raw_string":
            yield Text(self._text(node)[1:-1], is_quoted=True)
        elif node.type == "ansi_c_string":
            yield Text(self._ansi(node), is_quoted=True)
        else:
            yield self._part(node, depth, is_quoted=False)

    def _quoted(self, node: Node, depth: int) -> Iterator[Part]:
        at = node.start_byte + 1
        for child in node.children[1:-1]:
            # Blanks between two expansions belong to the text, though the grammar has no node for them.
            yield Text(self._line[at : child.start_byte].decode(), is_quoted=True)
            at = child.end_byte
            if child.type == "$":
                yield Text("$", is_quoted=True)
            elif child.type == "string_content":
                yield Text(re.sub(r'\\([$`"\\]|\n)', _unescaped, self._text(child)), is_quoted=True)
            else:
                yield self._part(child, depth, is_quoted=True)
        yield Text(self._line[at : node.end_byte - 1].decode(), is_quoted=True)

    def _bare(self, node: Node) -> Iterator[Part]:
        text = self._text(node)
        for child in node.children:
            raise self._stop(child)
        for piece in re.findall(r"\\.|[^\\]+|\\", text, re.DOTALL):
            if piece == "\\" or piece == "\\\n" or ("\n" in piece and piece[0] != "\\"):
                raise self._stop(node, "backslash at the end of a line")
            yield Text(piece[1:], is_quoted=True) if piece[0] == "\\" else Text(piece, is_quoted=False)

    def _ansi(self, node: Node) -> str:
        text = self._text(node)[2:-1]
        if re.search(r"\\[^nrt\\'\"]", text):
            raise self._stop(node, "escapes in $'…'")
        return re.sub(r"\\(.)", lambda found: _ESCAPES[found[1]], text)

    def _part(self, node: Node, depth: int, *, is_quoted: bool) -> Part:
        match node.type:
            case "simple_expansion":
                return Variable(self._text(node)[1:], is_quoted)
            case "expansion":
                return self._expansion(node, is_quoted=is_quoted)
            case "command_substitution" if node.children[0].type in ("$(", "`"):
                body = self.block(node, "maybe", depth + 1, ("$(", ")", "`"))
                return Substitution(body, is_quoted)
            case "process_substitution" if node.children[0].type == "<(" and not is_quoted:
                return Substitution(self.block(node, "maybe", depth + 1, ("<(", ")")), is_quoted, is_pipe=True)
            case "arithmetic_expansion" if node.children[0].type == "$((":
                return Number(tuple(self._arithmetic(node, depth + 1)))
            case _:
                raise self._stop(node)

    def _expansion(self, node: Node, *, is_quoted: bool) -> Variable:
        text = self._text(node)
        if found := re.fullmatch(r"\$\{(\w+)\}", text):
            return Variable(found[1], is_quoted)
        # Lengths, cut-off ends and plain defaults; no `@`, `!`, indexes, substrings or patterns with expansions.
        if found := re.fullmatch(r"\$\{(?:#(\w+)|(\w+)(?:##?|%%?|:?-)[\w./*?:,+ -]*)\}", text):
            return Variable(found[1] or found[2], is_quoted, is_derived=True)
        raise self._stop(node, "parameter expansion")

    def _arithmetic(self, node: Node, depth: int) -> Iterator[str]:
        if depth > DEPTH:
            raise self._stop(node, "nesting")
        for child in node.children:
            if child.type in _ARITHMETIC:
                yield from self._arithmetic(child, depth + 1)
            elif child.type == "number" and self._text(child).isdigit():
                continue
            elif child.type == "variable_name" or (child.type == "simple_expansion" and child.child_count == 2):
                yield self._text(child).removeprefix("$")
            elif child.type not in _ARITHMETIC_SIGNS | {"$((", "))"}:
                raise self._stop(child, "arithmetic")


_SURE = {"compound_statement"}
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


def _unescaped(found: re.Match[str]) -> str:
    return "" if found[1] == "\n" else found[1]


def merged(parts: Iterator[Part]) -> tuple[Part, ...]:
    """The same parts with neighbouring texts of a kind in one."""
    found: list[Part] = []
    for part in parts:
        last = found[-1] if found else None
        if isinstance(part, Text) and isinstance(last, Text) and part.is_quoted == last.is_quoted:
            found[-1] = Text(last.value + part.value, part.is_quoted)
        else:
            found.append(part)
    # An empty quotation beside something else changes nothing but that the word exists.
    return tuple(part for part in found if len(found) == 1 or not (isinstance(part, Text) and part.value == ""))
