"""Tools for a model that can't call any: words describe them, and calls come back as JSON in the text.

Text after the calls is dropped: such models tend to invent the results they wait for.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from planact.model.chat.message import ModelRequest, Reply, TextDelta, ToolCall

_FENCE = "```tool_call"
_BLOCKS = re.compile(r"```tool_call[ \t]*\r?\n(.*?)(?:\r?\n```[ \t]*(?=\r?\n|\Z)|\Z)", re.DOTALL)
_ALONE = re.compile(r"\s*(?:```\w*[ \t]*\r?\n)?(\{\s*\"tool\"\s*:.*\})\s*(?:```)?\s*", re.DOTALL)
"""A text that is nothing but a call, written another way."""

_NAME = re.compile(r'"tool"\s*:\s*"([^"]*)"')
_HOW = """## Tools

To call a tool, end your message with one block for each call, and nothing after them:

```tool_call
{"tool": "NAME", "arguments": {…}}
```

The results come with the next message. A message without such a block ends your work. The tools, each with the JSON
Schema of its arguments:
"""


def tools_as_text(request: ModelRequest) -> ModelRequest:
    """Return the request with its tools, tool calls and results written as words."""
    names = {
        call["id"]: call["function"]["name"] for message in request.messages for call in message.get("tool_calls") or ()
    }
    first, *_ = request.messages
    prompt = f"{first['content']}\n\n" if first["role"] == "system" else ""
    messages: list[Mapping[str, Any]] = [{"role": "system", "content": prompt + _described(request.tools)}]
    for message in request.messages[1 if prompt else 0 :]:
        match message["role"]:
            case "assistant":
                messages.append({"role": "assistant", "content": _said(message)})
            case "tool":
                name = names.get(message["tool_call_id"], "a tool")
                _add_for_user(messages, f"Result of {name}:\n{message['content']}")
            case _:
                _add_for_user(messages, message["content"])
    return replace(request, messages=messages, tools=())


@dataclass(slots=True)
class TextCalls:
    """A stream of text that is searched for calls. Ids of calls begin with `id_prefix`."""

    id_prefix: str
    _held: str = ""
    _is_in_call: bool = field(default=False)

    def show(self, delta: TextDelta) -> Iterator[TextDelta]:
        """Return the part of a piece that people see: text up to the first call."""
        if delta.is_reasoning:
            yield delta
            return
        if self._is_in_call:
            return
        self._held += delta.text
        at = self._held.find(_FENCE)
        self._is_in_call = at >= 0
        end = at if at >= 0 else len(self._held) - _overlap(self._held)
        shown, self._held = self._held[:end], self._held[end:]
        if shown:
            yield TextDelta(shown)

    def rest(self) -> Iterator[TextDelta]:
        """Return held-back text that turned out to be no call."""
        if self._held and not self._is_in_call:
            yield TextDelta(self._held)

    def reply(self, reply: Reply) -> Reply:
        """Return the answer with its calls. A call with broken JSON stays a call, which the gate refuses with the
        reason.
        """
        blocks = list(_neighbours(reply.text)) or [match[1] for match in [_ALONE.fullmatch(reply.text)] if match]
        calls = tuple(_call(block, f"{self.id_prefix}_{number}") for number, block in enumerate(blocks))
        text = _ALONE.sub("", reply.text.partition(_FENCE)[0]).rstrip() if calls else reply.text
        return Reply(text, calls, reply.reasoning, reply.thinking_blocks, reply.usage, reply.finish_reason)


def _described(tools: Sequence[Mapping[str, Any]]) -> str:
    lines = [
        f"- {tool['function']['name']}: {tool['function'].get('description', '')}\n"
        f"  {json.dumps(tool['function'].get('parameters', {}), ensure_ascii=False)}"
        for tool in tools
    ]
    return _HOW + "\n".join(lines)


def _said(message: Mapping[str, Any]) -> str:
    blocks = [
        f'{_FENCE}\n{{"tool": {json.dumps(call["function"]["name"])}, '
        f'"arguments": {call["function"]["arguments"]}}}\n```'
        for call in message.get("tool_calls") or ()
    ]
    return "\n".join(filter(None, [message.get("content") or "", *blocks]))


def _add_for_user(messages: list[Mapping[str, Any]], content: Any) -> None:
    """Join the results of one answer to one message: chat templates of small models want the roles to alternate."""
    last = messages[-1]
    if last["role"] == "user" and isinstance(last["content"], str) and isinstance(content, str):
        messages[-1] = {"role": "user", "content": f"{last['content']}\n\n{content}"}
    else:
        messages.append({"role": "user", "content": content})


def _overlap(text: str) -> int:
    """Return how many characters at the end of `text` may begin a call."""
    return next((size for size in range(min(len(_FENCE), len(text)), 0, -1) if _FENCE.startswith(text[-size:])), 0)


def _neighbours(text: str) -> Iterator[str]:
    """Return the blocks up to the first with other text before it; a block without an end was cut off."""
    end = None
    for block in _BLOCKS.finditer(text):
        if end is not None and text[end : block.start()].strip():
            return
        end = block.end()
        yield block[1]


def _call(block: str, call_id: str) -> ToolCall:
    try:
        data = json.loads(block)
    except (ValueError, RecursionError):
        data = None
    if isinstance(data, dict) and isinstance(data.get("tool"), str):
        return ToolCall.of(call_id, data["tool"], data.get("arguments", {}))
    name = _NAME.search(block)
    return ToolCall(id=call_id, name=name[1] if name else "", arguments=block)
