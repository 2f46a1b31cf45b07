"""A model that is away for a moment, from the user's chair: the wait is told, and no answer stands there twice."""

import json
import signal
import time

from tests.cli.drawn_terminal import DrawnTerminal
from tests.cli.program import Program
from tests.fakes.loopback_model import OVERLOADED, Answer, Fault, LoopbackModel, Say, rate_limited

MODEL = "openai/rehearsal"
TORN = Say("First of all I look around, then I begin.", drop_after=4)
REWORDED = Say("I begin with the tests.")


def in_turn(*answers: Say | Fault) -> Answer:
    left = list(answers)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]


def use(planact: Program, server: LoopbackModel) -> None:
    planact.variables |= {"PLANACT_MODEL_ENDPOINT": server.url, "OPENAI_API_KEY": "sk-test-0123456789abcdef"}


def test_without_a_terminal_each_wait_is_a_line_and_the_result_is_the_whole_answer(planact: Program) -> None:
    with LoopbackModel(in_turn(OVERLOADED, TORN, REWORDED)) as server:
        use(planact, server)
        ran = planact.run("chat", "What will you do?", model=MODEL)
    assert (ran.code, ran.out) == (0, "I begin with the tests.\n"), ran.err
    waits = [line for line in ran.err.splitlines() if line.startswith("! ")]
    ends = [line.partition("attempt ")[2] for line in waits]
    assert ends == ["2 of 5 [MODEL_OVERLOADED]", "3 of 5 [MODEL_STREAM_BROKEN]"], "a line a wait, not one a second"
    torn, replaced, reworded = (
        ran.err.index(text) for text in ("First of all", "this one replaces it:", REWORDED.text)
    )
    assert torn < replaced < reworded


def test_as_lines_of_json_each_wait_is_an_event(planact: Program) -> None:
    with LoopbackModel(in_turn(OVERLOADED, REWORDED)) as server:
        use(planact, server)
        ran = planact.run("chat", "What will you do?", "--json-lines", model=MODEL)
    *events, result = map(json.loads, ran.out.splitlines())
    (retried,) = (event["data"] for event in events if event["kind"] == "model_retried")
    assert retried.items() >= {
        "code": "MODEL_OVERLOADED", "reason": "The provider is overloaded (529)", "attempt": 2, "of": 5,
    }.items()  # fmt: skip
    assert 1 <= retried["wait_seconds"] <= 2
    assert result["text"] == REWORDED.text


def test_a_wait_that_is_too_long_is_not_begun_and_says_so(planact: Program) -> None:
    with LoopbackModel(in_turn(rate_limited("3600"))) as server:
        use(planact, server)
        ran = planact.run("chat", "What will you do?", "--json", model=MODEL)
        assert len(server.requests) == 1
    error = ran.json["error"]
    assert (ran.code, error["code"], error["hint"]) == (6, "MODEL_RATE_LIMITED", "Wait 60 min, then try again")
    assert error["message"].endswith("it asks for a wait of over 60 s")


def test_ctrl_c_ends_the_wait_at_once(planact: Program) -> None:
    with LoopbackModel(in_turn(rate_limited("50"), REWORDED)) as server:
        use(planact, server)
        process = planact.start("chat", "What will you do?", model=MODEL)
        assert process.stderr is not None
        seen = ""
        while "trying again in 50 s" not in seen:
            seen += process.stderr.readline()
        stopped = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=180)
        assert time.monotonic() - stopped < 40
        assert (process.returncode, len(server.requests)) == (130, 1)


def test_at_a_terminal_the_wait_is_counted_down_and_the_torn_answer_goes(planact: Program) -> None:
    with LoopbackModel(in_turn(Say("Hello."), TORN, rate_limited("3"), REWORDED)) as server:
        use(planact, server)
        drawn = DrawnTerminal(planact, "chat", "--model", MODEL)
        try:
            drawn.until("plan ›")
            drawn.types("Hello\r")
            drawn.until("Hello.")
            drawn.types("What will you do?\r")
            drawn.until("First of all I look")
            drawn.until("The provider takes no more requests for now (429). Trying again in 3 s, attempt 3 of 5")
            drawn.until("Trying again in 1 s")
            drawn.until(REWORDED.text)
            drawn.until_gone("Trying again in")
            assert "First of all" not in drawn.sees
            assert drawn.sees.count(REWORDED.text) == 1
            assert "attempt 2 of 5 [MODEL_STREAM_BROKEN]" in " ".join(drawn.sees.split())
        finally:
            drawn.close()


def test_at_a_terminal_what_was_printed_of_a_torn_answer_is_marked(planact: Program) -> None:
    paragraphs = Say("First I look around.\n\nThen I begin.\n\nAnd at last all of it comes to its end.", drop_after=9)
    with LoopbackModel(in_turn(paragraphs, REWORDED)) as server:
        use(planact, server)
        drawn = DrawnTerminal(planact, "chat", "--model", MODEL)
        try:
            drawn.until("plan ›")
            drawn.types("What will you do?\r")
            drawn.until(REWORDED.text)
            seen = drawn.sees
            places = [seen.index(text) for text in ("First I look", "this one replaces it:", REWORDED.text)]
            assert places == sorted(places)
            assert "And at" not in seen
        finally:
            drawn.close()
