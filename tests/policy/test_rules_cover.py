"""Nothing that a rule covers is judged laxer than the call that the rule was made of, but for its files and flags."""

from dataclasses import replace
from pathlib import PurePosixPath

from hypothesis import example, given
from hypothesis import strategies as st

from planact.base.paths import Place
from planact.model.rights.permission import CommandEffect, Mode
from planact.model.rights.rule import Allowed, AllowedCalls
from planact.policy.commands import names_program_beyond
from planact.policy.context import Allow, Ask, Deny, PlacedEffect, PolicyContext, Request
from planact.policy.decide import confinement, decide, rules_for, wider_rules_for
from planact.shell.compare.similar_calls import _table
from planact.tools.commands.reader import LineReader
from tests.policy.test_table import HELD, standing

READER = LineReader("/ws", None, lambda _: (), is_windows=False)
TABLE = _table()
STARTS = sorted(f"{start} test" if row.named else start for start, row in TABLE.items())
FLAGS = sorted({flag for row in TABLE.values() for flag in row.flags | row.limits})
VALUES = sorted({f"{option}=a" for row in TABLE.values() for option in row.values | row.patterns})
HOSTILE = (
    *("-p evil", "-c /etc/x", "--rootdir=/", "-o x=y", "--config ../x", "--exec ./x", "-toolexec x", "-C /", "--fix"),
    *("$(id)", "`id`", "$HOME", "~/x", "/etc/passwd", "../x", "a/../../x", "@args", "*.py", "{a,b}", "--", "deploy"),
    *("publish", "CC=evil", "<(id)", "-", "'a b'", "'$(id)'", "a\\ b", "--output=x", "--url http://a", "test"),
)
ENDS = (
    *(
        "",
        "",
        "",
        " 2>&1",
        " | tail -20",
        " 2>&1 | grep -i fail | head -3",
        " > out",
        " | sh",
        "; rm x",
        " && git push",
    ),
    *(" &", " | tee x", " || curl a", "\nrm x", " 2>/dev/null", " | tail -f x", " < x", " | xargs rm"),
)
FRONTS = ("", "", "", "", "A=1 ", "cd /ws && ", "cd sub && ", "env ", "sudo ", "PATH=. ", "time ", "cd .. && ", "! ")
NAMES = ("a.py", "src/b_test.go", "tests/", "x::y", "a.ts:3", "name", "9")
WORDS = st.lists(st.sampled_from((*FLAGS, *VALUES, *NAMES, *HOSTILE, "-k name", "-run X")), max_size=4).map(" ".join)


@st.composite
def lines(draw: st.DrawFn, start: str) -> str:
    """A call that begins like `start` or otherwise, with words and a front and an end that may be harmless."""
    begins = draw(st.sampled_from((start, start, start, *STARTS)))
    return f"{draw(st.sampled_from(FRONTS))}{begins} {draw(WORDS)}{draw(st.sampled_from(ENDS))}".rstrip()


@st.composite
def pairs(draw: st.DrawFn) -> tuple[str, str]:
    """A plain call with options of its own, and another."""
    start = draw(st.sampled_from(STARTS))
    row = TABLE.get(start) or TABLE[start.removesuffix(" test")]
    options = sorted(row.flags | row.limits)
    own = draw(st.lists(st.sampled_from(options), max_size=2)) if options else []
    return " ".join((start, *own)), draw(lines(start))


DIRECTORIES = st.sampled_from((".", ".", ".", "sub"))
EXTRAS = st.sampled_from(({}, {}, {}, {"goes_on": True}, {"why_network": "it needs it"}, {"held_back": "the network"}))


def asked(line: str, directory: str = ".", **more: object) -> Request:
    place = Place(directory, PurePosixPath("/ws") / directory, PurePosixPath(directory))
    found = READER.read_now(line, f"/ws/{directory}".removesuffix("/."))
    return Request(
        "a_tool", frozenset(), False, (PlacedEffect(CommandEffect(line, directory, **more), place, found=found),)
    )


def act(**more: object) -> PolicyContext:
    return replace(standing(Mode.ACT), held=HELD, contain="ask", commands_deny=frozenset({"tail"}), **more)


def assert_no_laxer(example_: Request, other: Request, rules: frozenset[Allowed]) -> None:
    """The other call passes by the rules: it needs no more than the example, and changes nothing in Plan."""
    [of_example], [of_other] = example_.touches, other.touches
    one, two = of_example.found, of_other.found
    assert one is not None
    assert two is not None
    with_rules = act(rules=rules)
    verdicts = [decide(each, with_rules) for each in (example_, other)]
    assert verdicts[1] == Allow()
    jails = [confinement(each, with_rules, verdict) for each, verdict in zip((example_, other), verdicts, strict=True)]
    assert jails[0] == jails[1]
    assert of_example.place == of_other.place
    assert two.cls == one.cls
    assert two.traits - {"plain"} <= one.traits
    assert not (two.outside or two.servers) or (two.outside, two.servers) == (one.outside, one.servers)
    limits = next(
        (row.limits for start, row in TABLE.items() if f"{of_example.effect.command} ".startswith(f"{start} ")), set()
    )
    kept = [set(touch.effect.command.split()) & limits for touch in (of_example, of_other)]
    assert kept[0] <= kept[1], "an option that limits the example"
    assert {*two.programs} <= {*one.programs, "grep", "head", "tail", "wc", "sort", "uniq", "cat", "cd"}
    assert not names_program_beyond(of_other.effect.command) or names_program_beyond(of_example.effect.command)
    for field in ("goes_on", "why_network", "held_back"):
        assert bool(getattr(of_other.effect, field)) <= bool(getattr(of_example.effect, field)), field
    plan = replace(standing(Mode.PLAN), held=HELD)
    assert decide(other, replace(plan, rules=rules)) == decide(other, plan)


@given(pairs(), DIRECTORIES, DIRECTORIES, EXTRAS)
@example(("pytest", "pytest -q a.py 2>&1 | grep x"), ".", ".", {})
@example(("pytest", "pytest"), ".", ".", {"goes_on": True})
@example(("pytest", "pytest"), ".", ".", {"why_network": "x"})
@example(("npm run test", "npm run test --silent"), ".", ".", {})
@example(("npm run test", "npm run deploy"), ".", ".", {})
@example(("make test -n", "make test"), ".", ".", {})
@example(("tsc --noEmit", "tsc --pretty"), ".", ".", {})
def test_calls_alike_are_no_laxer_than_the_example(
    pair: tuple[str, str], directory: str, other_directory: str, extra: dict[str, object]
) -> None:
    first, other = asked(pair[0], directory), asked(pair[1], other_directory, **extra)
    ask = decide(first, act())
    assert isinstance(ask, Ask), pair
    rules = wider_rules_for(ask, act())
    assert rules, pair
    assert all(isinstance(rule, AllowedCalls) for rule in rules)
    before, after = decide(other, act()), decide(other, act(rules=rules))
    if before != after:
        assert_no_laxer(first, other, rules)
    if " tail" in pair[1]:
        assert isinstance(after, Deny | Ask)


@given(pairs(), st.sampled_from(ENDS), st.sampled_from(FRONTS), DIRECTORIES)
@example(("make test", "make test"), " 2>&1 | grep -c x", "cd /ws && ", ".")
def test_what_an_exact_rule_covers_is_no_laxer_than_the_example(
    pair: tuple[str, str], end: str, front: str, directory: str
) -> None:
    for line in pair:
        first, other = asked(line), asked(f"{front}{line}{end}", directory)
        ask = decide(first, act())
        rules = rules_for(ask, act()) if isinstance(ask, Ask) else frozenset[Allowed]()
        if decide(other, act()) != decide(other, act(rules=rules)):
            assert_no_laxer(first, other, rules)


@given(st.sampled_from(STARTS), WORDS, st.sampled_from(ENDS))
def test_a_rule_covers_variants_of_its_own_example(start: str, words: str, end: str) -> None:
    """Else the two tests above could pass with rules that cover nothing."""
    first, other = asked(start), asked(f"{start} {words}{end}".rstrip())
    ask = decide(first, act())
    assert isinstance(ask, Ask), start
    rules = wider_rules_for(ask, act())
    assert rules, start
    found = other.touches[0].found
    is_alike = found is not None and first.touches[0].found.similar[0] in found.similar
    is_allowed = isinstance(decide(other, act(rules=rules)), Allow)
    assert is_allowed == (is_alike and "tail" not in found.programs and not found.traits - {"plain"})
