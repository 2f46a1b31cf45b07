"""Listings and answers of MCP servers as planact's own data."""

import hashlib
import json
import re
from collections.abc import Iterable
from typing import Any, assert_never

from mcp_types import (
    AudioContent,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
    Tool,
)

from planact.base.text import one_line
from planact.model.mcp import McpTool

MOST_TOOLS = 100

_NAME = re.compile(r"[A-Za-z0-9_./-]{1,128}")


def tools_of(server: str, way: Iterable[str], listed: list[Tool]) -> tuple[tuple[McpTool, ...], str]:
    """Return the usable tools, and a note on those that were left out.

    Args:
        server: its name in the settings.
        way: how the server is reached, which is part of a tool's fingerprint.
        listed: the server's listing.
    """
    fit = [tool for tool in listed if _NAME.fullmatch(tool.name)]
    problems = []
    if len(fit) < len(listed):
        problems.append(f"{len(listed) - len(fit)} of its tools have names that can't be used and are left out")
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


def text_of(result: CallToolResult) -> str:
    """Return all text of an answer; other parts are named."""
    texts = [block.text for block in result.content if isinstance(block, TextContent)]
    parts = [_block(block) for block in result.content]
    structured = result.structured_content
    if structured is not None and not any(_says(text, structured) for text in texts):
        parts.append(json.dumps(structured, ensure_ascii=False))
    return "\n".join(parts) or "(nothing)"


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
