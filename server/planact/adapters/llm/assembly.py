"""An answer put together from the chunks of its stream.

Providers interleave the pieces of parallel calls, leave out ids, or give every call the same index; all three are
handled.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from planact.model.chat.message import Reply, TextDelta, ToolCall, Usage


@dataclass(slots=True)
class _Call:
    id: str
    name: str
    arguments: str


SIGNATURE = "thought_signature"
"""Type of the block that holds Gemini's signature of a text; those of calls are part of their ids."""


class Assembly:
    """The answer as far as its stream has come: `size` characters of it, and `finish_reason` once it has ended.

    Chunks have litellm's form, which is OpenAI's; a call without an id gets one with `id_prefix`.
    """

    def __init__(self, id_prefix: str) -> None:
        self.size = 0
        self._id_prefix = id_prefix
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._thinking: list[dict[str, Any]] = []
        self._signatures: list[str] = []
        self._calls: list[_Call] = []
        self._call_at: dict[int, _Call] = {}
        self.finish_reason = ""

    def add(self, chunk: Any) -> Iterator[TextDelta]:
        """Add one chunk and yield its text."""
        for choice in chunk.choices[:1]:
            self.finish_reason = choice.finish_reason or self.finish_reason
            if reasoning := getattr(choice.delta, "reasoning_content", None):
                self._reasoning.append(reasoning)
                self.size += len(reasoning)
                yield TextDelta(reasoning, is_reasoning=True)
            if text := choice.delta.content:
                self._text.append(text)
                self.size += len(text)
                yield TextDelta(text)
            for block in getattr(choice.delta, "thinking_blocks", None) or ():
                self._add_thinking(block)
            for signature in (getattr(choice.delta, "provider_specific_fields", None) or {}).get(f"{SIGNATURE}s", ()):
                self._signatures.append(signature)
            for piece in choice.delta.tool_calls or ():
                self._add_call(piece)

    def reply(self, usage: Usage) -> Reply:
        return Reply(
            text="".join(self._text),
            tool_calls=tuple(
                ToolCall(id=call.id or f"{self._id_prefix}_{number}", name=call.name, arguments=call.arguments or "{}")
                for number, call in enumerate(self._calls)
            ),
            reasoning="".join(self._reasoning),
            thinking_blocks=(*self._thinking, *self._signed_text()),
            usage=usage,
            finish_reason=self.finish_reason or "stop",
        )

    def _signed_text(self) -> Iterator[Mapping[str, Any]]:
        """Yield the last signature that no call carries: a copy of one would be billed once more."""
        signatures = [each for each in self._signatures if not any(call.id.endswith(each) for call in self._calls)]
        for signature in signatures[-1:]:
            yield {"type": SIGNATURE, "signature": signature}

    def _add_thinking(self, block: Mapping[str, Any]) -> None:
        """Join the pieces of a thinking block until its signature comes; an encrypted block comes whole."""
        last = self._thinking[-1] if self._thinking else {}
        if block.get("type") != "thinking" or last.get("type") != "thinking" or last.get("signature"):
            self._thinking.append({name: value for name, value in block.items() if value is not None})
            return
        last["thinking"] = last.get("thinking", "") + (block.get("thinking") or "")
        if signature := block.get("signature"):
            last["signature"] = signature

    def _add_call(self, piece: Any) -> None:
        call = self._call_at.get(piece.index)
        if call is None or (piece.id and call.id and piece.id != call.id):
            call = _Call("", "", "")
            self._calls.append(call)
            self._call_at[piece.index] = call
        call.id = call.id or piece.id or ""
        call.name = call.name or piece.function.name or ""
        arguments = piece.function.arguments or ""
        call.arguments += arguments
        self.size += len(arguments) + len(piece.function.name or "") + 1
