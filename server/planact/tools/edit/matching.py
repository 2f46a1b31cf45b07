"""Find a block of text in a file: exactly, or unambiguously but for blanks, typography or indentation.

Nothing here measures similarity. Each tier sees the whole text, and the first tier with any hit decides.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from planact.base.span import Span, line_spans

Tier = Literal["exact", "trailing blanks", "punctuation", "indentation"]

MOST_SHOWN = 20
"""Hits are counted up to here: collecting all that overlap would hang on a long line."""

Hit = tuple[Span, ...]
"""Where each line of the block stands in the text, line endings excluded."""

BLANKS = " \t"
_PUNCTUATION = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′", "'"),
        **dict.fromkeys("“”„‟″", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        **dict.fromkeys(
            "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "
        ),
    }
)


def _as_it_is(line: str) -> str:
    return line


def _without_trailing_blanks(line: str) -> str:
    return line.rstrip(BLANKS)


def _without_typography(line: str) -> str:
    return line.translate(_PUNCTUATION).rstrip(BLANKS)


def without_indentation(line: str) -> str:
    """Return the form that the most tolerant tier compares."""
    return line.translate(_PUNCTUATION).strip(BLANKS)


# Each gives a prefix of its line, character for character: that is what keeps offsets simple.
_PREFIXES: tuple[tuple[Tier, Callable[[str], str]], ...] = (
    ("exact", _as_it_is),
    ("trailing blanks", _without_trailing_blanks),
    ("punctuation", _without_typography),
)
_TIERS = (*_PREFIXES, ("indentation", without_indentation))


@dataclass(frozen=True, slots=True)
class MatchResult:
    """All hits of one tier, up to the limit that was asked for."""

    tier: Tier
    hits: tuple[Hit, ...]


def normalized(text: str) -> str:
    r"""`text` with `\n` as its only line ending."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def find_text(text: str, old: str, limit: int | None) -> MatchResult | None:
    """Hits of `old`, which may begin and end within a line, or None.

    With a `limit`, hits may overlap (they show how many places are meant); without, they are all and don't.
    """
    block = normalized(old).split("\n")
    for tier, key in _PREFIXES:
        hits = _hits(_view(text, key), block, key, limit)
        if hits:
            return MatchResult(tier, hits)
    is_open = block[-1] != ""
    lines = line_spans(text)
    places = find_lines([text[line.start : line.end] for line in lines], block if is_open else block[:-1], limit)
    if places is None or places[0] != "indentation":
        return None
    after = () if is_open else (Span(0, 0),)
    hits = tuple(_whole_lines(lines, at, len(block) - len(after), is_open=is_open) for at in places[1])
    return MatchResult("indentation", tuple(hit for hit in hits if hit)) if any(hits) else None


def find_lines(
    lines: Sequence[str], block: Sequence[str], limit: int | None, first: int = 0
) -> tuple[Tier, tuple[int, ...]] | None:
    """The numbers (from 0) of lines where `block` stands as whole lines, from line `first` on, and in which tier."""
    for tier, key in _TIERS:
        wanted = [key(line) for line in block]
        if tier != "exact" and not any(wanted):
            return None
        keys = [key(line) for line in lines[first:]]
        text, needle = "\n".join(("", *keys, "")), "\n".join(("", *wanted, ""))
        starts = _starts(keys)
        # The line break before a block is shared with the block before it.
        offsets = _occurrences(text, needle, 1 if limit else len(needle) - 1, limit)
        places = tuple(first + bisect_right(starts, offset) - 1 for offset in offsets)
        if places:
            return tier, places
    return None


@dataclass(frozen=True, slots=True)
class _View:
    """A text as one tier sees it; `starts` are its lines' beginnings there, `raw` the lines in the text itself."""

    text: str
    starts: Sequence[int]
    raw: Sequence[Span]

    def to_raw(self, start: int, end: int) -> Span:
        """A part of one line; one that reaches the line's end has what the tier ignores there as well."""
        line = bisect_right(self.starts, start) - 1
        shift = self.raw[line].start - self.starts[line]
        is_whole = self.text[end : end + 1] in ("", "\n") and len(self.starts) > 1
        return Span(start + shift, self.raw[line].end if is_whole else end + shift)


def _view(text: str, key: Callable[[str], str]) -> _View:
    if key is _as_it_is and "\r" not in text:
        return _View(text, (0,), (Span(0, len(text)),))
    spans = line_spans(text)
    keys = [key(text[span.start : span.end]) for span in spans]
    return _View("\n".join(keys), _starts(keys), spans)


def _starts(lines: Sequence[str]) -> list[int]:
    starts = [0]
    for line in lines[:-1]:
        starts.append(starts[-1] + len(line) + 1)
    return starts


def _hits(view: _View, block: Sequence[str], key: Callable[[str], str], limit: int | None) -> tuple[Hit, ...]:
    keys = [key(line) for line in block]
    wanted = "\n".join(keys)
    if not (wanted if key is _as_it_is else wanted.strip()):
        return ()
    # A block that lost trailing blanks must not match in the middle of a longer line.
    end = "\n" if len(keys[-1]) < len(block[-1]) else ""
    hits: list[Hit] = []
    for offset in _occurrences(view.text + end, wanted + end, 1 if limit else len(wanted), limit):
        at = [offset + start for start in _starts(keys)]
        hits.append(tuple(view.to_raw(start, start + len(line)) for start, line in zip(at, keys, strict=True)))
    return tuple(hits)


def _occurrences(text: str, needle: str, step: int, limit: int | None) -> Iterator[int]:
    at = text.find(needle)
    count = 0
    while at >= 0 and (limit is None or count < limit):
        yield at
        count += 1
        at = text.find(needle, at + step)


def _whole_lines(lines: Sequence[Span], at: int, count: int, *, is_open: bool) -> Hit:
    block = tuple(lines[at : at + count])
    if is_open:
        return block
    if at + count == len(lines):
        return ()  # the block ends with a line break, and the text doesn't
    start = lines[at + count].start
    return (*block, Span(start, start))
