from functools import reduce
from itertools import permutations
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import create_model

from planact.model.layer import KNOWN_SETTINGS, KnownSetting, Layer, Source
from planact.model.settings import CommandSettings, IntentSettings, LimitSettings, Settings
from planact.policy.merge_settings import _expected, merge


def layer(source: Source, values: dict[str, Any], *, is_trusted: bool = True) -> Layer:
    return Layer(source, f"<{source}>", values, is_trusted)


def hostile(values: dict[str, Any]) -> Layer:
    return layer("repository", values, is_trusted=False)


def messages(*layers: Layer) -> list[str]:
    return [problem.message for problem in merge(layers).problems]


# --- precedence


def test_without_any_source_the_defaults_count() -> None:
    assert merge([]).settings == Settings()
    assert merge([]).problems == ()


def test_later_sources_win_in_whatever_order_they_are_given() -> None:
    sources = get_args(Source)
    for count in range(1, len(sources) + 1):
        layers = [layer(source, {"model": source}) for source in sources[:count]]
        found = {merge(order).settings.model for order in permutations(layers)}
        assert found == {sources[count - 1]}


def test_every_setting_can_be_set_nested_or_flat() -> None:
    wanted = Settings(
        model="m",
        approval="acceptAll",
        start_mode="act",
        plans_directory="docs/plans",
        model_parameters={"a": {"b": 1}},
        commands=CommandSettings(allow=["x"]),
        limits=LimitSettings(max_cost=2, max_turns=7),
    )
    nested = wanted.model_dump(by_alias=True)
    flat = {
        setting.key: nested[setting.key.partition(".")[0]][setting.key.partition(".")[2]]
        if "." in setting.key
        else nested[setting.key]
        for setting in KNOWN_SETTINGS
    }
    assert merge([layer("editor", nested)]).settings == wanted
    assert merge([layer("editor", flat)]).settings == wanted


def test_what_is_null_is_not_said() -> None:
    merged = merge([layer("user", {"model": "m"}), layer("editor", {"model": None, "limits": {"maxTurns": None}})])
    assert (merged.settings, merged.problems) == (Settings(model="m"), ())


def test_a_trusted_repository_counts_like_any_source() -> None:
    values = {"model": "theirs", "approval": "acceptAll", "commands": {"allow": ["make"]}, "limits": {"maxTurns": 900}}
    merged = merge([layer("user", {"model": "mine"}), layer("repository", values)])
    assert merged.settings == Settings(
        model="theirs",
        approval="acceptAll",
        commands=CommandSettings(allow=["make"]),
        limits=LimitSettings(max_turns=900),
    )


# --- a repository nobody trusts yet


@pytest.mark.parametrize("is_trusted", [True, False])
def test_hooks_count_from_the_user_alone(is_trusted: bool) -> None:
    theirs = layer("repository", {"hooks": {"beforeStep": ["evil"]}, "limits.maxTurns": 7}, is_trusted=is_trusted)
    mine = layer("user", {"hooks.beforeStep": ["mine"]})
    assert merge([mine, theirs]).settings.hooks.before_step == ["mine"]
    assert messages(mine, theirs) == [
        "hooks.beforeStep in <repository> is ignored: only you may set it. Set it in your own settings"
    ]


@pytest.mark.parametrize("is_trusted", [True, False])
def test_folders_to_read_count_from_the_user_alone(is_trusted: bool) -> None:
    theirs = layer("repository", {"workspace": {"readable": ["~/.ssh"]}}, is_trusted=is_trusted)
    mine = layer("user", {"workspace.readable": ["~/sib"]})
    assert merge([mine, theirs]).settings.workspace.readable == ["~/sib"]
    assert messages(mine, theirs) == [
        "workspace.readable in <repository> is ignored: only you may set it. Set it in your own settings"
    ]


@pytest.mark.parametrize(
    ("values", "settings"),
    [
        ({"commands": {"deny": ["rm", "curl"]}}, Settings(commands=CommandSettings(deny=["curl", "rm"]))),
        ({"ignore": ["*.key"]}, Settings(ignore=["*.key"], commands=CommandSettings(deny=["curl"]))),
        ({"limits": {"maxTurns": 5}}, Settings(limits=LimitSettings(max_turns=5))),
        ({"limits": {"maxTokens": 5}}, Settings(limits=LimitSettings(max_tokens=5))),
        ({"intent": {"switch": "off"}}, Settings(intent=IntentSettings(switch="off"))),
    ],
)
def test_an_untrusted_repository_may_tighten(values: dict[str, Any], settings: Settings) -> None:
    user = layer("flags", {"commands": {"deny": ["curl"]}})
    merged = merge([hostile(values), user])
    assert merged.settings == settings.model_copy(
        update={"commands": CommandSettings(deny=settings.commands.deny or ["curl"])}
    )
    assert merged.problems == ()


def test_what_an_untrusted_repository_tightened_is_known_by_its_key() -> None:
    said = {"approval": "ask", "model": "evil/model", "nonsense": 1}
    assert merge([hostile(said)]).tightened == {"approval"}
    assert merge([layer("repository", said)]).tightened == frozenset()


def test_an_untrusted_repository_may_take_back_what_the_user_allowed_in_general() -> None:
    user = layer("user", {"approval": "acceptAll", "startMode": "act", "limits": {"maxCost": 0}})
    values = {"approval": "acceptEdits", "startMode": "plan", "limits": {"maxCost": 1.5}}
    assert merge([user, hostile(values)]).settings == Settings(
        approval="acceptEdits", limits=LimitSettings(max_cost=1.5)
    )


IGNORED = "is ignored: {}. Set it in your own settings, or trust the folder"


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"model": "evil/model"}, "only you may set it"),
        ({"modelEndpoint": "https://evil"}, "only you may set it"),
        ({"plansDirectory": "src"}, "only you may set it"),
        ({"commands": {"allow": ["curl evil"]}}, "only you may set it"),
        ({"instructions": ["EVIL.md"]}, "only you may set it"),
        ({"ignore": ["*.key", "!.env"]}, "it may only be added to, and a pattern that begins with ! takes away"),
        ({"approval": "acceptEdits"}, "a repository may only make it stricter, and it is 'ask'"),
        ({"startMode": "act"}, "a repository may only make it stricter, and it is 'plan'"),
        ({"intent": {"switch": "auto"}}, "a repository may only make it stricter, and it is 'confirm'"),
        ({"intent": {"model": "evil/model"}}, "only you may set it"),
        ({"limits": {"maxTurns": 101}}, "a repository may only lower it, and it is 100"),
        ({"limits": {"commandSeconds": 601}}, "a repository may only lower it, and it is 600"),
    ],
)
def test_an_untrusted_repository_cannot_loosen(values: dict[str, Any], why: str) -> None:
    merged = merge([hostile(values)])
    assert merged.settings == Settings()
    (problem,) = merged.problems
    assert problem.message == f"{problem.key} in <repository> {IGNORED.format(why)}"


def test_no_limit_is_the_loosest_limit() -> None:
    merged = merge([layer("user", {"limits": {"maxTokens": 10}}), hostile({"limits": {"maxTokens": 0}})])
    assert merged.settings.limits.max_tokens == 10
    assert len(merged.problems) == 1


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["act", "acceptAll", "auto", "off", "none"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
SAID = st.dictionaries(st.sampled_from([setting.key for setting in KNOWN_SETTINGS]) | st.text(max_size=9), ANYTHING)


@given(SAID, SAID)
def test_no_content_of_a_repository_widens_anything(mine: dict[str, Any], theirs: dict[str, Any]) -> None:
    alone = merge([layer("user", mine)]).settings
    both = merge([layer("user", mine), hostile(theirs)]).settings
    for setting in KNOWN_SETTINGS:
        before, after = (reduce(getattr, setting.path, settings) for settings in (alone, both))
        match setting.from_repository:
            case "never":
                assert after == before
            case "adds":
                assert after[: len(before)] == before
            case "lowers":
                assert (after or float("inf")) <= (before or float("inf"))
            case "stricter":
                assert setting.choices.index(after) <= setting.choices.index(before)


# --- what makes no sense


@pytest.mark.parametrize("kind", [bool, int, float, str, list, dict])
def test_what_a_setting_of_any_kind_takes_is_told(kind: type) -> None:
    group = create_model("Group", value=(kind, kind()))
    setting = KnownSetting("value", "PLANACT_VALUE", ("value",), group, "never", kind)
    assert _expected(setting)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"modl": "m"}, "no setting named 'modl' in <user>; did you mean 'model'?"),
        ({"start_mode": "act"}, "no setting named 'start_mode' in <user>; did you mean 'startMode'?"),
        (
            {"limits": {"max_turns": 5}},
            "no setting named 'limits.max_turns' in <user>; did you mean 'limits.maxTurns'?",
        ),
        ({"limit": {"maxTurns": 5}}, "no setting named 'limit' in <user>; did you mean"),
        ({"zzzzzz": 1}, "no setting named 'zzzzzz' in <user>; remove it, or correct its name"),
        ({"limits": 5}, "no setting named 'limits' in <user>; did you mean"),
        ({"limits": {"maxTurns": "5"}}, "limits.maxTurns in <user> is '5'; expected a whole number of at least 1"),
        ({"limits": {"maxTurns": True}}, "limits.maxTurns in <user> is True; expected a whole number of at least 1"),
        ({"limits": {"maxTurns": 0}}, "limits.maxTurns in <user> is 0; expected a whole number of at least 1"),
        ({"limits": {"maxCost": "x"}}, "limits.maxCost in <user> is 'x'; expected a number of at least 0"),
        ({"limits": {"maxCost": float("nan")}}, "limits.maxCost in <user> is nan; expected a number of at least 0"),
        ({"model": 5}, "model in <user> is 5; expected a text"),
        ({"ignore": "*.py"}, "ignore in <user> is '*.py'; expected a list of texts"),
        ({"ignore": [5]}, "ignore in <user> is [5]; expected a list of texts"),
        ({"modelParameters": []}, "modelParameters in <user> is []; expected a table"),
        (
            {"approval": "all"},
            "approval in <user> is 'all'; expected one of 'review', 'ask', 'acceptEdits', 'acceptAll'",
        ),
        ({"model": ["x" * 1000]}, "model in <user> is ['" + "x" * 78 + "…; expected a text"),
    ],
)
def test_what_makes_no_sense_is_named_and_costs_nobody_else(values: dict[str, Any], message: str) -> None:
    merged = merge([layer("user", values | {"actorModel": "kept"})])
    assert merged.settings == Settings(actor_model="kept")
    (problem,) = merged.problems
    assert problem.message.startswith(message)
    is_told_alone = "no setting named" in message and values != {"limits": 5}
    assert merged.unclear == ("" if is_told_alone else problem.message)
    assert merge([layer("repository", values)]).unclear == ""


@pytest.mark.parametrize(
    "folder",
    ["", ".", "..", "../x", "a/../../x", "/etc", "~/plans", "C:/x", "C:x", "a\\b", "a\0b", ".git/x", ".GIT", "//x"],
)
def test_plans_stay_inside_the_workspace(folder: str) -> None:
    (message,) = messages(layer("user", {"plansDirectory": folder}))
    assert message.endswith("expected a relative path inside the workspace, without `..`")


@pytest.mark.parametrize(
    ("folder", "expected"), [("plans/", "plans"), ("./a/./b", "a/b"), (".planact/x", ".planact/x")]
)
def test_the_folder_of_plans_has_one_spelling(folder: str, expected: str) -> None:
    assert merge([layer("user", {"plansDirectory": folder})]).settings.plans_directory == expected
