"""What may be registered on the server."""

from typing import Any

import pytest
from pydantic import BaseModel

from planact.lsp.server import PlanactServer


class Payload(BaseModel):
    text: str


async def plain(ls: PlanactServer) -> None: ...


async def with_payload(ls: PlanactServer, payload: Payload) -> None: ...


def not_a_coroutine(ls: PlanactServer) -> None: ...


async def without_server(payload: Payload) -> None: ...


async def untyped(ls: PlanactServer, payload: Any) -> None: ...


async def two(ls: PlanactServer, payload: Payload, other: Payload) -> None: ...


def test_a_command_takes_one_model_or_nothing() -> None:
    server = PlanactServer()
    server.command("one")(plain)
    server.command("two")(with_payload)
    assert server.protocol.payloads == {"one": None, "two": Payload}


@pytest.mark.parametrize("handler", [not_a_coroutine, without_server, untyped, two])
def test_what_could_not_be_called_is_refused_at_start(handler: Any) -> None:
    with pytest.raises(TypeError):
        PlanactServer().command("x")(handler)
