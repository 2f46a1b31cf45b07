"""A message asks for a change only by clear signs, and one that only asks to be told something is no such request."""

import time

import pytest

from planact.policy.intent.change_request import asks_for_answer, asks_for_change

CHANGE, ANSWER, NEITHER = (True, False), (False, True), (False, False)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Fix the typo in README.md", CHANGE),
        ("please rename foo to bar", CHANGE),
        ("Could you add a test for it?", CHANGE),
        ("Can you please update src/app.py?", CHANGE),
        ("The build is red. Fix it.", CHANGE),
        ("Why is it red? Fix it!", CHANGE),
        ("I want you to remove the old API", CHANGE),
        ("Let's migrate to pydantic 2", CHANGE),
        ("Fix the bug, but don't touch the tests", CHANGE),
        ("Write a test for the parser", CHANGE),
        ("修复 README.md 里的错别字", CHANGE),
        ("请把名字改成 bar", CHANGE),
        ("What does it say?", ANSWER),
        ("Explain how to fix the typo", ANSWER),
        ("How do I add a test?", ANSWER),
        ("why does update fail", ANSWER),
        ("Should I fix it?", ANSWER),
        ("Show me the list", ANSWER),
        ("Look into the failing tests", ANSWER),
        ("这是什么?", ANSWER),
        ("Write a short summary of the module", NEITHER),
        ("Write me a poem", NEITHER),
        ("Update me on the progress", NEITHER),
        ("Make sure you understand it", NEITHER),
        ("Fix it later; don't change anything yet", NEITHER),
        ("Don't fix it", NEITHER),
        ("Go ahead", NEITHER),
        ("Thanks", NEITHER),
        ("The update failed", NEITHER),
        ("", NEITHER),
    ],
)
def test_a_request_for_a_change_is_told_from_one_for_an_answer(text: str, expected: tuple[bool, bool]) -> None:
    assert (asks_for_change(text), asks_for_answer(text)) == expected


@pytest.mark.parametrize("text", ["please " * 20_000, "a.b" * 30_000, "??? " * 20_000, "fix" + " " * 60_000])
def test_no_text_makes_it_slow(text: str) -> None:
    began = time.process_time()
    asks_for_answer(text)
    assert time.process_time() - began < 2
