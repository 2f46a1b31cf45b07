"""A conversation passes on each provider: requests fit its published schema, and what it signed comes back once."""

import json
from pathlib import Path
from typing import Any, cast

import pytest

from planact.adapters.llm.litellm_model import LitellmLoader
from planact.adapters.llm.model_table import ModelTable
from planact.adapters.llm.models import ModelSource
from planact.model.settings import ModelSettings, ReasoningEffort, Settings
from tests.real.wire.conversation import TURNS, hold
from tests.real.wire.providers import WIRES, Wire
from tests.real.wire.server import Answer, Provider, Sent

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.filterwarnings("ignore:Accessing the .* attribute on the instance is deprecated"),
]


def model_of(wire: Wire, url: str, loader: LitellmLoader, folder: Path, effort: str = "") -> Any:
    own = ModelSettings(
        endpoint=url + wire.base,
        parameters=dict(wire.parameters),
        reasoning_effort=cast(ReasoningEffort, effort),
    )
    settings = Settings(model=wire.model, models={wire.model: own})
    return ModelSource(settings.of_model, loader, ModelTable({}), folder).open(wire.model)


@pytest.mark.parametrize("effort", ["", "high"])
@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.title)
async def test_a_conversation_passes(wire: Wire, effort: str, loader: LitellmLoader, tmp_path: Path) -> None:
    number = iter(TURNS)

    def give(sent: Sent) -> Answer:
        return wire.family.answer(next(number), sent)

    with Provider(wire.family, give) as server:
        try:
            heard = await hold(model_of(wire, server.url, loader, tmp_path, effort), wire.model)
        finally:
            assert server.problems == []
    for said, each in zip(TURNS, heard, strict=True):
        calls = [(call.name, json.loads(call.arguments)) for call in each.reply.tool_calls]
        assert (each.reply.text, calls) == (said.text, [(call.name, dict(call.arguments)) for call in said.calls])
        assert each.reply.reasoning == said.reasoning
        assert "".join(piece.text for piece in each.pieces if not piece.is_reasoning) == said.text
        assert (each.reply.usage.input_tokens, each.reply.usage.output_tokens) == (100, 20)
        assert each.reply.usage.cached_tokens == 40
    told = [_value_at(wire.effort, sent.body) for sent in server.sent] if wire.effort else []
    assert all((value is not None) == bool(effort) for value in told), told
    rooms = [room for sent in server.sent for room in _rooms(sent.body)]
    assert not told or not effort or min(rooms) >= 32_000, "no room beside the thoughts"
    bodies = [json.dumps(sent.body, ensure_ascii=False) for sent in server.sent]
    for turn, said in enumerate(TURNS[:-1]):
        backs = {"signed": said.mark, "plain": said.reasoning}.get(wire.carries, "")
        assert not backs or backs in bodies[turn + 1], f"{backs} didn't come back"
        assert wire.carries == "plain" or said.reasoning not in "".join(bodies) or backs
    assert ("data:image" in bodies[0] or "image/png" in bodies[0]) == wire.takes_pictures


_ROOMS = ("max_tokens", "max_completion_tokens", "max_output_tokens", "maxOutputTokens", "maxTokens")


def _rooms(body: dict[str, Any]) -> list[int]:
    """Return the limits of the answer's tokens that a request sets, wherever the provider has them."""
    nested = [_rooms(each) for name, each in body.items() if isinstance(each, dict) and name != "tools"]
    return [body[name] for name in _ROOMS if name in body] + [room for rooms in nested for room in rooms]


def _value_at(path: str, body: dict[str, Any]) -> Any:
    value: Any = body
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value
