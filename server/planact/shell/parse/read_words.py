"""Reads one word of tree-sitter's tree: quotes resolved, expansions kept, the rest refused unless allow-listed."""

import re
from collections.abc import Callable, Iterator

from tree_sitter import Node

from planact.base.text import word_set
from planact.shell.parse.syntax import Block, Number, RawWord, Substitution, Text, Variable, WordPart

DEPTH = 64
WORD_NODES = word_set(
    """
    word number string raw_string ansi_c_string concatenation simple_expansion expansion command_substitution
    process_substitution arithmetic_expansion brace_expression extglob_pattern regex test_operator
    """
)
_ARITHMETIC = word_set("binary_expression unary_expression parenthesized_expression ternary_expression")
_ARITHMETIC_SIGNS = word_set("+ - * / % ** ( ) < > <= >= == != && || ! ~ & | ^ << >> ? :")
_ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", "'": "'", '"': '"', "r": "\r", "0": "\0"}


class Unreadable(Exception):
    """A construct that isn't judged, and where it stands in bytes. Never leaves the package."""

    def __init__(self, construct: str, start: int, end: int) -> None:
        super().__init__(construct)
        self.construct, self.start, self.end = construct, start, end


class WordReader:
    """Words of one line. `read_block` reads the commands inside a substitution, at a depth, without some tokens."""

    def __init__(self, line: bytes, read_block: Callable[[Node, int, tuple[str, ...]], Block]) -> None:
        self._line = line
        self._read_block = read_block

    def text(self, node: Node) -> str:
        """The source of a node."""
        return self._line[node.start_byte : node.end_byte].decode()

    def stop(self, node: Node, construct: str = "") -> Unreadable:
        """Return the error to raise for a node."""
        return Unreadable(construct or node.type.replace("_", " "), node.start_byte, node.end_byte)

    def word(self, node: Node, depth: int) -> RawWord:
        """A whole word. Raises Unreadable."""
        if node.type not in WORD_NODES:
            raise self.stop(node)
        return RawWord(merge_texts(self._parts(node, depth)), node.start_byte, node.end_byte)

    def _parts(self, node: Node, depth: int) -> Iterator[WordPart]:
        if node.type == "concatenation":
            at = node.start_byte
            for child in node.children:
                if child.start_byte != at:
                    raise self.stop(node, "word with a gap")
                at = child.end_byte
                yield from self._parts(child, depth)
        elif node.type == "string":
            yield Text("", is_quoted=True)
            yield from self._quoted(node, depth)
        elif node.type in ("word", "number", "extglob_pattern", "regex", "test_operator"):
            yield from self._bare(node)
        elif node.type == "brace_expression":
            yield Text(self.text(node), is_quoted=False)
        elif node.type == "raw_string":
            yield Text(self.text(node)[1:-1], is_quoted=True)
        elif node.type == "ansi_c_string":
            yield Text(self._ansi(node), is_quoted=True)
        else:
            yield self.part(node, depth, is_quoted=False)

    def _quoted(self, node: Node, depth: int) -> Iterator[WordPart]:
        at = node.start_byte + 1
        for child in node.children[1:-1]:
            # Blanks between two expansions belong to the text, though the grammar has no node for them.
            yield Text(self._line[at : child.start_byte].decode(), is_quoted=True)
            at = child.end_byte
            if child.type == "$":
                yield Text("$", is_quoted=True)
            elif child.type == "string_content":
                yield Text(re.sub(r'\\([$`"\\]|\n)', _unescaped, self.text(child)), is_quoted=True)
            else:
                yield self.part(child, depth, is_quoted=True)
        yield Text(self._line[at : node.end_byte - 1].decode(), is_quoted=True)

    def _bare(self, node: Node) -> Iterator[WordPart]:
        text = self.text(node)
        for child in node.children:
            raise self.stop(child)
        for piece in re.findall(r"\\.|[^\\]+|\\", text, re.DOTALL):
            if piece == "\\" or piece == "\\\n" or ("\n" in piece and piece[0] != "\\"):
                raise self.stop(node, "backslash at the end of a line")
            yield Text(piece[1:], is_quoted=True) if piece[0] == "\\" else Text(piece, is_quoted=False)

    def _ansi(self, node: Node) -> str:
        text = self.text(node)[2:-1]
        if re.search(r"\\[^nrt\\'\"]", text):
            raise self.stop(node, "escapes in $'…'")
        return re.sub(r"\\(.)", lambda found: _ESCAPES[found[1]], text)

    def part(self, node: Node, depth: int, *, is_quoted: bool) -> WordPart:
        """An expansion. Raises Unreadable."""
        match node.type:
            case "simple_expansion":
                return Variable(self.text(node)[1:], is_quoted)
            case "expansion":
                return self._expansion(node, is_quoted=is_quoted)
            case "command_substitution" if node.children[0].type in ("$(", "`"):
                body = self._read_block(node, depth + 1, ("$(", ")", "`"))
                return Substitution(body, is_quoted)
            case "process_substitution" if node.children[0].type == "<(" and not is_quoted:
                return Substitution(self._read_block(node, depth + 1, ("<(", ")")), is_quoted, is_pipe=True)
            case "arithmetic_expansion" if node.children[0].type == "$((":
                return Number(tuple(self._arithmetic(node, depth + 1)))
            case _:
                raise self.stop(node)

    def _expansion(self, node: Node, *, is_quoted: bool) -> Variable:
        text = self.text(node)
        if found := re.fullmatch(r"\$\{(\w+)\}", text):
            return Variable(found[1], is_quoted)
        # Lengths, cut-off ends and plain defaults; no `@`, `!`, indexes, substrings or patterns with expansions.
        if found := re.fullmatch(r"\$\{(?:#(\w+)|(\w+)(?:##?|%%?|:?-)[\w./*?:,+ -]*)\}", text):
            return Variable(found[1] or found[2], is_quoted, is_derived=True)
        raise self.stop(node, "parameter expansion")

    def _arithmetic(self, node: Node, depth: int) -> Iterator[str]:
        if depth > DEPTH:
            raise self.stop(node, "nesting")
        for child in node.children:
            if child.type in _ARITHMETIC:
                yield from self._arithmetic(child, depth + 1)
            elif child.type == "number" and self.text(child).isdigit():
                continue
            elif child.type == "variable_name" or (child.type == "simple_expansion" and child.child_count == 2):
                yield self.text(child).removeprefix("$")
            elif child.type not in _ARITHMETIC_SIGNS | {"$((", "))"}:
                raise self.stop(child, "arithmetic")


def _unescaped(found: re.Match[str]) -> str:
    return "" if found[1] == "\n" else found[1]


def merge_texts(parts: Iterator[WordPart]) -> tuple[WordPart, ...]:
    """Return the parts with neighbouring texts of a kind in one."""
    found: list[WordPart] = []
    for part in parts:
        last = found[-1] if found else None
        if isinstance(part, Text) and isinstance(last, Text) and part.is_quoted == last.is_quoted:
            found[-1] = Text(last.value + part.value, part.is_quoted)
        else:
            found.append(part)
    # An empty quotation only makes the word exist, also beside other parts.
    return tuple(part for part in found if len(found) == 1 or not (isinstance(part, Text) and part.value == ""))
