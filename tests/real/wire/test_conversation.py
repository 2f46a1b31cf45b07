"""A conversation passes on each provider: requests fit its published schema, and what it signed comes back once."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from planact.adapters.llm.litellm_model import LitellmLoader
from planact.adapters.llm.model_table import ModelTable
from planact.adapters.llm.models import ModelSource
from planact.model.settings import ModelSettings, ReasoningEffort, Settings
from tests.real.wire.conversation import PNG, SESSION, TURNS, Heard, hold
from tests.real.wire.families.anthropic import block
from tests.real.wire.families.anthropic import events as claude_events
from tests.real.wire.families.bedrock import Bedrock, stream
from tests.real.wire.families.bedrock import events as bedrock_events
from tests.real.wire.features import PAGE, row_of, value_at
from tests.real.wire.providers import WIRES, Wire
from tests.real.wire.server import Answer, Provider, Sent, sse

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.filterwarnings("ignore:Accessing the .* attribute on the instance is deprecated"),
]


def model_of(wire: Wire, url: str, loader: LitellmLoader, folder: Path, effort: str = "") -> Any:
    own = ModelSettings(
        endpoint=url + wire.base,
        parameters=dict(wire.parameters(url)),
        reasoning_effort=cast(ReasoningEffort, effort),
    )
    settings = Settings(model=wire.model, models={wire.model: own})
    return ModelSource(settings.of_model, loader, ModelTable({}), folder).open(wire.model)


async def converse(
    wire: Wire, effort: str, loader: LitellmLoader, folder: Path
) -> tuple[Sequence[Sent], Sequence[Heard]]:
    """Hold the conversation with a provider that finds no fault, and return what was sent and heard."""
    turns = iter(TURNS)
    with Provider(wire.family, lambda sent: wire.family.answer(next(turns), sent)) as server:
        try:
            heard = await hold(model_of(wire, server.url, loader, folder, effort), wire.model)
        finally:
            assert server.problems == []
    return server.sent, heard


@pytest.mark.parametrize("effort", ["", "high"])
@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.title)
async def test_a_conversation_passes(
    wire: Wire, effort: str, loader: LitellmLoader, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    sent, heard = await converse(wire, effort, loader, tmp_path)
    for said, each in zip(TURNS, heard, strict=True):
        calls = [(call.name, json.loads(call.arguments)) for call in each.reply.tool_calls]
        assert (each.reply.text, calls) == (said.text, [(call.name, dict(call.arguments)) for call in said.calls])
        assert each.reply.reasoning == said.reasoning
        assert "".join(piece.text for piece in each.pieces if not piece.is_reasoning) == said.text
        assert (each.reply.usage.input_tokens, each.reply.usage.output_tokens) == (100, 20)
        assert each.reply.usage.cached_tokens == (40 if wire.tells_cache else 0)
    told = [value_at(wire.effort, each.body) for each in sent] if wire.effort else []
    assert all((value is not None) == bool(effort) for value in told), told
    rooms = [room for each in sent for room in _rooms(each.body)]
    limit = ModelTable({}).about(wire.model).output_tokens
    assert not told or not effort or not limit or min(rooms) >= min(limit, 32_000), "no room beside the thoughts"
    bodies = [json.dumps(each.body, ensure_ascii=False) for each in sent]
    for turn, said in enumerate(TURNS[:-1]):
        backs = {"signed": said.mark, "plain": said.reasoning}.get(wire.carries, "")
        assert not backs or backs in bodies[turn + 1], f"{backs} didn't come back"
        assert wire.carries == "plain" or said.reasoning not in "".join(bodies) or backs
    assert (PNG in bodies[0]) == wire.takes_pictures
    assert not effort or row_of(wire, sent, heard) in PAGE.read_text("utf-8"), (
        "run `python -m tests.real.wire.features`"
    )
    assert tuple(capfd.readouterr()) == ("", ""), "a library's words"


TITLES = ["OpenAI, responses", "OpenAI, codex", "Azure, responses"]


@pytest.mark.parametrize("title", TITLES)
async def test_reasoning_is_asked_for_in_words_where_effort_is_set(
    title: str, loader: LitellmLoader, tmp_path: Path
) -> None:
    wire = next(wire for wire in WIRES if wire.title == title)
    sent, _ = await converse(wire, "high", loader, tmp_path)
    assert [each.body["reasoning"] for each in sent] == [{"effort": "high", "summary": "auto"}] * len(TURNS)


@pytest.mark.parametrize("title", TITLES)
async def test_an_account_that_may_not_read_reasoning_is_asked_no_more(
    title: str, loader: LitellmLoader, tmp_path: Path
) -> None:
    wire, turns = next(wire for wire in WIRES if wire.title == title), iter(TURNS)

    def give(sent: Sent) -> Answer:
        if sent.body["reasoning"].get("summary"):
            return Answer(json.dumps(UNVERIFIED).encode(), "application/json", 400)
        return wire.family.answer(next(turns), sent)

    with Provider(wire.family, give) as server:
        heard = await hold(model_of(wire, server.url, loader, tmp_path, "high"), wire.model)
    assert [each.reply.text for each in heard] == [said.text for said in TURNS]
    assert ["summary" in each.body["reasoning"] for each in server.sent] == [True, False, False, False, False]


UNVERIFIED = {
    "error": {
        "message": "Your organization must be verified to generate reasoning summaries. Please go to: "
        "https://platform.openai.com/settings/organization/general and click on Verify Organization.",
        "type": "invalid_request_error",
        "param": "reasoning.summary",
        "code": "unsupported_value",
    }
}


@pytest.mark.parametrize("title", ["Anthropic", "Bedrock", "Vertex, Claude"])
async def test_encrypted_thoughts_go_back(title: str, loader: LitellmLoader, tmp_path: Path) -> None:
    wire = next(wire for wire in WIRES if wire.title == title)
    turns = (replace(said, reasoning="") for said in TURNS)

    def give(sent: Sent) -> Answer:
        said = next(turns)
        if isinstance(wire.family, Bedrock):
            delta = {"delta": {"reasoningContent": {"redactedContent": ENCRYPTED}}, "contentBlockIndex": 0}
            begun, *rest = bedrock_events(said)
            return stream(begun, ("contentBlockDelta", delta), ("contentBlockStop", {"contentBlockIndex": 0}), *rest)
        begun, *rest = claude_events(said)
        return Answer(sse(begun, *block(0, {"type": "redacted_thinking", "data": ENCRYPTED}), *rest, names=True))

    with Provider(wire.family, give) as server:
        try:
            heard = await hold(model_of(wire, server.url, loader, tmp_path, "high"), wire.model)
        finally:
            assert server.problems == []
    assert [each.reply.text for each in heard] == [said.text for said in TURNS]
    assert [json.dumps(each.body).count(ENCRYPTED) for each in server.sent] == [0, 1, 2, 3]


ENCRYPTED = "ZW5jcnlwdGVk"


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.title)
async def test_a_key_to_what_was_kept_goes_only_to_who_takes_it(
    wire: Wire, loader: LitellmLoader, tmp_path: Path
) -> None:
    sent, _ = await converse(wire, "", loader, tmp_path)
    keys = {each.body.get("prompt_cache_key") for each in sent}
    assert keys == ({SESSION} if wire.title in ("OpenAI, responses", "OpenAI, codex") else {None})


_ROOMS = ("max_tokens", "max_completion_tokens", "max_output_tokens", "maxOutputTokens", "maxTokens")


def _rooms(body: dict[str, Any]) -> list[int]:
    """Return the limits of the answer's tokens that a request sets, wherever the provider has them."""
    nested = [_rooms(each) for name, each in body.items() if isinstance(each, dict) and name != "tools"]
    return [body[name] for name in _ROOMS if name in body] + [room for rooms in nested for room in rooms]
