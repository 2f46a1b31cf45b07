"""Which rule a question offers: the narrowest one, and none where asking again is the point."""

from dataclasses import replace
from pathlib import PurePosixPath

import pytest

from planact.model.rights.permission import AskEffect, CommandEffect, McpEffect, Mode, PageEffect
from planact.model.rights.rule import Allowed, AllowedCommand, AllowedPath, AllowedServers
from planact.policy.context import Allow, Ask, Deny, PlacedEffect, Request
from planact.policy.decide import decide, rule_for, wider_rules_for
from tests.policy.test_rules_cover import asked
from tests.policy.test_table import standing
from tests.policy.touches import command, path

PAGES_OF_A = "fetch pages of a.example, by addresses from you, a search or a fetched page"


def reading(name: str) -> PlacedEffect:
    touch = command(f"cat {name}", "local-read", "outside")
    return replace(touch, found=replace(touch.found, reads=(name,)))


def allowed(text: str, directory: str = ".") -> Allowed:
    return AllowedCommand(command=text, directory=directory)


@pytest.mark.parametrize(
    ("touch", "in_plan", "in_act"),
    [
        (path("write", "a.py"), "write a.py", "write a.py"),
        (path("write", "link.py", real="src/real.py"), "write src/real.py", "write src/real.py"),
        (path("delete", "a.py"), "delete a.py", "delete a.py"),
        (path("make_directory", "src"), "make directory src", "make directory src"),
        (path("read", ".env"), None, None),
        (path("write", "out", real="/etc/hosts"), None, None),
        (PlacedEffect(AskEffect()), None, None),
        (PlacedEffect(McpEffect("it", "note", "f")), *["call note of the MCP server it, whatever its arguments"] * 2),
        (PlacedEffect(PageEffect("https://a.example/b"), is_given=True), *[PAGES_OF_A] * 2),
        (PlacedEffect(PageEffect("https://a.example/b")), None, None),
        (command(" make test ", "unknown"), None, "run `make test` in the workspace folder"),
        (command("make", "unknown", directory="sub"), None, "run `make` in sub"),
        (command("make", "unknown", directory="../x"), None, None),
        (command("make test\u2003", "unknown"), None, "run `make test\u2003` in the workspace folder"),
        (command("rm x", "mutating"), None, "run `rm x` in the workspace folder"),
        (command("cat /etc/hosts", "local-read", "outside"), *["run `cat /etc/hosts` in the workspace folder"] * 2),
        (command("curl x", "net-read", "fetches"), *["run `curl x` in the workspace folder"] * 2),
        (command("gh auth token", "net-read", "secret"), None, None),
        (reading("/home/me/.aws/credentials"), None, None),
        (replace(command("make", "unknown"), found=None), None, None),
    ],
)
def test_a_rule_names_exactly_what_it_allows(touch: PlacedEffect, in_plan: str | None, in_act: str | None) -> None:
    rules = [rule_for(touch, mode) for mode in (Mode.PLAN, Mode.ACT)]
    assert [rule and str(rule) for rule in rules] == [in_plan, in_act]


@pytest.mark.parametrize(
    "touch",
    [
        command("make test", "unknown"),
        command("make  test", "unknown"),
        command("make test; rm x", "mutating"),
        command("make", "unknown", directory="sub"),
        command("MAKE", "unknown"),
        path("create", "a.py"),
        path("delete", "a.py"),
        path("write", "a.pyc"),
        path("write", "sub/a.py"),
        path("write", "a.py", real="b.py"),
    ],
)
def test_a_rule_covers_nothing_that_only_resembles_what_it_names(touch: PlacedEffect) -> None:
    rules = frozenset({allowed("make"), AllowedPath(action="write", path="a.py")})
    asked = Request("a_tool", frozenset(), False, (touch,))
    assert isinstance(decide(asked, replace(standing(Mode.ACT, rules=rules), contain="ask")), Ask)


@pytest.mark.parametrize(
    "touch",
    [
        command("make", "unknown"),
        command("cat ../a", "local-read", "outside"),
        command("curl x", "net-read", "fetches"),
    ],
)
def test_a_rule_covers_no_escalation_of_its_text(touch: PlacedEffect) -> None:
    effect = touch.effect
    assert isinstance(effect, CommandEffect)
    with_network, beside = replace(effect, why_network="it fetches"), replace(effect, goes_on=True)
    calls = [touch, replace(touch, effect=with_network), replace(touch, effect=beside)]
    for example in calls:
        rule = rule_for(example, Mode.ACT)
        assert rule is not None
        for other in calls:
            asked = Request("a_tool", frozenset(), False, (other,))
            verdict = decide(asked, replace(standing(Mode.ACT, rules=frozenset({rule})), contain="ask"))
            assert isinstance(verdict, Allow if other is example else Ask), (rule, other)


def test_a_tool_that_always_asks_is_satisfied_when_all_it_touches_is_allowed() -> None:
    touch = path("read", "a.py")
    asked = Request("a_tool", frozenset(), True, (touch, path("read", "b.py")))
    rules = [AllowedPath(action="read", path=name) for name in ("a.py", "b.py")]
    assert isinstance(decide(asked, standing(Mode.ACT, rules=frozenset(rules[:1]))), Ask)
    assert decide(asked, standing(Mode.ACT, rules=frozenset(rules))) == Allow()
    assert isinstance(decide(replace(asked, touches=()), standing(Mode.ACT, rules=frozenset(rules))), Ask)


def test_what_is_asked_about_contained_is_not_let_loose_by_a_rule_of_act() -> None:
    asked = Request("a_tool", frozenset(), False, (command("make", "unknown"),))
    in_plan = replace(standing(Mode.PLAN, rules=frozenset({allowed("make")})), contain="ask")
    assert isinstance(decide(asked, in_plan), Ask)


def test_several_reasons_are_told_and_many_are_counted() -> None:
    touches = tuple(path("write", f"{number}.py") for number in range(6))
    verdict = decide(Request("a_tool", frozenset(), False, touches), standing(Mode.ACT))
    names = "; ".join(f"the approved step doesn't name {number}.py" for number in range(4))
    assert verdict == Ask(f"{names}; and 2 more", touches)
    assert PurePosixPath("0.py") == verdict.touches[0].place.relative


COMMITS = (
    "git add a.py && git commit -m 'fix'",
    "git commit -am 'feat: more'",
    "git add -A && git status --short",
)
NO_COMMITS = ("git push", "git commit -m a && git push", "git commit --amend -m a", "git add a && npm test")


@pytest.mark.parametrize("line", COMMITS)
def test_one_rule_covers_all_that_stages_and_commits(line: str) -> None:
    context = replace(standing(Mode.ACT), contain="ask")
    first = asked(line)
    ask = decide(first, context)
    assert isinstance(ask, Ask)
    [rule] = rules = wider_rules_for(ask, context)
    assert str(rule) == "stage files in the workspace folder and commit them, by `git add` and `git commit -m …`"
    with_rule = replace(context, rules=rules)
    verdicts = {each: decide(asked(each), with_rule) for each in (*COMMITS, *NO_COMMITS)}
    assert {each for each, verdict in verdicts.items() if verdict == Allow()} == {*COMMITS}
    in_plan = standing(Mode.PLAN, rules=rules)
    assert all(isinstance(decide(asked(each), in_plan), Deny) for each in COMMITS)


def test_a_line_that_also_pushes_needs_a_rule_for_just_that_push() -> None:
    context = replace(standing(Mode.ACT), contain="ask")
    line = "git add a.py && git commit -m 'fix' && git push origin main"
    ask = decide(asked(line), context)
    assert isinstance(ask, Ask)
    commits, push = sorted(wider_rules_for(ask, context), key=str, reverse=True)
    assert str(push) == "run `git push origin main` in the workspace folder"
    alike = ("git commit -am 'more' && git push origin main 2>&1 | tail -3", "git push origin main; git add -A", line)
    others = (
        *("git commit -am 'more' && git push origin dev", "git add -A && git push --force origin main"),
        *("git add -A && git push origin main && git tag v1", "git push origin main && npm test", "git tag v1"),
    )
    for rules, covered in (
        (frozenset({commits, push}), {*alike, "git push origin main", "git add -A"}),
        (frozenset({commits}), {"git add -A"}),
        (frozenset({push}), {"git push origin main"}),
    ):
        with_rules = replace(context, rules=rules)
        lines = (*alike, *others, "git push origin main", "git add -A")
        assert {each for each in lines if decide(asked(each), with_rules) == Allow()} == covered
        assert all(isinstance(decide(asked(each), replace(with_rules, mode=Mode.PLAN)), Deny) for each in lines)


def test_servers_that_may_be_asked_may_be_asked_one_at_a_time() -> None:
    together = AllowedServers(servers=("localhost:80", "localhost:8080"))
    apart = frozenset({AllowedServers(servers=("localhost:80",)), AllowedServers(servers=("localhost:8080",))})
    for rules in (frozenset({together}), apart):
        context = standing(Mode.ACT, rules=rules)
        for line in ("curl -s localhost:80", "curl -s localhost:8080/a", "curl -s localhost:80; curl localhost:8080"):
            assert not isinstance(decide(asked(line), context), Ask), line
        assert isinstance(decide(asked("curl -s localhost:80; curl -s localhost:81"), context), Ask)
