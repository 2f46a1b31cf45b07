"""Where no trial is held, what nobody knows runs contained in Act, and nothing else does."""

from dataclasses import replace
from pathlib import PurePosixPath

import pytest

from planact.model.rights.classification import CommandTrait
from planact.model.rights.permission import CommandEffect, Mode
from planact.policy.context import Allow, Ask, Contain, Deny, PlacedEffect, PolicyContext, Request, Try
from planact.policy.decide import confinement, decide, rules_for, wider_rules_for
from tests.policy.touches import command, unlisted

ACT = PolicyContext(
    Mode.ACT,
    unlisted("actor"),
    PurePosixPath(".planact/plans"),
    held=frozenset({"local-read", "contain"}),
    can_try=True,
)


def asked_of(touch: PlacedEffect) -> Request:
    return Request("execute_command", frozenset(), False, (touch,))


def jail(touch: PlacedEffect, context: PolicyContext = ACT) -> str:
    verdict = decide(asked_of(touch), context)
    return (
        verdict.code
        if isinstance(verdict, Deny)
        else ("asked" if isinstance(verdict, Ask) else confinement(asked_of(touch), context, verdict))
    )


def with_effect(touch: PlacedEffect, **more: str) -> PlacedEffect:
    assert isinstance(touch.effect, CommandEffect)
    return replace(touch, effect=replace(touch.effect, **more))  # type: ignore[arg-type]


UNKNOWN = command("make all", "unknown")
ALIKE = replace(UNKNOWN, found=replace(UNKNOWN.found, similar=("make all",)))  # type: ignore[type-var]


def test_it_runs_contained_where_that_is_held_and_on_trial_where_that_is() -> None:
    assert jail(UNKNOWN) == "contain"
    assert jail(UNKNOWN, replace(ACT, held=ACT.held | {"trial"})) == "trial"
    assert jail(UNKNOWN, replace(ACT, held=ACT.held | {"trial"}, can_try=False)) == "contain"
    assert jail(UNKNOWN, replace(ACT, held=frozenset({"local-read"}))) == "asked"
    assert jail(command("ls", "local-read")) == "local-read"


@pytest.mark.parametrize("trait", ["outside", "fetches", "loopback", "secret", "remote", "infrastructure", "packages"])
def test_what_its_words_say_it_needs_is_asked_about(trait: CommandTrait) -> None:
    assert jail(command("make all", "unknown", trait)) == "asked"


def test_what_is_known_to_change_something_or_to_act_elsewhere_is_asked_about() -> None:
    for touch in (command("rm a", "mutating"), command("x && git push", "unknown"), command("sudo x", "unknown")):
        assert jail(touch) == "asked"
    for more in ({"goes_on": True}, {"why_network": "a package"}, {"held_back": "to do more than read"}):
        assert jail(with_effect(UNKNOWN, **more)) == "asked"  # type: ignore[arg-type]


def test_the_users_settings_and_their_distrust_come_first() -> None:
    for other in (
        replace(ACT, contain="ask"),
        replace(ACT, contain="off"),
        replace(ACT, approval="review"),
        replace(ACT, is_restricted=True),
        replace(ACT, awaits_trust=True),
    ):
        assert jail(UNKNOWN, other) != "contain"
    assert jail(UNKNOWN, replace(ACT, commands_deny=frozenset({"make"}))) == "COMMAND_DENIED"
    assert jail(UNKNOWN, replace(ACT, approval="acceptAll")) == "act"


def test_what_the_plan_names_or_a_rule_allows_runs_with_its_rights() -> None:
    assert jail(UNKNOWN, replace(ACT, planned_commands=frozenset({"make all"}))) == "act"
    held_back = with_effect(ALIKE, held_back="more")
    asked = decide(asked_of(held_back), ACT)
    assert isinstance(asked, Ask)
    for rules in (rules_for(asked, ACT), wider_rules_for(asked, ACT)):
        assert rules
        ruled = replace(ACT, rules=rules)
        assert isinstance(decide(asked_of(ALIKE), ruled), Allow)
        assert jail(ALIKE, ruled) == "act"


def test_a_trial_offers_no_wider_rule_for_what_it_held_back() -> None:
    context = replace(ACT, held=ACT.held | {"trial"})
    held_back = with_effect(ALIKE, held_back="more")
    asked = decide(asked_of(held_back), context)
    assert isinstance(asked, Ask)
    assert not wider_rules_for(asked, context)
    assert isinstance(decide(asked_of(UNKNOWN), context), Try)
    assert isinstance(decide(asked_of(UNKNOWN), ACT), Contain)
