"""A small notation for phrases of a language, and its matcher over words.

In the notation, words in a row are a sequence, `|` is a choice, `( )` groups, `?` and `*` follow the word or group that
may be missing or repeated, and a NAME in capitals stands for a phrase defined before it. A Chinese character is a word.
There is no recursion, and the matcher follows all places of a text at once, so no text makes it slow. A choice tries
only the parts that can begin with a word that is there.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

_PIECE = re.compile(r"[()|?*]|[^\s()|?*]+")
_NAME = re.compile(r"[A-Z][A-Z_]*\Z")
_WORD = re.compile(r"[a-z]+|.")


@dataclass(frozen=True, slots=True)
class PhraseWord:
    """One word, or one character of a script that does not space its words."""

    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """One part after the other."""

    parts: "tuple[Phrase, ...]"


@dataclass(frozen=True, slots=True)
class PhraseChoice:
    """Any of the parts, each with the words that it can begin with, or None where it may be empty."""

    parts: "tuple[tuple[frozenset[str] | None, Phrase], ...]"


@dataclass(frozen=True, slots=True)
class Maybe:
    """The part, or no word."""

    part: "Phrase"


@dataclass(frozen=True, slots=True)
class Many:
    """The part any number of times, also none."""

    part: "Phrase"


Phrase = PhraseWord | Row | PhraseChoice | Maybe | Many


def read_phrases(definitions: Mapping[str, str]) -> dict[str, Phrase]:
    """The phrases that the definitions write down, each able to name those before it.

    Raises:
        ValueError: a definition does not follow the notation, or names a phrase that is not defined yet.
    """
    known: dict[str, Phrase] = {}
    for name, notation in definitions.items():
        pieces = _PIECE.findall(notation)
        phrase, rest = _choice(pieces, 0, known)
        if rest != len(pieces):
            raise ValueError(f"{name}: unexpected {pieces[rest]!r}")
        known[name] = phrase
    return known


def one_of(*parts: Phrase) -> PhraseChoice:
    """Return a choice of the parts."""
    return PhraseChoice(tuple((_first_words(part), part) for part in parts))


def words_of(notations: Iterable[str]) -> frozenset[str]:
    """Return every word that the phrases use."""
    pieces = (piece for notation in notations for piece in _PIECE.findall(notation))
    return frozenset(
        word for piece in pieces if piece not in "()|?*" and not _NAME.match(piece) for word in _WORD.findall(piece)
    )


class Places:
    """The places of each word of a text. Sets of places are the bits of a number: place `n` is `1 << n`."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self._of: dict[str, int] = {}
        self._known: dict[tuple[int, int], int] = {}
        for place, word in enumerate(words):
            self._of[word] = self._of.get(word, 0) | 1 << place

    def ends(self, phrase: Phrase, starts: int) -> int:
        """The places where the phrase can end when it begins at one of `starts`."""
        if not starts:
            return 0
        match phrase:
            case PhraseWord(text):
                return (starts & self._of.get(text, 0)) << 1
            case Row(parts):
                for part in parts:
                    starts = self.ends(part, starts)
                return starts
            case PhraseChoice():
                return self._chosen(phrase, starts)
            case Maybe(part):
                return starts | self.ends(part, starts)
            case Many(part):
                return self._repeated(part, starts)
            case _:
                assert_never(phrase)

    def _chosen(self, choice: PhraseChoice, starts: int) -> int:
        # Phrases are used in many others, so each result is kept.
        key = (id(choice), starts)
        if key not in self._known:
            found, words = 0, self._words_at(starts)
            for first, part in choice.parts:
                if first is None or not first.isdisjoint(words):
                    found |= self.ends(part, starts)
            self._known[key] = found
        return self._known[key]

    def _words_at(self, places: int) -> Collection[str]:
        if places & places - 1:
            return [word for word, its_places in self._of.items() if its_places & places]
        place = places.bit_length() - 1
        return self._words[place : place + 1]

    def _repeated(self, part: Phrase, starts: int) -> int:
        found = new = starts
        while new:
            new = self.ends(part, new) & ~found
            found |= new
        return found


def _first_words(phrase: Phrase) -> frozenset[str] | None:
    """Return the words that the phrase can begin with; None if it may be empty."""
    match phrase:
        case PhraseWord(text):
            return frozenset({text})
        case Row(parts):
            found: frozenset[str] = frozenset()
            for part in parts:
                first = _first_words(part.part if isinstance(part, Maybe | Many) else part)
                if first is None:
                    return None
                found |= first
                if not isinstance(part, Maybe | Many):
                    return found
            return None
        case PhraseChoice(parts):
            firsts = [first for first, _part in parts]
            return None if None in firsts else frozenset().union(*(first for first in firsts if first is not None))
        case Maybe() | Many():
            return None
        case _:
            assert_never(phrase)


def _choice(pieces: Sequence[str], at: int, known: Mapping[str, Phrase]) -> tuple[Phrase, int]:
    parts: list[Phrase] = []
    while True:
        row, at = _row(pieces, at, known)
        parts.append(row)
        if at == len(pieces) or pieces[at] != "|":
            return (parts[0] if len(parts) == 1 else one_of(*parts)), at
        at += 1


def _row(pieces: Sequence[str], at: int, known: Mapping[str, Phrase]) -> tuple[Phrase, int]:
    parts: list[Phrase] = []
    while at < len(pieces) and pieces[at] not in "|)":
        found, at = _part(pieces, at, known)
        parts += found
        if at < len(pieces) and pieces[at] in "?*":
            parts[-1] = Maybe(parts[-1]) if pieces[at] == "?" else Many(parts[-1])
            at += 1
    if not parts:
        raise ValueError("an empty phrase")
    return (parts[0] if len(parts) == 1 else Row(tuple(parts))), at


def _part(pieces: Sequence[str], at: int, known: Mapping[str, Phrase]) -> tuple[Sequence[Phrase], int]:
    piece = pieces[at]
    if piece == "(":
        inner, at = _choice(pieces, at + 1, known)
        if at == len(pieces) or pieces[at] != ")":
            raise ValueError("a group is not closed")
        return [inner], at + 1
    if piece in "?*":
        raise ValueError(f"nothing before {piece!r}")
    if _NAME.match(piece):
        if piece not in known:
            raise ValueError(f"no phrase named {piece}")
        return [known[piece]], at + 1
    return [PhraseWord(word) for word in _WORD.findall(piece)], at + 1
