"""What goes back to a provider, over HTTP: what a model thought, and what a user pasted."""

import itertools
import json
from collections.abc import AsyncGenerator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from planact.adapters.llm import provider_shape
from planact.adapters.llm.learning_model import LearningModel
from planact.adapters.llm.litellm_model import LitellmLoader, LitellmModel, ModelAbilities
from planact.adapters.llm.model_table import ModelTable
from planact.adapters.llm.models import ModelSource
from planact.adapters.llm.provider_shape import BAD_IMAGE, NO_IMAGE
from planact.agent.context import request_messages
from planact.base.errors import ModelFailure
from planact.model.chat.image import Image
from planact.model.chat.message import REDACTED, Message, ModelRequest, Reply, TextDelta, ToolCall
from planact.model.settings import ModelSettings, Settings
from tests.fakes.loopback_model import Fault, LoopbackModel, Page, Say

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.filterwarnings("ignore:Accessing the .* attribute on the instance is deprecated"),
]

NUMBERS = itertools.count()
CLAUDE = "anthropic/claude-sonnet-4-5"
THOUGHT = {"type": "thinking", "thinking": "Let me think", "signature": "SIG=="}
HIDDEN = {"type": "redacted_thinking", "data": "ENC"}
PNG = Image(media_type="image/png", data="iVBORw0KGgo=")
TOOL = {"type": "function", "function": {"name": "f", "description": "d", "parameters": {"type": "object"}}}


def event(kind: str, **data: Any) -> str:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n"


def block(index: int, start: Mapping[str, Any], *deltas: Mapping[str, Any]) -> str:
    begun = event("content_block_start", index=index, content_block=start)
    pieces = [event("content_block_delta", index=index, delta=delta) for delta in deltas]
    return "".join([begun, *pieces, event("content_block_stop", index=index)])


START = event(
    "message_start",
    message={"id": "m", "type": "message", "role": "assistant", "model": "c", "content": [], "stop_reason": None,
             "usage": {"input_tokens": 5, "output_tokens": 1}},
)  # fmt: skip
THINKING = Page(
    200,
    START
    + block(
        0,
        {"type": "thinking", "thinking": "", "signature": ""},
        {"type": "thinking_delta", "thinking": "Let me "},
        {"type": "thinking_delta", "thinking": "think"},
        {"type": "signature_delta", "signature": "SIG=="},
    )
    + block(1, HIDDEN)
    + block(
        2,
        {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}},
        {"type": "input_json_delta", "partial_json": '{"path": "a"}'},
    )
    + event("message_delta", delta={"stop_reason": "tool_use"}, usage={"output_tokens": 9})
    + event("message_stop"),
    "text/event-stream",
)


async def reply_of(model: LitellmModel, request: ModelRequest) -> Reply:
    *_, reply = [item async for item in model.stream(request)]
    assert isinstance(reply, Reply)
    return reply


def said(role: str, content: str = "", **more: Any) -> Message:
    return Message.model_validate(
        {"id": f"{next(NUMBERS):03}", "session_id": "s", "role": role, "content": content, **more}
    )


def thought(model: str, *blocks: Mapping[str, Any]) -> list[Message]:
    call, asked = ToolCall(id="toolu_1", name="f", arguments="{}"), said("user", "hello")
    answer = said("assistant", model=model, reasoning="Let me think", thinking_blocks=blocks, tool_calls=[call])
    return [asked, answer, said("tool", "x", tool_call_id="toolu_1")]


async def sent_by(name: str, loader: LitellmLoader, transcript: list[Message], **settings: Any) -> Any:
    """The body that goes to the provider for a transcript; what it answers doesn't matter."""
    with LoopbackModel(lambda _: Fault(400, "enough")) as server:
        endpoint = (
            server.url.removesuffix("/v1") if name.startswith(("anthropic", "azure_ai", "bedrock")) else server.url
        )
        parameters = settings if name.startswith("bedrock/") else {"api_key": "k", **settings}
        model = LitellmModel(name, endpoint, parameters, loader)
        request = ModelRequest(request_messages("Be brief.", transcript, name), [TOOL])
        with pytest.raises(Exception, match="enough"):
            await reply_of(model, request)
        return server.requests[-1].json


async def test_signed_thoughts_are_kept_and_go_back_as_they_came(loader: LitellmLoader) -> None:
    with LoopbackModel(lambda _: THINKING) as server:
        model = LitellmModel(
            CLAUDE, server.url.removesuffix("/v1"), {"api_key": "k", "reasoning_effort": "low"}, loader
        )
        reply = await reply_of(model, ModelRequest([{"role": "user", "content": "hello"}], [TOOL]))
        assert server.requests[0].json["thinking"]["type"] == "enabled"
    assert (reply.reasoning, reply.thinking_blocks) == ("Let me think", (THOUGHT, HIDDEN))
    assert reply.tool_calls == (ToolCall(id="toolu_1", name="f", arguments='{"path": "a"}'),)
    body = await sent_by(CLAUDE, loader, thought(CLAUDE, *reply.thinking_blocks), reasoning_effort="low")
    assert body["messages"][1]["content"] == [
        THOUGHT,
        HIDDEN,
        {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}},
    ]


@pytest.mark.parametrize(
    "transcript",
    [
        pytest.param(thought("openai/gpt-4o", THOUGHT), id="by another model"),
        pytest.param(thought(CLAUDE, THOUGHT | {"thinking": f"the key is {REDACTED}"}), id="no longer as it was"),
    ],
)
async def test_thoughts_that_would_be_refused_stay_here(loader: LitellmLoader, transcript: list[Message]) -> None:
    body = await sent_by(CLAUDE, loader, transcript, reasoning_effort="low")
    assert "SIG==" not in json.dumps(body)
    assert [part["type"] for part in body["messages"][1]["content"]][-1] == "tool_use"


@pytest.mark.parametrize(
    ("name", "wants"),
    [("openai/gpt-4o", False), ("openrouter/x/y", False), ("deepseek/deepseek-chat", True), ("hosted_vllm/x", True)],
)
async def test_plain_thoughts_go_to_those_that_think_on(loader: LitellmLoader, name: str, wants: bool) -> None:
    body = await sent_by(name, loader, thought(name, THOUGHT))
    answer = body["messages"][2]
    assert (answer.get("reasoning_content") == "Let me think") == wants
    assert "thinking_blocks" not in answer


async def test_an_image_goes_to_a_model_that_takes_it(loader: LitellmLoader) -> None:
    body = await sent_by("openai/gpt-4o", loader, [said("user", "What is this?", images=[PNG])])
    assert body["messages"][1]["content"] == [
        {"type": "text", "text": "What is this?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}},
    ]


def looked_at() -> list[Message]:
    """Two calls whose results have an image each, and what was said after."""
    picture = {"media_type": "image/png", "sha256": "0" * 64, "width": 1, "height": 1}
    made = [ToolCall(id=f"toolu_{name}", name="f", arguments="{}") for name in "ab"]
    seen = [said("tool", f"{call.id[-1]}.png", tool_call_id=call.id, pictures=[picture]) for call in made]
    return [said("user", "Look."), said("assistant", tool_calls=made), *seen, said("user", "And?")]


async def test_images_of_results_stand_in_them_for_claude_and_behind_them_for_others(loader: LitellmLoader) -> None:
    results = (await sent_by(CLAUDE, loader, looked_at()))["messages"][2]["content"]
    assert [[part["type"] for part in each["content"]] for each in results[:2]] == [["text", "image"]] * 2

    messages = (await sent_by("openai/gpt-4o", loader, looked_at()))["messages"][3:]
    assert [each["role"] for each in messages] == ["tool", "tool", "user", "user"]
    assert [each["content"] for each in messages[:2]] == ["a.png", "b.png"]
    assert [part["type"] for part in messages[2]["content"]] == ["text", "image_url", "image_url"]
    assert messages[3]["content"] == "And?"


async def test_a_broken_image_ends_no_conversation(loader: LitellmLoader) -> None:
    def answer(request: dict[str, Any]) -> Say | Fault:
        has_image = "image_url" in json.dumps(request["messages"])
        return Fault(400, "messages.1.content.1.image: Could not process image") if has_image else Say("A picture?")

    request = ModelRequest(request_messages("", [said("user", "What is this?", images=[PNG])]), ())
    abilities = ModelAbilities()
    with LoopbackModel(answer) as server:
        model = LitellmModel("openai/sees", server.url, {}, loader, abilities=abilities)
        assert (await reply_of(model, request)).text == "A picture?"
        assert server.requests[-1].json["messages"][1]["content"] == f"What is this?\n{BAD_IMAGE}"
        assert (len(server.requests), abilities.takes_images) == (2, True)


class _Breaking(LearningModel):
    """Speaks of an image when it breaks off."""

    async def _stream(self, request: ModelRequest) -> AsyncGenerator[TextDelta | Reply]:
        yield TextDelta("A pic")
        raise ModelFailure("MODEL_BAD_REQUEST", "Could not process image", "")


async def test_what_was_said_before_an_image_failed_is_not_said_again() -> None:
    request = ModelRequest(request_messages("", [said("user", "What is this?", images=[PNG])]), ())
    heard: list[TextDelta | Reply] = []

    async def hear() -> None:
        async for piece in _Breaking(ModelAbilities()).stream(request):
            heard.append(piece)

    with pytest.raises(ModelFailure):
        await hear()
    assert heard == [TextDelta("A pic")]


async def test_a_model_that_takes_no_image_is_told_that_there_was_one_and_never_sent_another(
    loader: LitellmLoader,
) -> None:
    def blind(request: dict[str, Any]) -> Say | Fault:
        has_image = "image_url" in json.dumps(request["messages"])
        return Fault(400, "This model does not support image input") if has_image else Say("A picture?")

    request = ModelRequest(request_messages("", [said("user", "What is this?", images=[PNG])]), ())
    abilities = ModelAbilities()
    with LoopbackModel(blind) as server:
        for sent in (2, 3):
            model = LitellmModel("openai/blind", server.url, {}, loader, abilities=abilities)
            assert (await reply_of(model, request)).text == "A picture?"
            assert len(server.requests) == sent
        assert server.requests[-1].json["messages"][1]["content"] == f"What is this?\n{NO_IMAGE}"


@pytest.mark.parametrize(
    ("name", "effort", "sent"),
    [("openai/o3", "high", "high"), ("openai/gpt-4o", "high", None), ("openai/of-ones-own", "low", "low")],
)
async def test_the_effort_is_told_to_models_that_can_be_told(
    tmp_path: Path, loader: LitellmLoader, name: str, effort: Any, sent: str | None
) -> None:
    with LoopbackModel(lambda _: Say("hello")) as server:
        settings = Settings(model_endpoint=server.url, reasoning_effort=effort)
        model = ModelSource(settings.of_model, loader, ModelTable({}), tmp_path).open(name)
        _ = [item async for item in model.stream(ModelRequest([{"role": "user", "content": "hi"}], ()))]
        assert server.requests[0].json.get("reasoning_effort") == sent


async def test_each_model_has_its_own_endpoint_and_parameters(tmp_path: Path, loader: LitellmLoader) -> None:
    with LoopbackModel(lambda _: Say("one")) as one, LoopbackModel(lambda _: Say("two")) as two:
        own = ModelSettings(endpoint=two.url, parameters={"temperature": 0.1}, reasoning_effort="low")
        settings = Settings(
            model_endpoint=one.url, model_parameters={"temperature": 0.9, "top_p": 0.5}, models={"openai/b": own}
        )
        source = ModelSource(settings.of_model, loader, ModelTable({}), tmp_path)
        for name in ("openai/a", "openai/b"):
            _ = [item async for item in source.open(name).stream(ModelRequest([{"role": "user", "content": "hi"}], ()))]
        first, second = one.requests[0].json, two.requests[0].json
    assert (first["model"], first["temperature"], first["top_p"]) == ("a", 0.9, 0.5)
    assert (second["model"], second["temperature"], second["top_p"]) == ("b", 0.1, 0.5)
    assert (first.get("reasoning_effort"), second["reasoning_effort"]) == (None, "low")


async def test_requests_go_through_the_proxy_of_the_environment(
    loader: LitellmLoader, monkeypatch: pytest.MonkeyPatch
) -> None:
    with LoopbackModel(lambda _: Say("hello")) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url.removesuffix("/v1"))
        monkeypatch.setenv("NO_PROXY", "")
        model = LitellmModel("openai/gpt-4o", "http://models.example.invalid/v1", {}, loader)
        assert (await reply_of(model, ModelRequest([{"role": "user", "content": "hi"}], ()))).text == "hello"
        assert proxy.requests[0].path == "http://models.example.invalid/v1/chat/completions"
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        with LoopbackModel(lambda _: Say("directly")) as server:
            near = LitellmModel("openai/gpt-4o", server.url, {}, loader)
            assert (await reply_of(near, ModelRequest([{"role": "user", "content": "hi"}], ()))).text == "directly"


async def test_a_login_at_a_proxy_is_not_shown(loader: LitellmLoader, monkeypatch: pytest.MonkeyPatch) -> None:
    with LoopbackModel(lambda _: Say("hello")) as proxy:
        address = proxy.url.removesuffix("/v1").replace("//", "//someone:hidden@")
        monkeypatch.setenv("HTTPS_PROXY", address)
        model = LitellmModel("openai/gpt-4o", "https://models.example.invalid/v1", {}, loader)
        with pytest.raises(Exception, match="MODEL_UNAVAILABLE") as caught:
            await reply_of(model, ModelRequest([{"role": "user", "content": "hi"}], ()))
    assert "hidden" not in str(caught.value)


BEDROCK = "bedrock/us.anthropic.claude-sonnet-4-20250514-v1:0"
MARKING: dict[str, dict[str, str]] = {
    "anthropic/claude-sonnet-4-5": {},
    "azure_ai/claude-sonnet-4-5": {},
    "databricks/databricks-claude-sonnet-4": {},
    "openrouter/anthropic/claude-sonnet-4.5": {},
    BEDROCK: {"aws_access_key_id": "a", "aws_secret_access_key": "b", "aws_region_name": "us-east-1"},
}


@pytest.mark.parametrize("name", MARKING)
async def test_marks_reach_each_provider_of_claude_where_a_request_ends_and_where_the_last_one_did(
    loader: LitellmLoader, name: str
) -> None:
    many = [ToolCall(id=f"toolu_{number}", name="f", arguments="{}") for number in range(12)]
    results = [said("tool", f"result {call.id}", tool_call_id=call.id) for call in many]
    transcript = [said("user", "hello"), said("assistant", model=name, tool_calls=many), *results]
    body = await sent_by(name, loader, transcript, **MARKING[name])
    assert _marked(_sent(body)) == ["Be brief.", "hello", "result toolu_11"]
    grown = [*transcript, said("assistant", "Well", model=name), said("user", "go on")]
    later = await sent_by(name, loader, grown, **MARKING[name])
    assert _marked(_sent(later)) == ["Be brief.", "result toolu_11", "go on"]
    kept = _unmarked(_sent(body))
    assert _unmarked(_sent(later))[: len(kept)] == kept


async def test_a_version_of_claude_that_can_not_keep_gets_no_marks(loader: LitellmLoader) -> None:
    old = "bedrock/anthropic.claude-3-sonnet-20240229-v1:0"
    assert "cachePoint" not in json.dumps(await sent_by(old, loader, [said("user", "hello")], **MARKING[BEDROCK]))


async def test_others_keep_what_repeats_without_a_mark(loader: LitellmLoader) -> None:
    assert "cache_control" not in json.dumps(await sent_by("openai/gpt-4o", loader, [said("user", "hello")]))


def _sent(body: Mapping[str, Any]) -> list[Any]:
    return [*body.get("system", []), *body["messages"]]


def _marked(node: Any) -> list[str]:
    """The texts that are marked, in order, as Anthropic and Bedrock write that."""
    found = []
    if isinstance(node, dict):
        found = [text for value in node.values() for text in _marked(value)]
        return [*found, _last_text(node)] if "cache_control" in node else found
    for before, each in pairwise([None, *node]) if isinstance(node, list) else ():
        found += [_last_text(before)] if isinstance(each, dict) and "cachePoint" in each else _marked(each)
    return found


def _last_text(node: Any) -> str:
    match node:
        case {"text": str(text)} | {"content": str(text)}:
            return text
        case {"toolResult": {"content": [*_, {"text": str(text)}]}}:
            return text
    raise AssertionError(node)


def _unmarked(node: Any) -> Any:
    """The same without marks, which are no part of what is kept."""
    match node:
        case [{"type": "text", "text": text}]:
            return text
        case list():
            return [_unmarked(each) for each in node if not (isinstance(each, dict) and "cachePoint" in each)]
        case dict():
            return {name: _unmarked(value) for name, value in node.items() if name != "cache_control"}
    return node


async def test_every_provider_with_a_shape_of_its_own_is_one_of_litellms(loader: LitellmLoader) -> None:
    litellm = await loader.ready()
    sets = ("_WANT_BLOCKS", "_SIGNS_TEXT", "_WANT_REASONING", "_KEEP_WHAT_IS_MARKED", "_SEE_RESULTS")
    known = {str(getattr(each, "value", each)) for each in litellm.provider_list}
    known |= {about.get("litellm_provider") for about in litellm.model_cost.values()}
    path = "server/planact/adapters/llm/provider_shape.py"
    unknown = [
        f"{path}: {name} has {provider!r}; litellm knows no such provider: write its name as in litellm.provider_list"
        for name in sets
        for provider in getattr(provider_shape, name)
        if provider not in known
    ]
    assert not unknown, "\n".join(unknown)


async def test_messages_are_copied_deeply_whatever_text_they_hold() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "lone \ud800 é"}}
    messages: list[dict[str, Any]] = [
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": [{"type": "text", "text": "x"}]},
    ]
    shaped = provider_shape.shaped_for("anthropic", messages, with_images=True, with_marks=False)
    assert shaped[0]["tool_calls"] == [call]
    shaped[0]["tool_calls"][0]["function"]["name"] = "g"
    shaped[1]["content"][0]["text"] = "y"
    assert call["function"] == {"name": "f", "arguments": "lone \ud800 é"}
    assert messages[1]["content"] == [{"type": "text", "text": "x"}]
