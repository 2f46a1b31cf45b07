"""Results of servers, made fit for the SDK, which refuses a whole listing for one tool and a whole answer for one part
that isn't quite as the protocol has it.
"""

import json
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Self

from mcp.shared.message import SessionMessage
from mcp_types import PARSE_ERROR, ErrorData, JSONRPCError, JSONRPCResponse
from mcp_types.methods import validate_server_result
from mcp_types.version import LATEST_PROTOCOL_VERSION
from pydantic import ValidationError

from planact.base.text import one_line

_LISTING, _CALL = "tools/list", "tools/call"
_OF_THE_SDK = "Failed to parse "
"""How the SDK begins to tell of an answer over HTTP that it can't read, in words for programmers."""

_MOST_LOOKED_AT = 1_000
"""Tools and parts that are looked at one by one; of an unfit result the others are left out."""


class FitResults:
    """The results of one run of a server; `version` of the protocol is known once it has been agreed on.

    Attributes:
        unfit_tools: how many tools were left out since this was last set.
    """

    def __init__(self) -> None:
        self.unfit_tools = 0
        self.version: str | None = None

    def of(self, incoming: Any) -> "_FitStream":
        """Return the SDK's `ReadStream` with fit results."""
        return _FitStream(incoming, self._fit)

    def _fit(self, item: SessionMessage | Exception) -> SessionMessage | Exception:
        if isinstance(item, SessionMessage) and isinstance(item.message, JSONRPCResponse):
            result = item.message.result
            if "content" in result or "structuredContent" in result:
                item.message.result = self._answer(result)
            elif isinstance(result.get("tools"), list):
                item.message.result = self._listing(result)
        elif isinstance(item, SessionMessage) and isinstance(item.message, JSONRPCError):
            error = item.message.error
            if error.code == PARSE_ERROR and error.message.startswith(_OF_THE_SDK):
                return no_result(item.message.id)
        return item

    def _listing(self, result: Mapping[str, Any]) -> dict[str, Any]:
        if self._fits(_LISTING, result):
            return dict(result)
        tools = []
        for tool in result["tools"][:_MOST_LOOKED_AT]:
            fit = next((each for each in (tool, _plain_tool(tool)) if self._fits(_LISTING, {"tools": [each]})), None)
            tools += [] if fit is None else [fit]
        self.unfit_tools += len(result["tools"]) - len(tools)
        cursor = result.get("nextCursor")
        return {"tools": tools, **({"nextCursor": cursor} if isinstance(cursor, str) else {})}

    def _answer(self, result: Mapping[str, Any]) -> dict[str, Any]:
        if self._fits(_CALL, result):
            return dict(result)
        content, structured = result.get("content"), result.get("structuredContent")
        parts = [
            part if self._fits(_CALL, {"content": [part]}) else _plain_part(part)
            for part in (content[:_MOST_LOOKED_AT] if isinstance(content, list) else [])
        ]
        if structured is not None and not (parts and isinstance(content, list)):
            parts.append({"type": "text", "text": json.dumps(structured, ensure_ascii=False)})
        elif not isinstance(content, list):
            return dict(result)
        return {"content": parts, "isError": bool(result.get("isError"))}

    def _fits(self, method: str, result: Mapping[str, Any]) -> bool:
        try:
            validate_server_result(method, self.version or LATEST_PROTOCOL_VERSION, result)
        except KeyError:  # the SDK doesn't check results of that version
            return True
        except ValidationError:
            return False
        return True


def no_result(request_id: Any) -> SessionMessage:
    """Return the answer to a request whose own answer is none, so that nobody waits for it."""
    error = ErrorData(code=PARSE_ERROR, message="it answered with what is no result")
    return SessionMessage(JSONRPCError(jsonrpc="2.0", id=request_id, error=error))


class _FitStream:
    def __init__(self, incoming: Any, fit: Callable[[SessionMessage | Exception], SessionMessage | Exception]) -> None:
        self._incoming = incoming
        self._fit = fit

    async def receive(self) -> SessionMessage | Exception:
        return self._fit(await self._incoming.receive())

    async def aclose(self) -> None:
        await self._incoming.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        return self._fit(await self._incoming.__anext__())

    async def __aenter__(self) -> Self:
        await self._incoming.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._incoming.__aexit__(kind, error, trace)


def _plain_tool(tool: Any) -> Any:
    """Return no more of a tool than planact needs."""
    if not isinstance(tool, Mapping) or not isinstance(tool.get("inputSchema"), Mapping):
        return None
    described = {"description": tool["description"]} if isinstance(tool.get("description"), str) else {}
    return {"name": tool.get("name"), **described, "inputSchema": {"type": "object", **tool["inputSchema"]}}


def _plain_part(part: Any) -> dict[str, str]:
    """Return the text of a part, or words in place of one in an unknown form."""
    kind, text = (part.get("type"), part.get("text")) if isinstance(part, Mapping) else (None, None)
    if not (kind == "text" and isinstance(text, str)):
        text = f"[a part in a form that isn't known here: {one_line(str(kind), 60)}]"
    return {"type": "text", "text": text}
