"""The block of a file that is closest to one that isn't in it, told so that a model can repair its edit.

For messages only: edits are never made by likeness.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from planact.base.span import line_spans
from planact.tools.edit.indentation import blanks
from planact.tools.edit.matching import BLANKS, normalized, without_indentation

_WORD = re.compile(r"\w{2,40}")
_MOST_NOTES = 8
_MOST_CHARACTERS = 120
_MOST_VOTES = 400_000
_MOST_PLACES = 100


def explain(text: str, old: str) -> str:
    """Return the closest block with a note for each line that differs; empty when no block resembles it."""
    file = [text[span.start : span.end] for span in line_spans(text)]
    if not file[-1]:
        file.pop()
    sent = normalized(old).removesuffix("\n").split("\n")
    at = _closest(file, sent)
    if at is None:
        return ""
    first, last = max(at, 0), min(at + len(sent), len(file))
    is_block = last - first > 1
    notes = [
        f"line {number + 1}: {note}" if is_block else note
        for number in range(first, last)
        if (note := _note(file[number], sent[number - at]))
    ]
    shown = [*notes[:_MOST_NOTES], *([f"and {len(notes) - _MOST_NOTES} more"] if len(notes) > _MOST_NOTES else [])]
    beyond = [f"the file ends at line {len(file)}"] if at + len(sent) > len(file) else []
    place = f"lines {first + 1}-{last}" if is_block else f"line {last}"
    return f"The closest place is {place}: " + "; ".join((*shown, *beyond))


def _closest(file: Sequence[str], sent: Sequence[str]) -> int | None:
    """The line where the block would begin; each line and word in common votes for a beginning."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for number, line in enumerate(sent):
        for word in {without_indentation(line), *_WORD.findall(line[:1000])} - {""}:
            if len(places[word]) < _MOST_PLACES:
                places[word].append(number)
    votes: Counter[int] = Counter()
    budget = _MOST_VOTES
    for number, line in enumerate(file):
        words = {without_indentation(line), *_WORD.findall(line[:1000])} & places.keys()
        for word in words:
            votes.update({number - at: len(word) for at in places[word]})
            budget -= len(places[word])
        if budget < 0:
            break
    if not votes:
        return None
    # The earliest of the best; a block in which nearly nothing is alike is of no help.
    best = max(votes, key=lambda at: (votes[at], -at))
    return best if 3 * votes[best] >= sum(len(word) for line in sent for word in _WORD.findall(line[:1000])) else None


def _note(file: str, sent: str) -> str:
    if file == sent:
        return ""
    if without_indentation(file) != without_indentation(sent):
        return f"file has {_shown(file)}, you sent {_shown(sent)}"
    if blanks(file) != blanks(sent) and file.strip(BLANKS):
        return f"file has {_counted(blanks(file))}, you sent {_counted(blanks(sent))}"
    if file.rstrip(BLANKS) == sent.rstrip(BLANKS):
        return "trailing blanks differ"
    different = [(a, b) for a, b in zip(file.strip(BLANKS), sent.strip(BLANKS), strict=False) if a != b]
    return f"file has {_named(different[0][0])}, you sent {_named(different[0][1])}" if different else ""


def _shown(line: str) -> str:
    return repr(line if len(line) <= _MOST_CHARACTERS else line[:_MOST_CHARACTERS] + "…")


def _named(character: str) -> str:
    return f"{character!r} (U+{ord(character):04X})"


def _counted(indentation: str) -> str:
    names = {"\t": "tab", " ": "space"}
    runs = re.findall(r"\t+| +", indentation)
    said = [f"{'a' if len(run) == 1 else len(run)} {names[run[0]]}{'s' * (len(run) > 1)}" for run in runs]
    return " and ".join(said) or "no indentation"
