"""The files of intent words: each has its form, and a slip in one names the file and the phrase."""

import tomllib
from typing import Any

import pytest

from planact.policy.intent.phrases import read_phrases
from planact.policy.intent.words import CHINESE, ENGLISH, INTENT_FOLDER, SHARED

LANGUAGE = {"parts": dict, "approvals": dict, "courtesies": str}
SHAPES: dict[str, dict[str, type]] = {
    "english.toml": LANGUAGE,
    "chinese.toml": LANGUAGE,
    "shared.toml": {
        **dict.fromkeys(("bare", "cheer", "traditional", "simplified"), str),
        **dict.fromkeys(("plan_only", "doubts", "jarring"), dict),
        **dict.fromkeys(("key_words", "tags"), list),
    },
}


def content(name: str) -> dict[str, Any]:
    return tomllib.loads((INTENT_FOLDER / name).read_text("utf-8"))


def test_every_file_has_a_form() -> None:
    assert {path.name for path in INTENT_FOLDER.glob("*.toml")} == set(SHAPES)


@pytest.mark.parametrize("name", SHAPES)
def test_a_file_has_its_keys_and_nothing_but_texts_in_them(name: str) -> None:
    found = content(name)
    assert {key: type(value) for key, value in found.items()} == SHAPES[name]
    values = (
        value.values() if isinstance(value, dict) else [value] if isinstance(value, str) else value
        for value in found.values()
    )
    texts = [text for several in values for text in several]
    assert [text for text in texts if not isinstance(text, str) or not text.strip()] == []


def slips() -> list[str]:
    """Where phrases break the notation or name a phrase that isn't above them."""
    parts = {**ENGLISH.parts, **CHINESE.parts}
    phrases = {
        "english.toml": {**ENGLISH.approvals, "courtesies": ENGLISH.courtesies},
        "chinese.toml": {**CHINESE.approvals, "courtesies": CHINESE.courtesies},
        "shared.toml": {**SHARED.plan_only, **SHARED.doubts, **SHARED.jarring, "bare": SHARED.bare},
    }
    told: list[str] = []
    for name, found in phrases.items():
        for key, notation in found.items():
            try:
                read_phrases({**parts, key: notation})
            except ValueError as error:
                told.append(f"{INTENT_FOLDER / name}: {key}: {error}")
    return told


@pytest.mark.slow
def test_every_phrase_follows_the_notation_and_names_what_is_above_it() -> None:
    assert slips() == []


def test_names_are_unique_in_both_languages_and_capitals_mark_the_parts() -> None:
    rules = [*ENGLISH.approvals, *CHINESE.approvals, *SHARED.plan_only, *SHARED.doubts, *SHARED.jarring]
    assert len(set(rules)) == len(rules)
    assert not set(ENGLISH.parts) & set(CHINESE.parts)
    assert [name for name in (*ENGLISH.parts, *CHINESE.parts) if name != name.upper()] == []


def test_words_are_folded_one_to_one() -> None:
    assert all(len(character) == 1 for character in SHARED.simplified.values())
    assert all(word == word.casefold() for word in (*SHARED.key_words, *SHARED.tags))
