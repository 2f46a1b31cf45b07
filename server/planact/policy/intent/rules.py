"""Rules that detect if a message of the user asks to carry out the plan at hand and makes no other request.

A message approves only when all of it is phrases known to approve or to be polite: one word that is not understood
makes it UNCLEAR. The caller knows if there is a complete plan to approve.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from planact.base.span import Span
from planact.model.chat.message import Intent
from planact.policy.intent.phrases import Many, Phrase, PhraseWord, Places, one_of, read_phrases, words_of
from planact.policy.intent.words import CHINESE, ENGLISH, SHARED


def detect(text: str) -> Intent:
    """Return the intent of a message, as an answer to a complete plan. Time is linear in the text; never raises."""
    start = len(text) - len(text.lstrip())
    whole = Span(start, max(start, len(text.rstrip())))
    if whole.end - whole.start > _LONGEST:
        return Intent("UNCLEAR", "long", whole)
    tokens = _tokens(text, whole)
    for rule, signs in _SIGNS.items():
        for token in tokens:
            if token.text in signs:
                return Intent("UNCLEAR", rule, token.span)
    words = [token.text for token in tokens]
    return _approval(tokens, words) or _refusal(tokens, words) or _unclear(tokens, words, whole)


_LONGEST = 300
_SIGNS = {
    "code": frozenset("`"),
    "quote": frozenset("\"'>«»‹›“”„‟‘’‚‛「」『』《》〈〉"),
    "question": frozenset("?？¿؟⸮‽"),
}
_LEXEME = re.compile(
    r"(?P<word>[a-z]+(?:['’][a-z]+)*)"
    r"|(?P<trailing>(?:\.\s*\.|。\s*。|…)[\s.。…]*)"
    r"|(?P<separator>[\s]*[,.!;、。\n\r][\s,!;、\n\r]*)"
    r"|(?P<blank>(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff]))"
    r"|(?P<nothing>\s+|[-–—~～]+|:-?\)|\^_*\^|<3|[\ufe0f\U0001f3fb-\U0001f3ff])"
    r"|(?P<sign>.)",
    re.DOTALL,
)

_PARTS = {**ENGLISH.parts, **CHINESE.parts}
_COURTESIES = {"courtesy": ENGLISH.courtesies, "zh-courtesy": CHINESE.courtesies}
_CHINESE = {name: f"({phrase}) ," for name, phrase in CHINESE.approvals.items()}
_NOTATIONS = {**_PARTS, **ENGLISH.approvals, **_CHINESE, **SHARED.plan_only, **_COURTESIES}
_PHRASES = read_phrases(_NOTATIONS)
_COURTESY = Many(one_of(PhraseWord(","), *(_PHRASES[name] for name in _COURTESIES)))
_BARE = Many(one_of(_COURTESY.part, *read_phrases({"bare": SHARED.bare}).values()))
_APPROVALS = {name: _PHRASES[name] for name in (*ENGLISH.approvals, *CHINESE.approvals)}
_APPROVAL = one_of(*_APPROVALS.values())
_ALL = Many(one_of(_COURTESY.part, _APPROVAL))
_PLAN_ONLY = {name: _PHRASES[name] for name in SHARED.plan_only}
_HINTS = read_phrases({**_PARTS, **SHARED.doubts, **SHARED.jarring})
_DOUBTS = {name: _HINTS[name] for name in (*SHARED.doubts, *SHARED.jarring)}
_JARRING = {name: _HINTS[name] for name in SHARED.jarring}
_KNOWN = words_of((*_NOTATIONS.values(), *SHARED.doubts.values(), *SHARED.jarring.values()))


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    span: Span


def _tokens(text: str, whole: Span) -> list[_Token]:
    """Return the words and signs between two separators, in the spelling that the phrases use."""
    letters: list[str] = []
    places: list[int] = []
    for place in range(whole.start, whole.end):
        folded = unicodedata.normalize("NFKC", text[place]).casefold().translate(SHARED.simplified)
        letters.append(folded)
        places += [place] * len(folded)
    tokens = [_Token(",", Span(whole.start, whole.start))]
    for found in _LEXEME.finditer("".join(letters)):
        kind, lexeme = found.lastgroup, found.group()
        if kind == "nothing" or lexeme in SHARED.cheer:
            continue
        if kind == "word":
            lexeme = _meant(lexeme.replace("'", "").replace("’", ""))
        elif kind in ("separator", "blank"):
            lexeme = ","
        elif kind == "trailing":
            lexeme = "…"
        elif lexeme == "&":
            lexeme = "and"
        tokens.append(_Token(lexeme, Span(places[found.start()], places[found.end() - 1] + 1)))
    return [*tokens, _Token(",", Span(whole.end, whole.end))]


def _meant(word: str) -> str:
    """Return the word, or the key word that differs by one letter."""
    if word in _KNOWN:
        return word
    return next((key for key in SHARED.key_words if not word.startswith(key) and _is_one_off(word, key)), word)


def _is_one_off(word: str, key: str) -> bool:
    """One letter is missing, too many or wrong, or two neighbours are swapped."""
    if abs(len(word) - len(key)) > 1:
        return False
    same = next((place for place, (one, other) in enumerate(zip(word, key, strict=False)) if one != other), len(word))
    rest, expected = word[same:], key[same:]
    swapped = rest[1::-1] + rest[2:]
    return expected in (rest[1:], swapped) or rest == expected[1:] or rest[1:] == expected[1:]


def _approval(tokens: Sequence[_Token], words: Sequence[str]) -> Intent | None:
    """Return EXECUTE_NOW if the whole message is phrases that approve, with courtesies at most."""
    places, last = Places(words), 1 << len(words)
    begins = places.ends(_COURTESY, 1)
    if not places.ends(_ALL, places.ends(_APPROVAL, begins)) & last or _is_shaken(words):
        return None
    for start in range(len(words)):
        for rule, phrase in _APPROVALS.items() if begins >> start & 1 else ():
            ends = places.ends(phrase, 1 << start)
            for end in range(len(words), start, -1):
                if ends >> end & 1 and places.ends(_ALL, 1 << end) & last:
                    return Intent("EXECUTE_NOW", rule, _between(tokens, start, end))
    return None


def _is_shaken(words: Sequence[str]) -> bool:
    """Known words stand side by side so that their meaning changes."""
    return " ".join(words).rstrip(" ,").rpartition(" , ")[2] in SHARED.tags or any(_found(words, _JARRING))


def _refusal(tokens: Sequence[_Token], words: Sequence[str]) -> Intent | None:
    """Return PLAN_ONLY if a phrase anywhere asks for no change yet."""
    for rule, start, end in _found(words, _PLAN_ONLY):
        if words[start - 1] != words[start + 1]:  # else it asks "A or not A", in Chinese
            return Intent("PLAN_ONLY", rule, _between(tokens, start, end))
    return None


def _unclear(tokens: Sequence[_Token], words: Sequence[str], whole: Span) -> Intent:
    """UNCLEAR, with the first word that tells why, else the first that isn't understood."""
    places, last = Places(words), 1 << len(words)
    if places.ends(_BARE, 1) & last:
        return Intent("UNCLEAR", "bare", whole)
    for rule, start, end in _found(words, _DOUBTS):
        return Intent("UNCLEAR", rule, _between(tokens, start, end))
    understood = places.ends(_ALL, 1).bit_length() - 1
    if understood == len(words):
        return Intent("UNCLEAR", "question", whole)
    return Intent("UNCLEAR", "other", Span(tokens[understood].span.start, whole.end))


def _found(words: Sequence[str], phrases: Mapping[str, Phrase]) -> Iterator[tuple[str, int, int]]:
    """Yield each occurrence of the phrases: the name, the first word and the one after the last."""
    places, everywhere = Places(words), (1 << len(words)) - 1
    for name, phrase in phrases.items():
        if places.ends(phrase, everywhere):
            for start in range(len(words)):
                ends = places.ends(phrase, 1 << start)
                if ends:
                    yield name, start, ends.bit_length() - 1


def _between(tokens: Sequence[_Token], start: int, end: int) -> Span:
    spans = [token.span for token in tokens[start:end] if token.text != ","]
    return Span(spans[0].start, spans[-1].end)
