import json
import os
import subprocess
import sys


def planact(words: list[str], given: bytes) -> tuple[int, str]:
    """Exit code and standard output of the program, with this on standard input."""
    done = subprocess.run([sys.executable, "-m", "planact", *words], input=given, capture_output=True, timeout=180)
    return done.returncode, done.stdout.decode()


def test_each_line_of_json_is_answered_by_one() -> None:
    given = '{"text": "go ahead"}\n\n{"text": "先不要执行", "id": 7}\n{"text": "yes\\nplease"}'
    code, out = planact(["policy", "intent", "--json"], given.encode())
    assert (code, [json.loads(line) for line in out.splitlines()]) == (
        0,
        [
            {"text": "go ahead", "intent": "EXECUTE_NOW", "rule": "order", "span": [0, 8]},
            {"text": "先不要执行", "intent": "PLAN_ONLY", "rule": "zh-no-changes-yet", "span": [0, 5]},
            {"text": "yes\nplease", "intent": "UNCLEAR", "rule": "bare", "span": [0, 10]},
        ],
    )


def test_plain_lines_are_answered_for_people() -> None:
    code, out = planact(["policy", "intent"], "ok, do it\n可以开始执行吗？\n".encode())
    assert (code, out) == (0, "EXECUTE_NOW  order  ok, [do it]\nUNCLEAR  question  可以开始执行吗[？]\n")


def test_a_line_that_is_no_message_ends_it_with_a_reason() -> None:
    for line in (b"go ahead", b'"go ahead"', b"{}", b'{"text": 1}', b"\xff", b"[" * 100_000):
        code, out = planact(["policy", "intent", "--json"], b'{"text": "ok"}\n' + line)
        answers = [json.loads(answer) for answer in out.splitlines()]
        assert (code, answers[0]["intent"], answers[1]["error"]["code"]) == (2, "UNCLEAR", "INVALID_ARGUMENTS")


def test_the_word_begin_alone_asks_to_execute() -> None:
    code, out = planact(["policy", "intent"], b"begin\nBegin!\nstart\nbegin tomorrow\nbegin?\n")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == [*["EXECUTE_NOW"] * 2, *["UNCLEAR"] * 3]


def test_input_without_a_message_is_an_error() -> None:
    for given in (b"", b"\n", b"  \n\n"):
        for words in ([], ["--json"]):
            code, _ = planact(["policy", "intent", *words], given)
            assert code == 2, (given, words)


def test_the_answer_comes_at_once() -> None:
    costs = []
    for _ in range(5):
        before = os.times()
        planact(["policy", "intent", "--json"], b'{"text": "go ahead"}')
        costs.append(os.times().children_user - before.children_user)
    assert min(costs) < 1  # seconds of the processor, about 0.1; litellm alone takes longer than this to import
