"""awk's programs: read token by token; output anywhere but to standard output, and commands, have no place here."""

import re

from planact.shell.table import CallRefused, CommandCall, Judge

# Also where a string or a regular expression only mentions them: a mistake about their end would cost too much.
_FORBIDDEN = re.compile(
    r"system(?:\s|\\\n)*\(|getline|ARG[VC]|SYMTAB|/inet|@[ \t]*(?:load|include|namespace)|\|[ \t]*&"
)
_TOKEN = re.compile(
    r"""(?P<blank>[ \t]+|\\\n)
    | (?P<line>\n|\#[^\n]*)
    | (?P<string>"(?:[^"\\\n]|\\.)*")
    | (?P<name>[A-Za-z_]\w*)
    | (?P<number>\d[\w.]*|\.\d+)
    | (?P<sign>\+\+|--|&&|\|\||[<>=!]=|!~|[-+*/%^]=|\*\*|>>|[-+*/%^<>=!~?:,;(){}\[\]$|&@])
    """,
    re.VERBOSE | re.DOTALL,
)
_REGEX = re.compile(r"/(?:[^/\\\n\[]|\\.|\[\^?\]?(?:\[:\w+:\]|[^\]\n])*\])*/")
_SORT = re.compile(r'[ \t]*"sort(?: -[bdfhnru]+| -k ?[\d,.nr]+)*"(?=[ \t]*(?:[;\n}]|\Z))')
_OPERANDS = {")", "]", "$", "++", "--"}
_CONTINUES = {",", "{", "&&", "||", "do", "else"}
_TAKES_REGEX = {"print", "printf", "return", "case", "in", "if", "while"}


class _NotRead(Exception):
    """The program isn't understood, or does more than printing."""


def check_awk(call: CommandCall, judge: Judge) -> None:
    """Raise Refused for programs that may do more than print."""
    if not call.arguments:
        return
    if any("ENVIRON" in word.text for word in call.arguments):
        judge.open_more()
    program, *files = call.arguments
    if not program.is_exact:
        raise CallRefused("awk", "a program of awk that only running can tell", program)
    try:
        _Program(program.text).read()
    except _NotRead:
        raise CallRefused("awk", "this awk program may write files or run programs", program) from None
    for file in files:
        if file.text.startswith("/inet") or (not file.is_exact and file.text in "/inet"[1:]):
            continue
        judge.read(file)
    if any(file.text.startswith("/inet") for file in files):
        raise CallRefused("awk", "awk connects to the network for such a name", files[0])


class _Program:
    """`_printing`: the depth of parentheses at which a `print` began, where `>` writes; -1 outside one."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._last = ""
        self._is_operand = False
        self._depth = 0
        self._printing = -1

    def read(self) -> None:
        """Raises _NotRead."""
        if _FORBIDDEN.search(self._text):
            raise _NotRead
        while self._at < len(self._text):
            if self._text[self._at] == "/" and not self._is_operand:
                self._regex()
                continue
            token = _TOKEN.match(self._text, self._at)
            if token is None:
                raise _NotRead
            self._at = token.end()
            if token.lastgroup == "line":
                self._line_end()
            elif token.lastgroup != "blank":
                self._token(token[0], token.lastgroup or "")

    def _regex(self) -> None:
        found = _REGEX.match(self._text, self._at)
        if found is None:
            raise _NotRead
        self._at = found.end()
        self._last, self._is_operand = "/", True

    def _line_end(self) -> None:
        if self._last not in _CONTINUES:
            self._printing, self._last, self._is_operand = -1, "\n", False

    def _token(self, text: str, kind: str) -> None:
        if kind == "sign":
            self._sign(text)
        elif text in ("print", "printf"):
            self._printing = self._depth
        # A slash here may divide or begin an expression: only sure where nothing could hide.
        if text == "length" and re.match(r"[ \t]*/", self._text[self._at :]):
            raise _NotRead
        if text == "/" and self._last == ")" and '"' in self._text[self._at :]:
            raise _NotRead
        self._last = text
        self._is_operand = text in _OPERANDS if kind == "sign" else text not in _TAKES_REGEX

    def _sign(self, text: str) -> None:
        if text == "|" and (sort := _SORT.match(self._text, self._at)):
            self._at = sort.end()
            self._last = "string"
        elif text in ("|", "&", "@"):
            raise _NotRead
        writes = self._printing >= 0 and self._depth <= self._printing
        if text == ">>" or (text == ">" and writes):
            raise _NotRead
        if text in "([":
            self._depth += 1
        elif text in ")]":
            self._depth -= 1
        elif text in (";", "}"):
            self._printing = -1
