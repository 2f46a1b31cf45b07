"""sed's scripts: read command by command; those that write files or run programs have no place here."""

import re

from planact.model.rights.classification import CommandClass
from planact.shell.table import CallRefused, CommandCall, Judge
from planact.shell.words import ShellWord

_LONE = frozenset("pPdDgGhHnNx=lzF")
_NUMBER = re.compile(r"\d+")
_ADDRESS = re.compile(r"\$|\d+(?:~\d+)?|[+~]\d+")
_LABEL = re.compile(r"[ \t]*[\w.-]*")


class _NotRead(Exception):
    """The script isn't understood, or does more than reading."""


def check_sed(call: CommandCall, judge: Judge) -> CommandClass | None:
    """Return another class for temporary files that it changes. Raises Refused for scripts that may do more than print,
    and for other files.
    """
    scripts, files = list(call.values("-e", "--expression")), list(call.arguments)
    if not scripts:
        scripts, files = files[:1], files[1:]
    if call.has("-i", "--in-place"):
        if judge.are_in_scratch(files):
            return "unknown"
        raise CallRefused("sed", "`sed -i` changes files", call.name, "mutating")
    if not scripts:
        return None
    if not all(script.is_exact for script in scripts):
        raise CallRefused("sed", "a script of sed that only running can tell", scripts[0])
    try:
        _Script("\n".join(script.text for script in scripts)).read()
    except _NotRead:
        raise CallRefused("sed", "this sed script may write files or run programs", _whole(scripts)) from None
    for file in files:
        judge.read(file)
    return None


def _whole(scripts: list[ShellWord]) -> ShellWord:
    return ShellWord("", start=scripts[0].start, end=scripts[-1].end)


class _Script:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def read(self) -> None:
        """Raises _NotRead."""
        while self._skip(" \t\n;}") < len(self._text):
            if self._peek() == "#":
                self._to_line_end()
                continue
            self._addresses()
            self._command()

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _skip(self, characters: str) -> int:
        while self._peek() and self._peek() in characters:
            self._at += 1
        return self._at

    def _match(self, pattern: re.Pattern[str]) -> bool:
        found = pattern.match(self._text, self._at)
        if found:
            self._at = found.end()
        return bool(found)

    def _to_line_end(self) -> str:
        end = self._text.find("\n", self._at)
        end = len(self._text) if end < 0 else end
        line, self._at = self._text[self._at : end], end
        return line

    def _addresses(self) -> None:
        if self._address():
            self._skip(" \t")
            if self._peek() == ",":
                self._at += 1
                self._skip(" \t")
                if not self._address():
                    raise _NotRead
        self._skip(" \t!")

    def _address(self) -> bool:
        if self._match(_ADDRESS):
            return True
        if self._peek() == "\\":
            self._at += 1
        elif self._peek() != "/":
            return False
        delimiter = self._peek()
        self._at += 1
        self._until(delimiter, is_regex=True)
        self._skip("IM")
        return True

    def _command(self) -> None:
        name = self._peek()
        self._at += 1
        if name == "{":
            return
        if name == "s":
            self._substitute()
        elif name == "y":
            delimiter = self._delimiter()
            self._until(delimiter)
            self._until(delimiter)
        elif name in ("a", "i", "c"):
            self._insert()
            return
        elif name in ("b", "t", "T", ":"):
            self._match(_LABEL)
        elif name in ("q", "Q", "l", "L"):
            self._skip(" \t")
            self._match(_NUMBER)
        elif not name or name not in _LONE:
            raise _NotRead
        self._skip(" \t")
        if self._peek() not in ("", "\n", ";", "}", "#"):
            raise _NotRead

    def _delimiter(self) -> str:
        delimiter = self._peek()
        if not delimiter or delimiter in "\\\n":
            raise _NotRead
        self._at += 1
        return delimiter

    def _substitute(self) -> None:
        delimiter = self._delimiter()
        self._until(delimiter, is_regex=True)
        self._until(delimiter)
        # `e` would run what was put, `w` would write it.
        self._skip("gpiIm0123456789M")

    def _until(self, delimiter: str, *, is_regex: bool = False) -> None:
        start = self._at
        while self._peek() != delimiter:
            if self._peek() in ("", "\n"):
                raise _NotRead
            self._at += 2 if self._peek() == "\\" else 1
        # Seds differ on whether a delimiter between brackets ends the expression.
        if is_regex and _has_open_bracket(self._text[start : self._at]):
            raise _NotRead
        self._at += 1

    def _insert(self) -> None:
        """Text to the end of the line, or of the next one behind a backslash; never over more lines."""
        line = self._to_line_end().lstrip(" \t")
        if line == "\\":
            self._at += 1
            line = self._to_line_end()
        if line.endswith("\\"):
            raise _NotRead


def _has_open_bracket(regex: str) -> bool:
    at = 0
    while at < len(regex):
        if regex[at] == "\\":
            at += 2
        elif regex[at] == "[":
            found = re.compile(r"\[\^?\]?(?:\[[:.=][^\]]*[:.=]\]|[^\]])*\]").match(regex, at)
            if not found:
                return True
            at = found.end()
        else:
            at += 1
    return False
