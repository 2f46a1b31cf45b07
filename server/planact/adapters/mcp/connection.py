"""One MCP server: started at its first use, listed anew with each turn, and started again after it failed.

The SDK wants its contexts entered and left by the same task: each run of a server is one task, which others call into.
Listings and answers come out as planact's own data.
"""

import asyncio
import base64
import hashlib
import json
import logging
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any, Protocol, assert_never

from mcp.client.session import ClientRequestContext, ClientSession
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CONNECTION_CLOSED,
    METHOD_NOT_FOUND,
    UNSUPPORTED_PROTOCOL_VERSION,
    AudioContent,
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    Implementation,
    ListRootsResult,
    PaginatedRequestParams,
    ResourceLink,
    Root,
    TextContent,
    TextResourceContents,
    Tool,
)
from pydantic import FileUrl, ValidationError

from planact.adapters.mcp.fit_results import FitResults
from planact.base.errors import McpFailure
from planact.base.text import capped, first_few, one_line
from planact.model.chat.image import MAX_IMAGE_BYTES, MAX_IMAGES, picture_of
from planact.model.mcp import McpAnswer, McpListing, McpTool

MOST_TOOLS = 100

_NAME = re.compile(r"[A-Za-z0-9_./-]{1,128}")


def tools_of(server: str, way: Iterable[str], listed: list[Tool], unfit: int) -> tuple[tuple[McpTool, ...], str]:
    """Return the usable tools, and a note on those that were left out.

    Args:
        server: its name in the settings.
        way: how the server is reached, which is part of a tool's fingerprint.
        listed: the server's listing.
        unfit: how many more it lists in no known form.
    """
    fit = [tool for tool in listed if _NAME.fullmatch(tool.name)]
    problems = []
    if unfit:
        verb = "is" if unfit == 1 else "are"
        problems.append(f"{unfit} of its tools {verb} not described as the protocol asks and {verb} left out")
    if odd := [f"“{one_line(tool.name, 30)}”" for tool in listed if not _NAME.fullmatch(tool.name)]:
        verb = "is" if len(odd) == 1 else "are"
        rule = "names can be 1 to 128 letters, digits and -_./"
        problems.append(f"{len(odd)} of its tools {verb} left out, since {rule}: {first_few(odd, 3)}")
    if len(fit) > MOST_TOOLS:
        problems.append(f"of its {len(fit)} tools all but the first {MOST_TOOLS} are left out")
    return tuple(_tool(server, way, tool) for tool in fit[:MOST_TOOLS]), "; ".join(problems)


def _tool(server: str, way: Iterable[str], tool: Tool) -> McpTool:
    said = tool.model_dump(mode="json", by_alias=True, exclude_none=True)
    whole = json.dumps([server, *way, said], sort_keys=True)
    return McpTool(
        server=server,
        name=tool.name,
        description=tool.description or tool.title or "",
        parameters=tool.input_schema,
        says_read_only=bool(tool.annotations and tool.annotations.read_only_hint),
        fingerprint=hashlib.sha256(whole.encode()).hexdigest(),
    )


def answer_of(result: CallToolResult) -> McpAnswer:
    """Return all text of an answer, in which other parts are named, and its images."""
    texts = [block.text for block in result.content if isinstance(block, TextContent)]
    parts, images = [], list[bytes]()
    for block in result.content:
        image = _image(block) if len(images) < MAX_IMAGES else None
        if image is not None:
            images.append(image)
        parts.append(_block(block) if image is None else f"[image {len(images)}]")
    structured = result.structured_content
    if structured is not None and not any(_says(text, structured) for text in texts):
        parts.append(json.dumps(structured, ensure_ascii=False))
    return McpAnswer("\n".join(parts) or "(nothing)", tuple(images))


def _image(block: ContentBlock) -> bytes | None:
    """Return the image in a part, None if there is none that can be sent."""
    if not isinstance(block, ImageContent) or len(block.data) > 2 * MAX_IMAGE_BYTES:
        return None
    with suppress(ValueError):
        content = base64.b64decode(block.data, validate=True)
        picture_of(content)
        return content
    return None


def _block(block: ContentBlock) -> str:
    match block:
        case TextContent(text=text):
            return text
        case ImageContent(data=data, mime_type=kind) | AudioContent(data=data, mime_type=kind):
            return f"[{one_line(kind, 60)}, {len(data) * 3 // 4:,} bytes, not shown]"
        case ResourceLink(name=name, uri=uri):
            return f"[the resource {one_line(name, 100)} at {one_line(uri, 300)}, not read]"
        case EmbeddedResource(resource=TextResourceContents(uri=uri, text=text)):
            return f"[the resource {one_line(uri, 300)}]\n{text}"
        case EmbeddedResource(resource=resource):
            return f"[the resource {one_line(resource.uri, 300)}, not shown]"
        case _:
            assert_never(block)


def _says(text: str, structured: Any) -> bool:
    """Return True if `text` repeats `structured`; the SDK wraps single values as `{"result": …}`."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = text
    return structured in (value, {"result": value}, {"result": text})


log = logging.getLogger(__name__)

START_SECONDS = 60.0
"""For a server to come up and say what it offers; some are downloaded first."""
PATIENCE_SECONDS = 10.0
"""That long a turn waits for that."""
_LIST_SECONDS = 5.0  # for one that is up already
_END_SECONDS = 5.0
_PAGES = 20
_ERROR = 2_000
_MAY_HAVE_ACTED = "It may have acted: look before you call it again, go another way, or ask."


class Road(Protocol):
    """The transport to a server for one run of it: a program or an address. `trouble` is the last failure on it."""

    trouble: str

    def open(self, over: asyncio.Event) -> AbstractAsyncContextManager[tuple[Any, Any]]:
        """Yield the streams of a session; `over` is set when the server ends it."""


class Connection:
    """A server of the settings. `make_road` makes the transport of each run; `way` names it in words of the settings. A
    server that asks is told of `root`; `advice` is added to its listing when its settings seem to rely on the
    workspace.
    """

    def __init__(
        self,
        name: str,
        way: tuple[str, ...],
        make_road: Callable[[], Road],
        version: str,
        *,
        root: Path | None = None,
        advice: Callable[[], str] = lambda: "",
    ) -> None:
        self._name = name
        self._way = way
        self._make_road = make_road
        self._client = Implementation(name="planact", version=version)
        self._root = root
        self._advice = advice
        self._asking = asyncio.Lock()
        self._run: _Run | None = None

    async def listing(self) -> McpListing:
        """Return the server's tools or its failure. Raises only when cancelled."""
        async with self._asking:
            run = self._run
            if run is not None and not await run.is_well():
                await run.end()
            if run is None or run.is_over:
                run = self._run = _Run(self._name, self._way, self._make_road(), self._client, self._root)
            await run.wait()
            return replace(run.listing, advice=await asyncio.to_thread(self._advice))

    async def call(self, tool: McpTool, arguments: Mapping[str, Any], timeout: float, limit: int) -> McpAnswer:
        run = self._run
        if run is None or run.session is None:
            raise self._failure("it does not run any more", "It is started again with the next turn.")
        if tool not in run.listing.tools:
            raise self._failure(f"{tool.name} is not what it was when it was offered", "Look again in the next turn.")
        run.road.trouble, run.calls = "", run.calls + 1
        request = CallToolRequest(params=CallToolRequestParams(name=tool.name, arguments=dict(arguments)))
        try:
            async with asyncio.timeout(timeout):
                # Not `call_tool`, which checks answers with patterns that the server brings along.
                result = await run.session.send_request(request, CallToolResult, timeout + _END_SECONDS)
        except TimeoutError:
            raise self._failure(f"{tool.name} did not answer within {timeout:g} s", _MAY_HAVE_ACTED) from None
        except ValidationError:
            raise self._failure(f"{tool.name} answered with what is no result", _MAY_HAVE_ACTED) from None
        except Exception as error:  # noqa: BLE001  whatever the SDK lets through of a server's doing
            raise self._failure(f"{tool.name}: {run.cause(error)}", _MAY_HAVE_ACTED) from None
        finally:
            run.calls -= 1
        if result.is_error:
            said = capped(answer_of(result).text, _ERROR)
            raise self._failure(f"{tool.name} says: {said}", "Correct the call, or go another way.")
        answer = answer_of(result)
        return replace(answer, text=capped(answer.text, limit))

    def retire(self) -> None:
        """Let the server end by itself, soon."""
        if self._run is not None:
            self._run.over.set()

    async def end(self) -> None:
        """End the server, if it runs."""
        if self._run is not None:
            await self._run.end()

    def _failure(self, cause: str, hint: str) -> McpFailure:
        return McpFailure("MCP_FAILED", f"the MCP server {self._name}: {cause}", hint)


class _Run:
    """One run of a server, from its start to its end. `session` is set while the server can be called."""

    def __init__(self, name: str, way: tuple[str, ...], road: Road, client: Implementation, root: Path | None) -> None:
        self._name = name
        self._way = way
        self._client = client
        self._root = root
        self._results = FitResults()
        self._since = monotonic()
        self._ready = asyncio.Event()
        self.road = road
        self.over = asyncio.Event()
        self.session: ClientSession | None = None
        self.calls = 0
        self.listing = self._without(f"it is still starting after {PATIENCE_SECONDS:g} s", "A later turn will have it")
        self._task = asyncio.create_task(self._live(), name=f"mcp {name}")

    @property
    def is_over(self) -> bool:
        """True once the run can't be used again."""
        return self._task.done() or self.over.is_set()

    async def wait(self) -> None:
        """Wait for the start, no longer than a turn does."""
        try:
            async with asyncio.timeout(max(0.0, self._since + PATIENCE_SECONDS - monotonic())):
                await self._ready.wait()
        except TimeoutError:
            return

    async def is_well(self) -> bool:
        """Return True if the server is starting, at work on a call, or still answers a listing."""
        if self.session is None or self.calls:
            return not self.is_over
        try:
            async with asyncio.timeout(_LIST_SECONDS):
                self.listing = await self._list(self.session)
        except Exception:  # noqa: BLE001  whatever it was, it is started anew
            return False
        return True

    async def end(self) -> None:
        """Let the server end in order, else cancel its task, which kills it."""
        self.over.set()
        if not self._ready.is_set():
            self._task.cancel()
        _, late = await asyncio.wait([self._task], timeout=_END_SECONDS)
        if late:
            self._task.cancel()
            await asyncio.wait([self._task], timeout=_END_SECONDS)

    def cause(self, error: BaseException) -> str:
        """Return an error in words for people."""
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        said = one_line(str(error), 300) or type(error).__name__
        is_closed = isinstance(error, MCPError) and error.code == CONNECTION_CLOSED
        is_told = self.road.trouble and (is_closed or said == self.road.trouble)
        return "; ".join(filter(None, (self.road.trouble, "" if is_told else said)))

    async def _live(self) -> None:
        try:
            async with (
                self.road.open(self.over) as (incoming, outgoing),
                ClientSession(
                    self._results.of(incoming),
                    outgoing,
                    read_timeout_seconds=START_SECONDS,
                    client_info=self._client,
                    list_roots_callback=self._list_roots if self._root else None,
                ) as session,
            ):
                await _shake_hands(session)
                self._results.version = session.protocol_version
                self.listing = await self._list(session)
                self.session = session
                self._ready.set()
                await self.over.wait()
                self.session = None
            self.listing = self._without(self.road.trouble or "it ended")
        except McpFailure as refused:
            self.listing = replace(self._without(refused.message, refused.hint), code=refused.code)
        except Exception as error:
            log.debug("the MCP server %s failed", self._name, exc_info=True)
            self.listing = self._without(self.cause(error))
        finally:
            self.session = None
            self.over.set()
            self._ready.set()

    async def _list_roots(self, context: ClientRequestContext) -> ListRootsResult:  # noqa: ARG002
        assert self._root is not None
        return ListRootsResult(roots=[Root(uri=FileUrl(self._root.as_uri()), name=self._root.name)])

    async def _list(self, session: ClientSession) -> McpListing:
        listed: list[Tool] = []
        cursor: str | None = None
        self._results.unfit_tools = 0
        for _ in range(_PAGES if session.server_capabilities and session.server_capabilities.tools else 0):
            page = await session.list_tools(params=PaginatedRequestParams(cursor=cursor))
            listed += page.tools
            cursor = page.next_cursor
            if not cursor or len(listed) > MOST_TOOLS:
                break
        tools, problem = tools_of(self._name, self._way, listed, self._results.unfit_tools)
        return McpListing(self._name, tools, problem and f"the MCP server {self._name}: {problem}")

    def _without(
        self, cause: str, next_step: str = "Correct it in the setting mcp.servers, or disable it"
    ) -> McpListing:
        return McpListing(self._name, problem=f"the MCP server {self._name}: {cause}. {next_step}")


async def _shake_hands(session: ClientSession) -> None:
    """Initialize the session with the protocol version that all servers know: some end when they hear a newer one."""
    try:
        await session.initialize()
    except MCPError as error:
        if error.code not in (METHOD_NOT_FOUND, UNSUPPORTED_PROTOCOL_VERSION):
            raise
        await session.discover()
