"""Sequences of calls that go round, with the same results or with others."""

import itertools
from pathlib import Path

import pytest

from planact.agent.repeats import LONGEST_SEQUENCE, Circle, Repeats
from planact.model.chat.message import ToolCall
from planact.model.rights.permission import Mode
from planact.tools.tool_result import Done, Failed, Refused, ToolResult
from tests.agent.talking import SAID, read, talk
from tests.fakes.world import call, calls


def made(name: str) -> ToolCall:
    return call("read_file", path=name)


def rounds(names: str, times: int, result: str = "text") -> list[Circle | None]:
    """Circles that calls of these names close, one round after the other."""
    repeats = Repeats()
    return [repeats.note(made(name), Done(result)) for name in names * times]


@pytest.mark.parametrize("length", range(2, LONGEST_SEQUENCE + 1))
def test_a_sequence_is_told_at_its_third_time_and_ends_the_turn_at_its_fourth(length: int) -> None:
    circles = rounds("abcdefgh"[:length], 4)
    assert [circle.kind if circle else "" for circle in circles] == [
        "told" if n == 3 * length else "limit" if n == 4 * length else "" for n in range(1, 4 * length + 1)
    ]
    for circle in (circles[3 * length - 1], circles[-1]):
        assert circle is not None
        assert f"{length} calls were made" in circle.reason
        assert all(f'"path": "{name}"' in circle.reason for name in "abcdefgh"[:length])
    assert circles[-1].reason.endswith("[SAME_CALL_AGAIN]")


def test_a_sequence_may_come_three_times_where_a_result_differs() -> None:
    repeats, counter = Repeats(), itertools.count()
    for _ in range(12):
        assert repeats.note(made("a"), Done("same")) is None
        assert repeats.note(made("b"), Done(f"{next(counter)} left")) is None


def test_times_in_a_result_make_no_difference_and_neither_does_the_order_of_arguments() -> None:
    repeats = Repeats()
    circles = []
    for n in range(3):
        arguments = '{"command": "x", "directory": "."}' if n % 2 else '{"directory": ".", "command": "x"}'
        run = ToolCall(id="1", name="execute_command", arguments=arguments)
        circles += [repeats.note(run, Done(f"1 failed in 0.{n}3s at 12:0{n}:01")), repeats.note(made("a"), Done(""))]
    assert circles[-1] is not None
    assert circles[-1].kind == "told"


def test_refusals_and_failures_are_results_too() -> None:
    refused = Refused("TOOL_BLOCKED_BY_MODE", "create_file", Mode.PLAN, "no")
    results: list[ToolResult] = [refused, Failed("FILE_NOT_FOUND", "none")]
    repeats = Repeats()
    kinds = [repeats.note(made(str(n % 2)), results[n % 2]) for n in range(8)]
    assert [kind.kind if kind else "" for kind in kinds] == [*[""] * 5, "told", "", "limit"]


def test_waiting_is_no_circle() -> None:
    repeats = Repeats()
    wait = call("read_output", id="1")
    assert [repeats.note(each, Done("")) for _ in range(20) for each in (made("a"), wait)] == [None] * 40


@pytest.mark.parametrize("names", [("a", "b"), ("a", "b", "a", "c")])
def test_a_turn_that_goes_round_ends_with_what_was_tried(tmp_path: Path, names: tuple[str, ...]) -> None:
    it = talk(tmp_path, *(calls(read(name)) for name in names * 15), SAID)
    for name in names:
        it.world.write(name, "text")
    result = it.run()
    assert (result.kind, len(it.requests())) == ("limit", 4 * len(names))
    assert all(f'"path": "{name}"' in result.reason for name in names)
    told = [content for role, content in it.transcript() if role == "tool"]
    assert [f"{len(names)} calls were made 3 times in a row" in content for content in told] == [
        n == 3 * len(names) for n in range(1, 4 * len(names) + 1)
    ]


def test_calls_of_one_answer_go_round_as_well(tmp_path: Path) -> None:
    it = talk(tmp_path, *[calls(read("a", "1"), read("b", "2"))] * 30, SAID)
    it.world.write("a", "text")
    it.world.write("b", "text")
    assert it.run().kind == "limit"
    assert len(it.requests()) == 4
