import json
import time
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planact.base.span import Span
from planact.model.chat.message import Intent
from planact.policy.intent.rules import detect
from planact.policy.intent.words import SHARED
from tests.soak import times

LINES = (Path(__file__).parents[1] / "data/intent/messages.jsonl").read_text("utf-8").splitlines()
MESSAGES = [json.loads(line) for line in LINES[:: len(LINES) // times(len(LINES), len(LINES))]]
OTHERS = [message for message in MESSAGES if message["kind"] != "approval"]


@cache
def intents() -> dict[str, str]:
    """Return the intent of each message. Computed when a test asks: every worker loads this file."""
    return {message["text"]: detect(message["text"]).intent for message in MESSAGES}


FOUND = st.deferred(lambda: st.sampled_from([text for text, intent in intents().items() if intent == "EXECUTE_NOW"]))


@pytest.mark.parametrize("kind", sorted({message["kind"] for message in OTHERS}))
def test_nothing_but_an_approval_approves(kind: str) -> None:
    texts = [message["text"] for message in OTHERS if message["kind"] == kind]
    assert [text for text in texts if intents()[text] == "EXECUTE_NOW"] == []


@pytest.mark.parametrize(
    "text",
    [
        *(Path(__file__).parents[1] / "data/intent/disguised.txt").read_text("utf-8").splitlines(),
        "go ahead\u200b and wait",
        "g\u043e ahead",
        "proceed\n\nnot",
        "go ahead \x08\x08\x08 no",
    ],
)
def test_nothing_that_only_sounds_like_an_approval_approves(text: str) -> None:
    """Quoted, of others, of something else, taken back, in part, later, with an order behind it; also in German."""
    assert detect(text).intent != "EXECUTE_NOW"


@pytest.mark.slow
@pytest.mark.parametrize("source", sorted({message["source"] for message in MESSAGES}))
@pytest.mark.parametrize("language", ["en", "zh"])
def test_nine_of_ten_plain_approvals_are_found(language: str, source: str) -> None:
    asked = [m["text"] for m in MESSAGES if (m["kind"], m["language"], m["source"]) == ("approval", language, source)]
    missed = [text for text in asked if intents()[text] != "EXECUTE_NOW"]
    print(f"\n{language}, {source}: {len(asked) - len(missed)} of {len(asked)} found; missed: {missed}")
    assert len(missed) <= len(asked) * 0.1


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_four_of_five_refusals_are_understood_as_such(language: str) -> None:
    refusals = [m["text"] for m in OTHERS if (m["kind"], m["language"]) == ("refusal", language)]
    understood = [text for text in refusals if intents()[text] == "PLAN_ONLY"]
    assert len(understood) >= len(refusals) * 0.8


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Looks good. Go ahead!", Intent("EXECUTE_NOW", "order", Span(12, 20))),
        ("  好的，开始执行吧。\n", Intent("EXECUTE_NOW", "zh-order", Span(5, 10))),
        ("you may proceed", Intent("EXECUTE_NOW", "permission", Span(0, 15))),
        ("先不要执行", Intent("PLAN_ONLY", "zh-no-changes-yet", Span(0, 5))),
        ("ok, but don't execute yet", Intent("PLAN_ONLY", "no-changes-yet", Span(8, 21))),
        ("just plan", Intent("PLAN_ONLY", "only-plan", Span(0, 9))),
        ("shall we go ahead?", Intent("UNCLEAR", "question", Span(17, 18))),
        ("shall we go ahead", Intent("UNCLEAR", "question", Span(0, 5))),
        ("go ahead if the tests pass", Intent("UNCLEAR", "condition", Span(9, 11))),
        ("go ahead and explain", Intent("UNCLEAR", "other", Span(9, 20))),
        ("> go ahead", Intent("UNCLEAR", "quote", Span(0, 1))),
        ("`go ahead`", Intent("UNCLEAR", "code", Span(0, 1))),
        ("go ahead with step 1 only", Intent("UNCLEAR", "part", Span(14, 18))),
        ("you can start, ok", Intent("UNCLEAR", "question", Span(0, 17))),
        ("yeah right, go ahead", Intent("UNCLEAR", "weary", Span(0, 10))),
        ("do it better", Intent("UNCLEAR", "how", Span(0, 12))),
        ("好的就执行", Intent("UNCLEAR", "zh-condition", Span(0, 3))),
        ("继续", Intent("UNCLEAR", "bare", Span(0, 2))),
        ("", Intent("UNCLEAR", "bare", Span(0, 0))),
        ("go ahead " * 100, Intent("UNCLEAR", "long", Span(0, 899))),
    ],
)
def test_the_answer_names_its_rule_and_the_place_that_decided(text: str, expected: Intent) -> None:
    assert detect(text) == expected


WRAPPERS = [
    "{}?",
    "{}？",
    "shall we {}",
    "should I say {}",
    "can you {}",
    "is it time to {}",
    "do not {}",
    "don't {}",
    "never {}",
    "not {}",
    "{} not",
    "{}, not yet",
    "{} if the tests pass",
    "if you are sure, {}",
    "when I say so, {}",
    "{} unless it breaks something",
    "{} but skip the last step",
    "{} after lunch",
    "{}, once the build is green",
    "{} and explain",
    "{} with step 1 only",
    "{} in your head first",
    "he said: {}",
    "Bob says {}",
    '"{}"',
    "'{}'",
    "“{}”",
    "「{}」",
    "> {}",
    "`{}`",
    "```\n{}\n```",
    "{} /s",
    "{} 🙄",
    "yeah right, {}",
    "{}...",
    "先不要{}",
    "不要{}",
    "别{}",
    "不{}",
    "等我确认后再{}",
    "如果测试通过就{}",
    "{}之前先等我确认",
    "{}吗",
    "{}吗？",
    "是否{}",
    "要不要{}",
    "他说{}",
    "{}的话会怎样",
    "我还没说{}",
    "{}第一步",
    "呵呵，{}",
    "{}, right",
    "{}, ok",
    "{} and explain why",
    "{} and then tell me",
    "{}, then wait",
    "{}, stop",
    "no, {}",
    "wait, {}",
    "yeah, right, {}",
    "could you {}",
    "would you {}",
    "if it is safe {}",
    "when you are done planning, {}",
    "{} tomorrow",
    "{} except the last step",
    "{} without tests",
    "maybe {}",
    "{} instead of planning",
    "{} or not",
    "you said {}",
    "没问题就{}",
    "{}并解释",
    "{}然后告诉我",
    "明天{}",
    "{}的前两步",
    "除了第二步都{}",
    "先{}",
    "能{}",
    "想{}",
    "{}了没",
    "{}的时候告诉我",
]


@given(FOUND, st.sampled_from(WRAPPERS))
@pytest.mark.soak
@settings(max_examples=times(1_500, 30_000))
def test_an_approval_inside_something_else_approves_nothing(approval: str, wrapper: str) -> None:
    assert detect(wrapper.format(approval)).intent != "EXECUTE_NOW"


# A heart is understood.
UNKNOWN_WORDS = st.text(alphabet="qwxzй日0123456789#/@%=<[{|", min_size=1, max_size=8).filter(
    lambda text: "<3" not in text
)


@given(FOUND, UNKNOWN_WORDS, st.booleans())
def test_a_word_that_is_not_understood_approves_nothing(approval: str, word: str, is_before: bool) -> None:
    text = f"{word} {approval}" if is_before else f"{approval} {word}"
    assert detect(text).intent != "EXECUTE_NOW"


def test_an_approval_said_twice_is_found() -> None:
    """But for "行" at both ends: side by side it sounds weary. "Begin." approves only by itself."""
    found = [text for text, intent in intents().items() if intent == "EXECUTE_NOW"]
    missed = [text for text in found if detect(f"{text}\n{text}").intent != "EXECUTE_NOW"]
    assert [text for text in missed if text != "Begin." and not (text[0] == text[-1] == "行")] == []


@given(FOUND, st.data())
def test_an_approval_is_found_however_it_is_dressed(approval: str, data: st.DataObject) -> None:
    dress = data.draw(
        st.sampled_from(
            [
                str.upper,
                str.title,
                lambda text: f"  {text}\n\n",
                lambda text: f"{text}!!",
                lambda text: f"{text} 👍",
                lambda text: f"please, {text}",
                lambda text: f"好的，{text}",
                lambda text: text.translate({code: code + 0xFEE0 for code in range(0x21, 0x7F)} | {0x20: 0x3000}),
            ]
        )
    )
    assert detect(dress(approval)).intent == "EXECUTE_NOW"


@pytest.mark.parametrize(
    "text", ["go ahed", "porceed", "procede", "implment it", "excute the plan", "plaese do it", "go ahesd", "execut it"]
)
def test_one_wrong_letter_in_a_key_word_is_overlooked(text: str) -> None:
    assert detect(text).intent == "EXECUTE_NOW"


@pytest.mark.parametrize(
    "text", ["executed", "it executes the plan", "proceeds", "implements it", "go had", "go bread", "execxxte"]
)
def test_another_word_is_not_a_slip_of_the_pen(text: str) -> None:
    assert detect(text).intent == "UNCLEAR"


@given(
    st.text() | st.lists(st.sampled_from([*"go ahead 执行不吗?.,`>\n", *SHARED.cheer, "\ud800", "İ", "ﬃ"])).map("".join)
)
@pytest.mark.soak
@settings(max_examples=times(500, 20_000))
def test_any_text_is_judged_with_a_span_inside_it(text: str) -> None:
    found = detect(text)
    assert 0 <= found.span.start <= found.span.end <= len(text)


@pytest.mark.parametrize("piece", ["go ahead ", "please ", "执行", "，", " ", "👍", "x", "`", "yes, ", "\n", "“", "都"])
def test_a_long_text_takes_no_longer_than_reading_it(piece: str) -> None:
    # Up to the longest message all is looked at, in bounded time; past that the length alone decides.
    for size in (300, 1_000_000):
        started = time.process_time()
        detect((piece * size)[:size])
        assert time.process_time() - started < 0.5
