"""Texts of others in one line or cut in the middle, and numbers of things."""

import json

import pytest

from planact.base.text import capped, counted, ends_in_one_line, fair_limit, first_few, named, one_line, visible


@pytest.mark.parametrize(
    ("number", "noun", "expected"),
    [
        (0, "file", "0 files"),
        (1, "process", "1 process"),
        (2, "process", "2 processes"),
        (3, "search", "3 searches"),
        (2, "older run", "2 older runs"),
    ],
)
def test_a_number_of_things_is_told_with_their_plural(number: int, noun: str, expected: str) -> None:
    assert counted(number, noun) == expected


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", "b"], "a, b"),
        (["a", "b", "c"], "a, b and 1 more"),
        (list("abcd"), "a, b and 2 more"),
    ],
)
def test_a_list_names_the_first_ones_and_how_many_are_left(texts: list[str], expected: str) -> None:
    assert first_few(texts, 2) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("short", "short"),
        ("two\nlines,\t blanks ", "two lines, blanks"),
        ("\x1b[31mred\u202e", "[31mred"),
        ("exactly twenty chars", "exactly twenty chars"),
        ("more than twenty chars", "more than twenty ch…"),
    ],
)
def test_one_line_has_nothing_that_is_not_seen_and_is_not_too_long(text: str, expected: str) -> None:
    assert one_line(text, 20) == expected


@pytest.mark.parametrize(
    ("text", "expected"), [("0123456789", "0123456789"), ("0123456789a", "01234\n[… 1 characters left out …]\n6789a")]
)
def test_a_text_that_is_too_long_loses_its_middle(text: str, expected: str) -> None:
    assert capped(text, 10) == expected


@pytest.mark.parametrize(
    "code", [0x115F, 0x3164, 0xFFA0, 0x2800, 0x34F, 0x180B, 0xFE00, 0xFE0F, 0xE0100, 0x200B, 0x202E, 0xA0]
)
def test_what_shows_nothing_is_spelled_out(code: int) -> None:
    assert visible(f"a{chr(code)} = 1\n") == f"a\\u{code:04x} = 1\n"


def test_what_shows_something_stays() -> None:
    text = "naïve ✔\ufe0f ❤\ufe0f 한글 日本 ®\ufe0f\tx\n"
    assert visible(text) == text
    assert visible("✔\ufe0f\ufe0f") == "✔\ufe0f\\ufe0f"


def test_of_what_a_program_said_the_end_is_told_too() -> None:
    assert ends_in_one_line("a\nb", 20) == "a b"
    told = ends_in_one_line("Traceback\n" + "File\n" * 100 + "KeyError: 'x'", 60)
    assert told.startswith("Traceback")
    assert told.endswith("KeyError: 'x'")
    assert len(told) == 60


def test_long_texts_leave_room_to_short_ones() -> None:
    assert fair_limit([], 10) == 0
    assert fair_limit([3, 4], 10) == 4
    assert fair_limit([2, 100, 50], 42) == 20


@pytest.mark.parametrize("path", ["a\nb", "a\u202eb", "a\u3164b", "a\u2800", "a\x1b[31m"])
def test_a_path_with_what_nobody_sees_is_named_in_quotes(path: str) -> None:
    assert named(path) == json.dumps(path)
    assert named("src/größe 1.py") == "src/größe 1.py"
