"""From a classified command line to a verdict, in each mode and on each kind of machine."""

from typing import get_args

import pytest

from planact.base.span import Span
from planact.model.classification import Classification, CommandClass, CommandTrait
from planact.model.jail import Confinement, Containment
from planact.model.permission import Mode
from planact.policy.commands import judge_command

ALL: frozenset[Confinement] = frozenset(get_args(Confinement))


def found(
    cls: CommandClass, *traits: CommandTrait, reads: tuple[str, ...] = (), begins: tuple[str, ...] = ()
) -> Classification:
    return Classification(cls, "rule", "reason", Span(0, 1), frozenset(traits), (), reads, begins)


@pytest.mark.parametrize(
    ("classified", "plan", "act"),
    [
        (found("local-read"), "allow", "allow"),
        (found("net-read"), "allow", "allow"),
        (found("daemon-read"), "allow", "allow"),
        (found("local-read", "outside"), "ask", "ask"),
        (found("net-read", "fetches"), "ask", "ask"),
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
def test_unknown_commands_run_only_where_the_strongest_jail_holds(
    contain: Containment, held: frozenset[Confinement], expected: str
) -> None:
    assert judge_command(found("unknown"), Mode.PLAN, contain, held).kind == expected


@pytest.mark.parametrize(
    ("classified", "expected"),
    [
        (found("local-read", "plain"), "allow"),
        (found("local-read", "plain", "configured"), "deny"),
        (found("local-read"), "deny"),
        (found("net-read", "plain"), "deny"),
        (found("local-read", "plain", "outside"), "ask"),
    ],
)
def test_without_a_jail_only_the_plainest_readers_run_in_plan(classified: Classification, expected: str) -> None:
    assert judge_command(classified, Mode.PLAN, "on", frozenset()).kind == expected
