"""What a command line would do: parsed, judged, and believed to only read where two parsers agree on its commands.

A second parser is needed only for lines that `plain` doesn't cover, and asked only where it could confirm.
"""

import unicodedata

from planact.base.span import Span
from planact.model.classification import Classification, CommandClass, CommandTrait
from planact.shell.catalogue import CATALOGUE
from planact.shell.judge import Context, Finding, LineJudge
from planact.shell.parse import BashParser
from planact.shell.plain import commands_of, plain_commands
from planact.shell.read_words import DEPTH, Unreadable
from planact.shell.second_parser import SecondParser
from planact.shell.syntax import Block, reading

MAX_BYTES = 8_192
_ORDER: tuple[CommandClass, ...] = ("local-read", "net-read", "daemon-read", "unknown", "mutating")
_STRANGE = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"))


class Classifier:
    """Judges command lines for bash. Holds a parser: not to be shared between threads."""

    def __init__(self) -> None:
        self._parser = BashParser()

    def classify(self, line: str, *, second: SecondParser | None, context: Context) -> Classification:
        """Never raises, and takes time linear in the line, of which more than 8 KiB aren't looked at."""
        if problem := _unfit(line):
            return Classification("unknown", "input", problem, Span(0, len(line)))
        data = line.encode()
        try:
            tree = self._parser.parse(data)
        except Unreadable as found:
            reason = f"{found.construct} isn't judged"
            return Classification("unknown", "construct", reason, _span(data, found.start, found.end))
        judge = LineJudge(CATALOGUE, context, tree)
        judge.judge()
        decisive = _decisive(judge.findings)
        if decisive.cls not in ("unknown", "mutating") and not _is_confirmed(line, data, tree, second):
            reason = "no second parser confirms how the line is read"
            decisive = Finding("unknown", "second-parser", reason, 0, len(data))
        return Classification(
            decisive.cls,
            decisive.rule,
            decisive.reason,
            _span(data, decisive.start, decisive.end),
            _traits(judge),
            tuple(finding.program for finding in judge.findings if finding.program),
            tuple(judge.reads),
            tuple(judge.begins),
        )


def _unfit(line: str) -> str:
    """Why no parser gets to see it, or empty."""
    # No character is less than a byte: what is too long is not even encoded.
    if len(line) > MAX_BYTES:
        return f"longer than {MAX_BYTES} bytes"
    if not line.strip():
        return "an empty line"
    if not line.isascii() or not line.isprintable():
        for character in line:
            if character not in " \t\n" and unicodedata.category(character) in _STRANGE:
                return f"the character U+{ord(character):04X}, which is read in different ways"
        if len(line.encode()) > MAX_BYTES:
            return f"longer than {MAX_BYTES} bytes"
    return "nested too deeply" if _nesting(line) > DEPTH else ""


def _nesting(line: str) -> int:
    depth = deepest = 0
    for character in line:
        if character in "([{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in ")]}":
            depth = max(0, depth - 1)
    return deepest


def _decisive(findings: list[Finding]) -> Finding:
    if not findings:
        return Finding("unknown", "construct", "nothing that would run", 0, 0)
    strictest = max(findings, key=lambda finding: _ORDER.index(finding.cls))
    if strictest.cls in ("net-read", "daemon-read") and (problem := _mixed(findings)):
        reason = f"{problem}: run the commands apart"
        return Finding("unknown", "mixed", reason, findings[0].start, findings[-1].end)
    return strictest


def _mixed(findings: list[Finding]) -> str:
    """Why the commands of a line mustn't share a jail that lets them speak, or empty."""
    speaking = [finding for finding in findings if finding.cls in ("net-read", "daemon-read")]
    if len({finding.cls for finding in speaking}) > 1:
        return "it would need the network and a daemon at once"
    # A repository can have its programs started, and those could speak to the daemon or with the user's keys too.
    steered = next((finding for finding in findings if finding.is_configured), None)
    if steered and not all(finding.is_configured for finding in speaking):
        return f"files of the workspace may steer what `{steered.program}` starts, which must not speak to others"
    return ""


def _is_confirmed(line: str, data: bytes, tree: Block, second: SecondParser | None) -> bool:
    plain = plain_commands(line)
    if plain is not None and plain == commands_of(tree):
        return True
    return second is not None and second.read(data) == reading(tree)


def _traits(judge: LineJudge) -> frozenset[CommandTrait]:
    plain: set[CommandTrait] = {"plain"} if judge.is_plain else set()
    return frozenset(judge.traits | plain)


def _span(data: bytes, start: int, end: int) -> Span:
    return Span(len(data[:start].decode(errors="ignore")), len(data[:end].decode(errors="ignore")))
