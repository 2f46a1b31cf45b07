import pytest

from planact.base.errors import InvalidInput
from planact.workflows import heed_word
from planact.workflows.chat_words import WORDS, SaidWord, read_word

SAID = [
    ("/plan mend it", ("/plan", "mend it", True)),
    ("/PLAN\nmend it,\nand well ", ("/plan", "mend it,\nand well", True)),
    ("/plan acceptall mend it", ("/plan", "acceptall mend it", True)),
    ("/plan show", ("/plan show", "", False)),
    ("/plan show k3v9", ("/plan show", "k3v9", False)),
    ("/plan  show\tk3v9 ", ("/plan show", "k3v9", False)),
    ("/plan show the totals", ("/plan", "show the totals", True)),
    ("/plan delete the old files", ("/plan", "delete the old files", True)),
    ("/plan -- show totals", ("/plan", "show totals", True)),
    ("/plans", ("/plans", "", False)),
    ("/act", ("/act", "", True)),
    ("/act k3v9", ("/act", "k3v9", True)),
    ("/template use fix-bug what='it breaks'", ("/template use", "fix-bug what='it breaks'", False)),
    ("/template create mine", ("/template create", "mine", False)),
    ("/mode act", ("/mode", "act", False)),
    ("/acceptall", ("/acceptall", "", False)),
    ("/stop ", ("/stop", "", False)),
]


@pytest.mark.parametrize(("message", "said"), SAID)
def test_a_known_word_is_told_from_what_follows_it(message: str, said: tuple[str, str, bool]) -> None:
    assert read_word(message) == SaidWord(*said)


@pytest.mark.parametrize(
    "message",
    [
        "",
        "/",
        "mend it",
        "see /plan mend it",
        " /plan mend it",
        "/etc/hosts is wrong",
        "/plan/a.py is wrong",
        "/plan.py is wrong",
        "/plan: mend it",
        "//plan mend it",
        "/2 is half",
        "/* a comment */",
        "/v1 users",
    ],
)
def test_all_else_goes_to_the_agent(message: str) -> None:
    assert read_word(message) is None


REFUSED = [
    ("/plam mend it", "there is no word /plam; did you mean /plan? /help lists the words. "),
    ("/usr is full", "there is no word /usr. /help lists the words. To say it to the agent, put something before"),
    ("/plan", "/plan doesn't go like that. Write: /plan REQUEST"),
    ("/plan delete", "/plan delete doesn't go like that. Write: /plan delete ID"),
    ("/plans now", "/plans doesn't go like that. Write: /plans"),
    ("/act now please", "/act doesn't go like that. Write: /act [ID]"),
    ("/template", "/template needs a second word. Write one of: /template list, /template show NAME, "),
    ("/template lost", "/template needs a second word. "),
    ("/template show a b", "/template show doesn't go like that. "),
]


@pytest.mark.parametrize(("message", "said"), REFUSED)
def test_what_is_no_word_says_which_are(message: str, said: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        read_word(message)
    assert refused.value.code == "INVALID_ARGUMENTS"
    assert str(refused.value).startswith(said)


def test_each_word_does_something_and_nothing_else_does() -> None:
    assert {word.name for word in WORDS} == {*heed_word._DEEDS, "/new"}
    assert len({word.name for word in WORDS}) == len(WORDS)
