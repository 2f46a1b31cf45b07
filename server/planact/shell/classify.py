"""Classification of a command line: parsed, judged, and believed to only read where two parsers agree on its commands.

A second parser is needed only for lines that `plain` doesn't cover, and asked only where it could confirm.
"""

import re
import unicodedata
from functools import lru_cache
from typing import get_args

from planact.base.span import Span
from planact.model.rights.classification import Classification, CommandClass, CommandTrait
from planact.shell.catalogue import CATALOGUE
from planact.shell.elsewhere import named_change
from planact.shell.finding import CommandFinding
from planact.shell.judge import LineContext, LineJudge
from planact.shell.parse.bash import BashParser
from planact.shell.parse.plain import commands_of, plain_commands
from planact.shell.parse.read_words import DEPTH, Unreadable
from planact.shell.parse.second_parser import SecondParser
from planact.shell.parse.syntax import Block, reading
from planact.shell.words import ShellWord

MAX_BYTES = 8_192
_ORDER: tuple[CommandClass, ...] = get_args(CommandClass)
_ONLY_IN_WORKTREE = frozenset(("git apply", "git clean", "git format-patch"))
"""Commands of git that change files without a trace in its own ones, at least without further options."""

_STRANGE = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"))


class Classifier:
    """Judges command lines for bash. Holds a parser: not to be shared between threads."""

    def __init__(self) -> None:
        self._parser = BashParser()

    def classify(self, line: str, *, second: SecondParser | None, context: LineContext) -> Classification:
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
        decisive = _decisive(judge)
        if decisive.cls not in ("unknown", "mutating") and not _is_confirmed(line, data, tree, second):
            reason = "no second parser confirms how the line is read"
            decisive = CommandFinding("unknown", "second-parser", reason, 0, len(data))
        return Classification(
            decisive.cls,
            decisive.rule,
            decisive.reason,
            _span(data, decisive.start, decisive.end),
            _traits(judge),
            tuple(finding.program for finding in judge.findings if finding.program),
            tuple(judge.reads),
            tuple(judge.begins),
            tuple(sorted({*judge.servers})),
            outside=tuple(judge.outside),
            goes_up=judge.goes_up,
            is_unread=judge.is_unread or any(finding.cls == "unknown" for finding in judge.findings),
        )


def _unfit(line: str) -> str:
    """Return the reason why no parser gets the line, or empty."""
    # A character has at least one byte, so a line that is too long needs no encoding.
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


def _decisive(judge: LineJudge) -> CommandFinding:
    findings = judge.findings
    if not findings:
        return CommandFinding("unknown", "construct", "nothing that would run", 0, 0)
    strictest = max(findings, key=lambda finding: _ORDER.index(finding.cls))
    if strictest.jail not in ("", "local-read") and (problem := _mixed(judge)):
        reason = f"{problem}: run the commands apart"
        return CommandFinding("unknown", "mixed", reason, findings[0].start, findings[-1].end)
    return strictest


def _mixed(judge: LineJudge) -> str:
    """Return the reason why the commands of a line mustn't share the jail that one of them needs, or an empty text.

    The whole line runs in one jail. So a command that uses the network or a daemon may stand only beside commands that
    need the same jail, or that can't run any code but their own.
    """
    speaking = {finding.jail for finding in judge.findings if finding.jail != "local-read"}
    if len(speaking) > 1:
        return "the line would need two kinds of network access at once"
    strange = next((each for each in judge.findings if each.jail == "local-read" and not each.is_inert), None)
    if strange:
        return f"`{strange.rule}` may run code or open files that the line doesn't name, so not beside the network"
    if judge.is_unsure and speaking != {"registry-read"}:
        return "a word that is known only when it runs may tell the network a key or a file of your home"
    if speaking == {"registry-read"} and (judge.reads or judge.begins):
        return "package managers ask the network from outside the workspace, where its files can't be read"
    return ""


def _is_confirmed(line: str, data: bytes, tree: Block, second: SecondParser | None) -> bool:
    plain = plain_commands(line)
    if plain is not None and plain == commands_of(tree):
        return True
    return second is not None and second.read(data) == reading(tree)


def _traits(judge: LineJudge) -> frozenset[CommandTrait]:
    plain: set[CommandTrait] = {"plain"} if judge.is_plain else set()
    repository: set[CommandTrait] = {"repository"} if any(map(_changes_repository, judge.findings)) else set()
    is_beside = any(map(_reads_repository, judge.findings)) and any(map(_speaks, judge.findings))
    beside: set[CommandTrait] = {"beside-git"} if is_beside else set()
    return frozenset(judge.traits | plain | repository | beside)


def _changes_repository(finding: CommandFinding) -> bool:
    return finding.program == "git" and finding.cls == "mutating" and finding.rule not in _ONLY_IN_WORKTREE


def _reads_repository(finding: CommandFinding) -> bool:
    return finding.program == "git" and finding.jail == "local-read"


def _speaks(finding: CommandFinding) -> bool:
    return finding.jail not in ("", "local-read")


def _span(data: bytes, start: int, end: int) -> Span:
    return Span(len(data[:start].decode(errors="ignore")), len(data[:end].decode(errors="ignore")))


_ANYWHERE = LineContext("/", ("/",))
_BETWEEN_COMMANDS = re.compile(r"[;|&()`'\"<>{}\n]+|\$\(")


@lru_cache(maxsize=256)
def changes_infrastructure(line: str) -> bool:
    """Tell if a command of the line does so.

    Where the line can't be judged to its end, a command counts that seems to stand in it, as in a text for another
    shell.
    """
    found = Classifier().classify(line, second=None, context=_ANYWHERE)
    if "infrastructure" in found.traits:
        return True
    return found.cls in ("unknown", "mutating") and any(map(_seems_to, _BETWEEN_COMMANDS.split(line)))


def _seems_to(part: str) -> bool:
    words = part.split()
    while words and "=" in words[0]:
        del words[0]
    return bool(named_change([ShellWord(word) for word in words]))
