"""The phrases and words by which intent is detected, loaded from the TOML files of this folder.

`english.toml` and `chinese.toml` have the form of `LanguagePhrases`; `shared.toml` has that of `SharedWords`.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

INTENT_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class LanguagePhrases:
    """Approvals of a plan in one language, in the notation of `phrases`.

    Attributes:
        parts: phrases that others are made of, by name; each may use those above it.
        approvals: phrases that ask for the plan to be carried out, by the rule that a verdict names.
        courtesies: a phrase that may stand around an approval and doesn't approve by itself.
    """

    parts: Mapping[str, str]
    approvals: Mapping[str, str]
    courtesies: str


@dataclass(frozen=True, slots=True)
class SharedWords:
    """Words of both languages.

    Attributes:
        bare: a phrase that could be about the plan or about planning on.
        plan_only: phrases that ask for no change yet, by rule.
        doubts: phrases that tell why a message is no approval, by rule.
        jarring: known words that side by side mean something else, by rule.
        key_words: words that are understood with one letter wrong.
        tags: words that, alone after an approval, ask whether it is one.
        cheer: signs that only cheer.
        simplified: simplified characters by the code point of the traditional one.
    """

    bare: str
    plan_only: Mapping[str, str]
    doubts: Mapping[str, str]
    jarring: Mapping[str, str]
    key_words: tuple[str, ...]
    tags: frozenset[str]
    cheer: frozenset[str]
    simplified: Mapping[int, str]


def _load(name: str) -> dict[str, Any]:
    return tomllib.loads((INTENT_FOLDER / name).read_text("utf-8"))


def _load_shared() -> SharedWords:
    found = _load("shared.toml")
    simplified = dict(zip(map(ord, found.pop("traditional")), found.pop("simplified"), strict=True))
    key_words, tags, cheer = tuple(found.pop("key_words")), frozenset(found.pop("tags")), frozenset(found.pop("cheer"))
    return SharedWords(**found, key_words=key_words, tags=tags, cheer=cheer, simplified=simplified)


ENGLISH = LanguagePhrases(**_load("english.toml"))
CHINESE = LanguagePhrases(**_load("chinese.toml"))
SHARED = _load_shared()
