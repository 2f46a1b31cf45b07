"""Streams in forms that no provider documents, as proxies and servers of one's own send them: litellm over HTTP."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from planact.adapters.llm.assembly import Assembly
from planact.adapters.llm.litellm_model import LitellmLoader, LitellmModel
from planact.model.chat.message import Reply, TextDelta, Usage
from tests.fakes.loopback_model import Fault, LoopbackModel, Page
from tests.llm.test_litellm_model import REQUEST, ask, failure_to

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.filterwarnings("ignore:Accessing the .* attribute on the instance is deprecated"),
]

STOP: tuple[dict[str, Any], str] = ({}, "stop")
HI = ({"content": "hi"}, None)


def stream(*deltas: tuple[dict[str, Any], str | None], usage: str = "") -> Page:
    head = '{"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"'
    choices = [json.dumps([{"index": 0, "delta": delta, "finish_reason": end}]) for delta, end in deltas]
    chunks = [f'{head}, "choices": {each}}}' for each in choices]
    told = [f'{head}, "choices": [], "usage": {usage}}}'] if usage else []
    return Page(200, "".join(f"data: {chunk}\n\n" for chunk in [*chunks, *told, "[DONE]"]), "text/event-stream")


def piece(arguments: str, *, call: str = "", name: str | None = None, index: int = 0) -> tuple[dict[str, Any], None]:
    function = {"name": name, "arguments": arguments}
    return {"tool_calls": [{"index": index, "id": call or None, "type": "function", "function": function}]}, None


async def answered(page: Page, loader: LitellmLoader) -> tuple[list[str], Reply]:
    _, items = await ask(lambda _: page, loader)
    assert isinstance(items[-1], Reply)
    return [item.text for item in items if isinstance(item, TextDelta) and item.text], items[-1]


@pytest.mark.parametrize("more", [{}, {"content": None}, {"content": ""}])
async def test_words_with_which_a_model_refuses_are_its_answer(loader: LitellmLoader, more: dict[str, Any]) -> None:
    begin = ({"role": "assistant", "content": None, "refusal": None}, None)
    page = stream(begin, ({"refusal": "I can't ", **more}, None), ({"refusal": "help.", **more}, None), STOP)
    _, reply = await answered(page, loader)
    assert reply.text == "I can't help."


async def test_a_character_that_is_cut_in_two_is_one_again(loader: LitellmLoader) -> None:
    """JSON writes it as two escapes, which a proxy that passes a text on in small pieces sends apart."""
    half = [{"content": "a \ud83d"}, {"content": "\ude00 b"}, {"reasoning_content": "\ud83d"}]
    page = stream(*((delta, None) for delta in [*half, {"reasoning_content": "\ude80"}]), STOP)
    shown, reply = await answered(page, loader)
    assert (reply.text, reply.reasoning) == ("a 😀 b", "🚀")
    assert all(text.encode() for text in shown)
    shown, reply = await answered(
        stream(({"content": "a \ud83d b"}, None), ({"content": "\ude00"}, None), STOP), loader
    )
    assert (shown, reply.text) == (["a \ufffd b", "\ufffd"], "a \ufffd b\ufffd")
    begin = piece('{"path": "\ud83d', call="c", name="read_file")
    _, reply = await answered(stream(begin, piece('\ude00"}'), ({}, "tool_calls")), loader)
    assert json.loads(reply.tool_calls[0].arguments) == {"path": "😀"}


@pytest.mark.parametrize("pieces", [(), ("",), ('{"path":', ' "b"}')], ids=["whole", "and nothing more", "in pieces"])
async def test_input_of_claudes_calls_comes_whole_or_in_pieces(loader: LitellmLoader, pieces: Sequence[str]) -> None:
    """Proxies that make Anthropic's stream of a whole answer put the input where Anthropic has none yet."""
    events: list[dict[str, Any]] = [{"type": "message_start", "message": {"id": "m", "usage": {"input_tokens": 1}}}]
    for index, path in enumerate(("a", "b")):
        events.append(begun_call(index, {"path": path}))
        events += [part_of_input(index, text) for text in (pieces if index else ())]
        events.append({"type": "content_block_stop", "index": index})
    calls = await calls_of_claude(events, loader)
    assert calls == [("t0", {"path": "a"}), ("t1", {"path": "b"})]


@pytest.mark.parametrize("is_whole", [False, True])
async def test_input_of_claudes_calls_is_that_of_its_call_in_any_order(loader: LitellmLoader, is_whole: bool) -> None:
    events: list[dict[str, Any]] = [{"type": "message_start", "message": {"id": "m", "usage": {"input_tokens": 1}}}]
    events += [begun_call(index, {"path": path} if is_whole else {}) for index, path in enumerate("ab")]
    if not is_whole:
        events += [part_of_input(0, '{"path":'), part_of_input(1, '{"path": "b"'), part_of_input(0, ' "a"}')]
        events += [part_of_input(1, "}")]
    events += [{"type": "content_block_stop", "index": index} for index in range(2)]
    assert await calls_of_claude(events, loader) == [("t0", {"path": "a"}), ("t1", {"path": "b"})]


def begun_call(index: int, given: dict[str, str]) -> dict[str, Any]:
    block = {"type": "tool_use", "id": f"t{index}", "name": "read_file", "input": given}
    return {"type": "content_block_start", "index": index, "content_block": block}


def part_of_input(index: int, text: str) -> dict[str, Any]:
    delta = {"type": "input_json_delta", "partial_json": text}
    return {"type": "content_block_delta", "index": index, "delta": delta}


async def calls_of_claude(events: list[dict[str, Any]], loader: LitellmLoader) -> list[tuple[str, Any]]:
    events.append({"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 1}})
    events.append({"type": "message_stop"})
    body = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
    with LoopbackModel(lambda _: Page(200, body, "text/event-stream")) as server:
        model = LitellmModel("anthropic/claude-sonnet-4-5", server.url.removesuffix("/v1"), {"api_key": "k"}, loader)
        reply = [item async for item in model.stream(REQUEST)][-1]
    assert isinstance(reply, Reply)
    return [(call.id, json.loads(call.arguments)) for call in reply.tool_calls]


@pytest.mark.parametrize("more", [{}, {"args": None}, {"args": {}}], ids=["none", "null", "empty"])
async def test_a_call_of_gemini_needs_no_arguments(loader: LitellmLoader, more: dict[str, Any]) -> None:
    parts = {"content": {"role": "model", "parts": [{"functionCall": {"name": "list_directory", **more}}]}}
    chunks = [{"candidates": [parts]}, {"candidates": [{"content": {"parts": None}, "finishReason": "STOP"}]}]
    body = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks)
    with LoopbackModel(lambda _: Page(200, body, "text/event-stream")) as server:
        model = LitellmModel("gemini/gemini-2.5-flash", server.url.removesuffix("/v1"), {"api_key": "k"}, loader)
        reply = [item async for item in model.stream(REQUEST)][-1]
    assert isinstance(reply, Reply)
    assert [(call.name, call.arguments) for call in reply.tool_calls] == [("list_directory", "{}")]


async def test_pieces_of_calls_at_one_place_go_to_the_call_that_they_name(loader: LitellmLoader) -> None:
    first, second = piece('{"path":', call="a", name="read_file"), piece('{"path":"2"}', call="b", name="read_file")
    _, reply = await answered(stream(first, second, piece('"1"}', call="a"), ({}, "tool_calls")), loader)
    assert [(call.id, call.arguments) for call in reply.tool_calls] == [
        ("a", '{"path":"1"}'),
        ("b", '{"path":"2"}'),
    ]


@pytest.mark.parametrize("call", ["", "same"])
async def test_calls_at_one_place_without_ids_of_their_own_are_told_apart(loader: LitellmLoader, call: str) -> None:
    first = piece('{"path":"1"}', call=call, name="read_file"), piece("", name="read_file")
    second = piece('{"pa', call=call, name="list_directory"), piece('th":"2"}')
    _, reply = await answered(stream(*first, *second, ({}, "tool_calls")), loader)
    assert [(call.name, call.arguments) for call in reply.tool_calls] == [
        ("read_file", '{"path":"1"}'),
        ("list_directory", '{"path":"2"}'),
    ]
    begin = piece("{}", call="a", name="read_file")  # of proxies that put an empty input where there is none yet
    _, reply = await answered(stream(begin, piece('{"path":', name="read_file"), piece('"1"}'), STOP), loader)
    assert [(call.name, call.arguments) for call in reply.tool_calls] == [("read_file", '{"path":"1"}')]


@pytest.mark.parametrize("call", ["", "same"])
async def test_a_call_that_a_server_sends_again_at_its_end_is_one(loader: LitellmLoader, call: str) -> None:
    whole = '{"command":"make install"}'
    pieces = piece(whole[:9], call=call, name="execute_command"), piece(whole[9:])
    again = piece(whole, call=call, name="execute_command")
    _, reply = await answered(stream(*pieces, again, ({}, "tool_calls")), loader)
    assert [(call.name, call.arguments) for call in reply.tool_calls] == [("execute_command", whole)]


def odd_piece(arguments: Any = "", call: Any = None, name: Any = None, **more: Any) -> tuple[dict[str, Any], None]:
    function = {"function": {"name": name, "arguments": arguments}}
    return {"tool_calls": [{"index": 0, "id": call, "type": "function", **function, **more}]}, None


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        ([odd_piece('{"path":', 5, "read_file"), odd_piece(' "a', 5), odd_piece(' b"}')], ("5", '{"path": "a b"}')),
        ([odd_piece(call="c", function=None), odd_piece('{"path": "1"}', name="read_file")], ("c", '{"path": "1"}')),
        ([odd_piece({"path": "1"}, "c", "read_file")], ("c", '{"path": "1"}')),
        ([odd_piece(["1"], "c", "read_file")], ("c", '["1"]')),
    ],
    ids=["numbers as ids", "no function yet", "an object", "a list"],
)
async def test_no_piece_of_a_call_is_lost_for_its_form(
    loader: LitellmLoader, pieces: Sequence[tuple[dict[str, Any], None]], expected: tuple[str, str]
) -> None:
    """One piece less in the middle of a text could make a command of it that the model didn't write."""
    _, reply = await answered(stream(*pieces, ({}, "tool_calls")), loader)
    assert [(call.id, call.name, call.arguments) for call in reply.tool_calls] == [
        (expected[0], "read_file", expected[1])
    ]


async def test_a_text_in_parts_is_a_text(loader: LitellmLoader) -> None:
    thought = {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}
    parts = [{"content": [thought]}, {"content": [{"type": "text", "text": "h"}, {"type": "text", "text": "i"}]}]
    _, reply = await answered(stream(*((part, None) for part in parts), HI, STOP), loader)
    assert (reply.text, reply.reasoning) == ("hihi", "Hm.")


@pytest.mark.parametrize("name", ["openai/gpt-4o", "hosted_vllm/m"])
@pytest.mark.parametrize(
    "odd",
    [({"content": 5}, None), ({"content": {"text": "hi"}}, None), odd_piece("{}", "c", 5), odd_piece("{}", ["c"], "f")],
    ids=["a number", "an object", "a number for a name", "a list for an id"],
)
async def test_an_answer_with_a_piece_of_no_known_form_is_broken(
    loader: LitellmLoader, odd: tuple[dict[str, Any], None], name: str
) -> None:
    for page in (stream(odd, HI, STOP), stream(HI, odd, STOP)):
        failure = await failure_to(lambda _, page=page: page, loader, name=name, parameters={"api_key": "k"})
        assert (failure.code, failure.is_transient) == ("MODEL_STREAM_BROKEN", True)
        assert "a piece of it can't be read" in failure.message


@pytest.mark.parametrize(
    "names",
    [("read_file", None), ("read_file", "read_file"), ("read_", "file"), ("re", "ad", "_file"), ("read", "read_file")],
)
async def test_a_name_comes_once_with_each_piece_or_in_pieces(names: Sequence[str], loader: LitellmLoader) -> None:
    *first, last = [piece("", call="a", name=name) for name in names]
    rest = piece('{"path":"1"}', call="a", name=names[-1] if names[-1] == names[0] else None)
    _, reply = await answered(stream(*first, last, rest, ({}, "tool_calls")), loader)
    assert [(call.name, call.arguments) for call in reply.tool_calls] == [("read_file", '{"path":"1"}')]


async def test_a_thought_whose_tag_the_server_opened_is_no_answer(loader: LitellmLoader) -> None:
    deltas = [({"content": text}, None) for text in ("I should", " greet.\n</th", "ink>\n", "\nhi")]
    _, reply = await answered(stream(*deltas, STOP), loader)
    assert (reply.text, reply.reasoning) == ("hi", "I should greet.")


@pytest.mark.parametrize(
    "odd",
    [
        {"reasoning_content": 5},
        {"reasoning_content": {"text": "x"}},
        {"reasoning_details": ["x"]},
        {"reasoning_details": {"type": "reasoning.text", "text": "x"}},
        {"reasoning_details": [{"type": "reasoning.text", "text": 5, "index": 0}]},
        {"provider_specific_fields": {"thought_signatures": [5, None]}},
    ],
)
async def test_thoughts_of_no_known_form_cost_no_answer(loader: LitellmLoader, odd: dict[str, Any]) -> None:
    _, reply = await answered(stream((odd, None), (odd, None), HI, STOP), loader)
    assert (reply.text, reply.reasoning) == ("hi", "")


async def test_pieces_of_no_known_form_are_a_failure_of_the_model(
    loader: LitellmLoader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which pieces litellm hands on in such a form depends on the answers before."""

    def take(_assembly: Assembly, piece: Any) -> Iterator[TextDelta]:
        yield from (TextDelta(call.id) for call in ["no call"] if piece)  # type: ignore[attr-defined]

    monkeypatch.setattr(Assembly, "add", take)
    failure = await failure_to(lambda _: stream(HI, STOP), loader)
    assert (failure.code, failure.is_transient) == ("MODEL_STREAM_BROKEN", True)
    assert "AttributeError" in failure.message


async def test_one_of_several_answers_is_not_mixed_with_the_others(loader: LitellmLoader) -> None:
    """Only one is asked for; calls of two would be run twice."""
    page = stream(HI, ({"content": "ho"}, None), STOP)
    body = page.body.replace('"index": 0, "delta": {"content": "ho"}', '"index": 1, "delta": {"content": "ho"}')
    failure = await failure_to(lambda _: Page(200, body, page.kind), loader)
    assert (failure.code, failure.is_transient) == ("MODEL_STREAM_BROKEN", True)


NOTHING = Usage(requests=1)


@pytest.mark.parametrize(
    ("reported", "expected"),
    [
        ('{"prompt_tokens": -5, "completion_tokens": -2, "total_tokens": -7}', NOTHING),
        (
            f'{{"prompt_tokens": {10**30}, "completion_tokens": 2, "total_tokens": 2}}',
            Usage(output_tokens=2, requests=1),
        ),
        (
            '{"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5,'
            ' "prompt_tokens_details": {"cached_tokens": -4}}',
            Usage(input_tokens=3, output_tokens=2, requests=1),
        ),
        *(
            (
                f'{{"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5, "cost": {cost}}}',
                Usage(input_tokens=3, output_tokens=2, requests=1),
            )
            for cost in ("NaN", "1e999", "-1")
        ),
        (
            '{"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5, "cost": 0.5, "is_byok": true,'
            ' "cost_details": {"upstream_inference_cost": "x"}}',
            Usage(input_tokens=3, output_tokens=2, cost=0.5, requests=1),
        ),
    ],
)
async def test_numbers_that_are_none_are_not_reckoned_with(
    loader: LitellmLoader, reported: str, expected: Usage
) -> None:
    """A limit of tokens or cost would never be reached after a negative one or NaN."""
    _, items = await ask(lambda _: stream(HI, STOP, usage=reported), loader, name="openai/a-model-of-ones-own")
    assert isinstance(items[-1], Reply)
    assert items[-1].usage == expected


async def test_what_a_server_says_of_a_failure_moves_no_terminal(loader: LitellmLoader) -> None:
    failure = await failure_to(Fault(400, "\x1b[2Jgone \u202edesrever\x07"), loader)
    assert "gone desrever" in failure.message
    assert failure.message.isprintable()


async def test_a_wait_of_no_time_is_no_wait_that_was_asked_for(loader: LitellmLoader) -> None:
    """All attempts would be over in a moment."""
    assert (await failure_to(Fault(429, "slow down", headers={"retry-after": "0"}), loader)).retry_after is None
    past = {"date": "Fri, 20 Nov 2026 10:00:00 GMT", "retry-after": "Fri, 20 Nov 2026 09:00:00 GMT"}
    assert (await failure_to(Fault(429, "slow down", headers=past), loader)).retry_after is None
