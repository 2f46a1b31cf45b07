"""From a classified command line to a verdict, in each mode and on each kind of machine."""

from typing import get_args

import pytest

from planact.base.span import Span
from planact.model.rights.classification import Classification, CommandClass, CommandTrait
from planact.model.rights.jail import Confinement, Containment
from planact.model.rights.permission import Mode
from planact.policy.commands import judge_command

ALL: frozenset[Confinement] = frozenset(get_args(Confinement))


def found(
    cls: CommandClass,
    *traits: CommandTrait,
    reads: tuple[str, ...] = (),
    begins: tuple[str, ...] = (),
    programs: tuple[str, ...] = (),
) -> Classification:
    return Classification(cls, "rule", "reason", Span(0, 1), frozenset(traits), programs, reads, begins)


@pytest.mark.parametrize(
    ("classified", "plan", "act"),
    [
        (found("local-read"), "allow", "allow"),
        (found("net-read"), "allow", "allow"),
        (found("daemon-read"), "allow", "allow"),
        (found("local-read", "outside"), "ask", "ask"),
        (found("net-read", "fetches"), "ask", "ask"),
        (found("net-read", "remote"), "ask", "ask"),
        (found("net-read", "loopback"), "ask", "ask"),
        (found("net-read", "secret"), "deny", "ask"),
        (found("local-read", reads=("src/.env",)), "deny", "ask"),
        (found("local-read", reads=("src/.env.example",)), "allow", "allow"),
        (found("local-read", reads=("HEAD:.env",)), "deny", "ask"),
        (found("local-read", begins=("src/.en",)), "deny", "ask"),
        (found("local-read", begins=("id_rsa",)), "deny", "ask"),
        (found("local-read", begins=(".ssh/",)), "deny", "ask"),
        (found("local-read", begins=("", ".", "src/", "src/a", "src/service", ".git", "id")), "allow", "allow"),
        (found("unknown"), "contain", "ask"),
        (found("unknown", "outside"), "ask", "ask"),
        (found("unknown", "secret"), "deny", "ask"),
        (found("mutating"), "deny", "ask"),
    ],
)
def test_modes_differ_in_what_may_change_and_in_secrets(classified: Classification, plan: str, act: str) -> None:
    kinds = [judge_command(classified, mode, "on", ALL).kind for mode in (Mode.PLAN, Mode.ACT)]
    assert kinds == [plan, act]


@pytest.mark.parametrize(
    ("contain", "held", "expected"),
    [("on", ALL, "contain"), ("ask", ALL, "ask"), ("off", ALL, "deny")]
    + [(contain, held, "deny") for contain in get_args(Containment) for held in (ALL - {"contain"}, frozenset())],
)
def test_unknown_commands_run_only_where_a_jail_holds_them(
    contain: Containment, held: frozenset[Confinement], expected: str
) -> None:
    assert judge_command(found("unknown"), Mode.PLAN, contain, held).kind == expected


@pytest.mark.parametrize(
    ("classified", "expected"),
    [
        (found("local-read", "plain"), "allow"),
        (found("local-read", "plain", "history"), "deny"),
        (found("local-read"), "deny"),
        (found("net-read", "plain"), "deny"),
        (found("local-read", "plain", "outside"), "ask"),
    ],
)
def test_without_a_jail_only_the_plainest_readers_run_in_plan(classified: Classification, expected: str) -> None:
    assert judge_command(classified, Mode.PLAN, "on", frozenset()).kind == expected


@pytest.mark.parametrize(
    ("classified", "expected"),
    [
        (found("local-read", "plain"), "allow"),
        (found("local-read", "plain", "history"), "ask"),
        (found("local-read"), "ask"),
        (found("net-read"), "ask"),
        (found("daemon-read"), "ask"),
        (found("unknown"), "ask"),
    ],
)
def test_without_a_jail_all_but_the_plainest_readers_ask_in_act(classified: Classification, expected: str) -> None:
    assert judge_command(classified, Mode.ACT, "on", frozenset()).kind == expected


def test_a_class_whose_jail_is_not_held_asks_in_act() -> None:
    held = ALL - {"registry-read"}
    assert judge_command(found("net-read", "registry"), Mode.ACT, "on", held).kind == "ask"
    assert judge_command(found("net-read"), Mode.ACT, "on", held).kind == "allow"


@pytest.mark.parametrize(
    ("classified", "plan", "act"),
    [
        # Commands that open what they name fail to read it in Plan; in Act the user can allow it.
        (found("local-read", reads=(".env",), programs=("cat",)), "allow", "ask"),
        (found("local-read", reads=(".env",), programs=("ls",)), "allow", "allow"),
        (found("local-read", reads=(".env",), programs=("ls", "cat")), "allow", "ask"),
        (found("local-read", begins=(".en",), programs=("cat",)), "allow", "ask"),
        # What git keeps of a file can't be hidden, and neither can what a command prints by itself.
        (found("local-read", "history", reads=("HEAD:.env",), programs=("git",)), "deny", "ask"),
        (found("local-read", "secret", programs=("ls",)), "deny", "ask"),
        # Commands of the network see the user's own keys.
        (found("net-read", reads=(".env",), programs=("cat", "gh")), "deny", "ask"),
    ],
)
def test_where_the_jail_hides_credentials_commands_may_name_them(
    classified: Classification, plan: str, act: str
) -> None:
    kinds = [judge_command(classified, mode, "on", ALL, hides_credentials=True).kind for mode in (Mode.PLAN, Mode.ACT)]
    assert kinds == [plan, act]


def test_of_two_reasons_to_ask_the_one_that_says_more_is_told() -> None:
    judged = judge_command(found("unknown", "outside"), Mode.ACT, "on", ALL)
    assert (judged.kind, judged.reason) == ("ask", "it reads outside the workspace")
