import pytest

from planact.policy.intent.phrases import Places, read_phrases, words_of


@pytest.mark.parametrize(
    ("notation", "words", "ends"),
    [
        ("go ahead", "go ahead now", [2]),
        ("go ahead", "go", []),
        ("go | stop", "stop", [1]),
        ("go now?", "go now", [1, 2]),
        ("go (right now)?", "go right now", [1, 3]),
        ("go*", "go go go stop", [0, 1, 2, 3]),
        ("(go | stop now?)* ahead", "go stop now go ahead", [5]),
        ("THING now", "it now", [2]),
        ("开始执行吧?", "开 始 执 行", [4]),
        ("(go*)* ahead", "go go ahead", [3]),
    ],
)
def test_a_phrase_ends_wherever_its_notation_says(notation: str, words: str, ends: list[int]) -> None:
    phrase = read_phrases({"THING": "it | this", "ASKED": notation})["ASKED"]
    found = Places(words.split()).ends(phrase, 1)
    assert [place for place in range(10) if found >> place & 1] == ends


@pytest.mark.parametrize("notation", ["", "(go", "go)", "go |", "| go", "()", "?", "* go", "LATER", "(go))"])
def test_a_slip_in_the_notation_is_told_and_not_guessed_at(notation: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_phrases({"ASKED": notation, "LATER": "later"})


def test_the_words_of_phrases_are_those_they_can_meet() -> None:
    assert words_of(["go (ahead | NOW)?", "执行*"]) == {"go", "ahead", "执", "行"}
