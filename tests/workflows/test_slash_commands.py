import pytest

from planact.base.errors import InvalidInput
from planact.workflows.chat import handle_slash_command
from planact.workflows.chat.slash_commands import SLASH_COMMANDS, SlashCommandCall, parse_slash_command

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
    assert parse_slash_command(message) == SlashCommandCall(*said)


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
    assert parse_slash_command(message) is None


REFUSED = [
    ("/plam mend it", "there is no command /plam; did you mean /plan? /help lists the commands. "),
    ("/usr is full", "there is no command /usr. /help lists the commands. To send it to the agent, put a word before"),
    ("/plan", "/plan takes other arguments. Write: /plan REQUEST"),
    ("/plan delete", "/plan delete takes other arguments. Write: /plan delete ID"),
    ("/plans now", "/plans takes other arguments. Write: /plans"),
    ("/act now please", "/act takes other arguments. Write: /act [ID]"),
    ("/template", "/template needs a second word. Write one of: /template list, /template show NAME, "),
    ("/template lost", "/template needs a second word. "),
    ("/template show a b", "/template show takes other arguments. "),
]


@pytest.mark.parametrize(("message", "said"), REFUSED)
def test_what_is_no_word_says_which_are(message: str, said: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse_slash_command(message)
    assert refused.value.code == "INVALID_ARGUMENTS"
    assert str(refused.value).startswith(said)


def test_each_word_does_something_and_nothing_else_does() -> None:
    assert {word.name for word in SLASH_COMMANDS} == {*handle_slash_command._HANDLERS, "/new"}
    assert len({word.name for word in SLASH_COMMANDS}) == len(SLASH_COMMANDS)
