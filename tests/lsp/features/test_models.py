"""Models of the client: it tells of them, is asked by `planact/complete`, and streams what they say."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from planact.lsp.protocol import messages
from tests.lsp.commands.planact_client import EXTRAS, PlanactClient, full, planact_client
from tests.lsp.editor_client import LIMIT, failure
from tests.lsp.raw_client import until

pytestmark = pytest.mark.asyncio(loop_scope="session")

NAME = "vscode/testing/echo"
READ = {"call": {"id": "call_1", "name": "read_file", "arguments": '{"path": "a.txt"}'}}
WAITS = None


class ModelClient(PlanactClient):
    """Asks its model, which plays `answers`: pieces, and how it ends."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.answers: list[tuple[Sequence[dict[str, Any]], Any]] = []
        self.asked: list[Any] = []
        self.was_cancelled = False

    def offer(self, *names: str) -> None:
        self.protocol.notify(messages.MODELS_OFFERED, {"models": [{"name": each} for each in names]})

    async def complete(self, asked: Any) -> Any:
        self.asked.append(asked)
        pieces, end = self.answers.pop(0)
        for piece in pieces:
            self.protocol.notify(messages.COMPLETION_DELTA, {"completion_id": asked["completion_id"], **piece})
        if end is WAITS:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                self.was_cancelled = True
                raise
        return end


@asynccontextmanager
async def model_client(root: Path, *, tells: bool = True) -> AsyncIterator[ModelClient]:
    capabilities = full(extras={**EXTRAS, "models": tells})
    async with planact_client(root, capabilities, {"model": NAME}, make=ModelClient) as client:

        @client.feature(messages.COMPLETE)
        async def complete(asked: Any) -> Any:
            return await client.complete(asked)

        client.offer(NAME)
        yield client


async def test_it_is_offered_asked_and_heard(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("hello\n")
    async with model_client(tmp_path) as client:
        models = (await client.do("listModels")).models
        assert next((model.name, model.provider, model.has_key) for model in models) == (NAME, "vscode", None)
        client.answers = [([{"text": "I look."}, READ], {}), ([{"text": "It says "}, {"text": "hello."}], {})]
        ended = await client.do("sendMessage", text="What is in a.txt?")
        said = [message for message in await client.transcript(ended.session_id) if message.role == "assistant"]
        assert [message.content for message in said] == ["I look.", "It says hello."]
        first, second = client.asked
        assert (first["model"], first["messages"][0]["role"]) == (NAME, "system")
        assert "read_file" in [tool["function"]["name"] for tool in first["tools"]]
        result = second["messages"][-1]
        assert (result["role"], result["tool_call_id"], "hello" in result["content"]) == ("tool", "call_1", True)
        assert second["messages"][: len(first["messages"])] == first["messages"], "what was said stays as it was"


async def test_a_stop_cancels_the_request(tmp_path: Path) -> None:
    async with model_client(tmp_path) as client:
        client.answers = [([{"text": "I begin"}], WAITS)]
        sending = client.begin("sendMessage", text="hello")
        await client.until_heard(messages.MESSAGE_DELTA)
        await client.do("stop")
        await asyncio.wait_for(sending, LIMIT)
        await until(lambda: client.was_cancelled)


async def test_failures_and_nonsense_are_told_and_end_nothing_else(tmp_path: Path) -> None:
    async with model_client(tmp_path) as client:
        client.protocol.notify(messages.COMPLETION_DELTA, {"completion_id": "of nothing", "text": "x"})
        client.protocol.notify(messages.COMPLETION_DELTA, {"text": 1})
        client.offer("openai/gpt-4o", NAME)  # all are refused for one that isn't the editor's
        for end, code in (
            ({"failure": "forbidden", "message": "the user said no"}, "MODEL_UNAVAILABLE"),
            ({"failure": "blocked", "message": "quota"}, "MODEL_NO_CREDIT"),
            ({"failure": 3}, "MODEL_STREAM_BROKEN"),
        ):
            client.answers = [([{"text": "I begin"}], end)] * 5
            told, message, hint = await failure(client.run("planact.sendMessage", text="hello"))
            assert (told, bool(message), bool(hint)) == (code, True, True)


async def test_a_client_that_asks_no_model_is_not_asked(tmp_path: Path) -> None:
    async with model_client(tmp_path, tells=False) as client:
        code, _, hint = await failure(client.run("planact.sendMessage", text="hello"))
        assert (code, bool(hint), client.asked) == ("MODEL_UNAVAILABLE", True, [])
