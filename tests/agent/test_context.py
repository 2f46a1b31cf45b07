import json
from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from planact.agent.context import COMPACTION, CUT_OFF, INTERRUPTED, SURROUNDINGS, RequestMessages, request_messages
from planact.model.chat.message import PLAN_HEADING, Message, ToolCall


class Said:
    """A transcript in the making; ids are given in the order of the calls unless one was taken before."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self._count = 0

    def id(self) -> str:
        self._count += 1
        return f"{self._count:04}"

    def add(self, role: str, content: str, message_id: str = "", **more: object) -> None:
        made = {"id": message_id or self.id(), "session_id": "s", "role": role, "content": content, **more}
        self.messages.append(Message.model_validate(made))

    def call(self, *ids: str, name: str = "read_file", arguments: str = "{}") -> None:
        made = [ToolCall(id=call_id, name=name, arguments=arguments) for call_id in ids]
        self.add("assistant", "", tool_calls=made)

    def result(self, call_id: str, content: str, **metadata: object) -> None:
        self.add("tool", content, tool_call_id=call_id, metadata=metadata)

    def request(self) -> list[tuple[str, str]]:
        return [(str(m["role"]), str(m["content"])) for m in request_messages("system", self.messages)[1:]]


def test_a_call_without_a_result_was_interrupted() -> None:
    said = Said()
    said.call("a", "b")
    said.result("b", "done")
    said.add("user", "go on")
    assert said.request() == [("assistant", ""), ("tool", INTERRUPTED), ("tool", "done"), ("user", "go on")]


def test_an_id_that_a_provider_uses_again_gets_its_own_result_each_time() -> None:
    said = Said()
    said.call("call_0")
    said.result("call_0", "first")
    said.call("call_0")
    said.result("call_0", "second")
    said.call("call_0")
    contents = [content for role, content in said.request() if role == "tool"]
    assert contents == ["first", "second", INTERRUPTED]


def test_the_result_of_an_earlier_context_answers_no_call_of_this_one() -> None:
    said = Said()
    said.call("call_0")
    said.result("call_0", "of another run")
    said.add("system", "A new run begins.", metadata={"begins_context": True, "for_model": True})
    said.call("call_0")
    assert said.request() == [("user", "[planact] A new run begins."), ("assistant", ""), ("tool", INTERRUPTED)]


def test_what_was_typed_while_the_model_spoke_comes_after_its_reply_and_the_results() -> None:
    said = Said()
    said.add("user", "begin")
    spoken = said.id()
    said.add("user", "wait, also this")
    said.add("assistant", "", spoken, tool_calls=[ToolCall(id="a", name="read_file", arguments="{}")])
    said.result("a", "text")
    assert said.request() == [("user", "begin"), ("assistant", ""), ("tool", "text"), ("user", "wait, also this")]


def test_an_answer_is_not_told_twice_when_the_call_has_it() -> None:
    said = Said()
    said.call("a", name="ask_user")
    said.add("user", "name: x", metadata={"question_answer": {"question_id": "q"}})
    said.result("a", '{"answers": {"name": "x"}}')
    assert said.request() == [("assistant", ""), ("tool", '{"answers": {"name": "x"}}')]


def test_an_answer_that_came_after_the_turn_had_ended_reaches_the_model() -> None:
    said = Said()
    said.call("a", name="ask_user")
    said.result("a", "a question waits", lacks_answer=True)
    said.add("user", "name: x", metadata={"question_answer": {"question_id": "q"}})
    said.add("user", "go on")
    assert said.request()[2:] == [("user", "[planact] The user answered: name: x"), ("user", "go on")]


def test_an_answer_to_a_question_whose_call_was_killed_reaches_the_model() -> None:
    said = Said()
    said.call("a", name="ask_user")
    said.add("user", "name: x", metadata={"question_answer": {"question_id": "q"}})
    assert said.request()[2:] == [("user", "[planact] The user answered: name: x")]


def test_a_malformed_call_does_not_make_every_later_request_malformed() -> None:
    said = Said()
    for number, (name, arguments) in enumerate([("", ""), ("no such tool!", '{"path": "a'), ("x" * 90, "[1]")]):
        said.call(f"c{number}", name=name, arguments=arguments)
    functions = [
        call["function"] for m in request_messages("system", said.messages) for call in m.get("tool_calls", ())
    ]
    assert [f["name"] for f in functions] == ["unnamed", "no_such_tool_", "x" * 64]
    assert [json.loads(f["arguments"]) for f in functions] == [
        {},
        {"not_an_object": '{"path": "a'},
        {"not_an_object": "[1]"},
    ]


def test_notes_for_people_stay_out() -> None:
    said = Said()
    said.add("system", "a summary")
    said.add("system", "Carry out step 1.", metadata={"for_model": True})
    assert said.request() == [("user", "[planact] Carry out step 1.")]


LONG = "a line of the file\n" * 50
POINTED = "[planact: the result is, word for word, that of your earlier call above: read_file {}]"


def test_a_result_that_the_request_has_already_is_pointed_to() -> None:
    said = Said()
    for call_id, content in (
        ("a", LONG),
        ("b", LONG),
        ("c", f"{LONG}more"),
        ("d", LONG),
        ("e", "short"),
        ("f", "short"),
    ):
        said.call(call_id)
        said.result(call_id, content)
    contents = [content for role, content in said.request() if role == "tool"]
    assert contents == [LONG, POINTED, f"{LONG}more", POINTED, "short", "short"]


def test_each_request_begins_the_next_also_where_results_repeat() -> None:
    said = Said()
    requests = []
    for number in range(6):
        said.call(f"call_{number}")
        said.result(f"call_{number}", LONG)
        requests.append(said.request())
    assert all(later[: len(earlier)] == earlier for earlier, later in pairwise(requests))


def test_a_result_is_told_again_once_the_one_that_it_repeats_has_left_the_request() -> None:
    said = Said()
    said.call("a")
    said.result("a", LONG)
    said.call("b")
    kept = said.messages[-1].id
    said.result("b", LONG)
    assert said.request()[-1] == ("tool", POINTED)
    compaction = {"keeps_from": kept, "results": 10_000, "lacks_answer": False}
    said.add("system", "facts", metadata={"for_model": True, COMPACTION: compaction})
    assert said.request() == [("user", "[planact] facts"), ("assistant", ""), ("tool", LONG)]
    compaction = {"keeps_from": kept, "results": 60, "lacks_answer": False}
    said.add("system", "fewer", metadata={"for_model": True, COMPACTION: compaction})
    said.call("c")
    said.result("c", LONG)
    assert said.request()[-1] == ("tool", LONG)  # what is left of the other is another text


WHAT_MAY_COME = st.sampled_from(
    [
        "user",
        "while it spoke",
        "says",
        "calls",
        "calls",
        "result",
        "result",
        "cut off",
        "answer",
        "begins",
        "compacted",
        "rewinds",
        "surroundings",
    ]
)


@example([("cut off", 0), ("compacted", 1), ("says", 0)])
@example([("user", 0), ("calls", 0), ("says", 0), ("rewinds", 2), ("result", 0)])
@given(st.lists(st.tuples(WHAT_MAY_COME, st.integers(0, 9)), max_size=40))
def test_requests_for_a_transcript_that_grows_are_those_for_the_whole_of_it(events: list[tuple[str, int]]) -> None:
    said, growing, planned = Said(), RequestMessages("m"), RequestMessages("m")
    asked = said.id()
    for event, number in events:
        happens(said, event, number, asked)
        if event in ("user", "says", "cut off", "calls"):
            asked = said.id()
        assert growing.of("system", said.messages) == request_messages("system", said.messages, "m")
        with_plan = RequestMessages("m").of("system", said.messages, "# Greet")
        assert planned.of("system", said.messages, "# Greet") == with_plan
        pinned = [str(message["content"]) for message in with_plan].count(f"[planact] {PLAN_HEADING}\n\n# Greet")
        assert (pinned, len(with_plan)) == (1, len(request_messages("system", said.messages, "m")) + 1)


def happens(said: Said, event: str, number: int, asked: str) -> None:
    """`asked` is the id of what the model says next: as old as the request."""
    match event:
        case "user" | "while it spoke":
            said.add("user", f"user {number}")
        case "says" | "cut off":
            said.add("assistant", f"says {number}", asked, model="m", metadata={CUT_OFF: event == "cut off"})
        case "calls":
            calls = [ToolCall(id=f"call_{number}", name="look", arguments="{}")]
            said.add("assistant", "", asked, tool_calls=calls, model="m", reasoning="hm")
        case "result":
            said.result(f"call_{number}", "x" * 100 * number, lacks_answer=number == 1)
        case "answer":
            said.add("user", f"answer {number}", metadata={"question_answer": "q"})
        case "begins":
            said.add("system", "A run begins", metadata={"begins_context": True, "for_model": True})
        case "surroundings":
            said.add("system", f"place {number}", metadata={SURROUNDINGS: {}, "for_model": True})
        case "compacted":
            keeps = said.messages[-min(number, len(said.messages))].id if said.messages and number else ""
            stands = {"keeps_from": keeps, "results": 150, "lacks_answer": number == 1}
            said.add("system", "summary", metadata={COMPACTION: stands, "for_model": True})
        case _:
            del said.messages[number:]


def test_what_was_settled_is_not_shaped_again() -> None:
    said, growing = Said(), RequestMessages("m")
    for number in range(3):
        said.call(f"call_{number}")
        said.result(f"call_{number}", "x")
    first = growing.of("system", said.messages)
    said.call("call_3")
    second = growing.of("system", said.messages)
    again = [number for number, (old, new) in enumerate(zip(first, second, strict=False)) if old is not new]
    assert again == [0, 5, 6]
