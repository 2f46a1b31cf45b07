"""An answer put together from the chunks of its stream.

Providers interleave the pieces of parallel calls, leave out ids, give every call the same index, or part a character
between two pieces; all four are handled.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from planact.adapters.llm.reasoning import ReasoningBlocks, ThinkTags, without_begun_thought
from planact.base.text import with_whole_characters
from planact.model.chat.message import Reply, TextDelta, ToolCall, Usage


class CharacterJoiner:
    """Joins characters beyond U+FFFF that a server of two-byte characters has cut in two between pieces of a text. A
    half without the other one, which nothing can print or send, becomes U+FFFD.
    """

    def __init__(self) -> None:
        self._half = ""

    def add(self, text: str) -> str:
        """Return the whole characters of the text so far; the first half of one waits for its second."""
        text = self._half + text
        self._half = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        whole = text[: len(text) - len(self._half)]
        return whole.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


@dataclass(slots=True)
class _Call:
    index: int
    id: str
    name: str
    arguments: str


class Assembly:
    """The answer as far as its stream has come: `size` characters of it, and `finish_reason` once it has ended.

    Chunks have litellm's form, which is OpenAI's; a call without an id gets one with `id_prefix`.
    """

    def __init__(self, id_prefix: str) -> None:
        self.size = 0
        self._id_prefix = id_prefix
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._blocks = ReasoningBlocks()
        self._said, self._thought = CharacterJoiner(), CharacterJoiner()
        self._tags = ThinkTags()
        self._calls: list[_Call] = []
        self._call_at: dict[int, _Call] = {}
        self.finish_reason = ""

    def add(self, chunk: Any) -> Iterator[TextDelta]:
        """Add one chunk and yield its text."""
        for choice in chunk.choices[:1]:
            self.finish_reason = choice.finish_reason or self.finish_reason
            thought, said = getattr(choice.delta, "reasoning_content", None), choice.delta.content
            if isinstance(thought, str) and (reasoning := self._thought.add(thought)):
                yield self._add_text(TextDelta(reasoning, is_reasoning=True))
            if isinstance(said, str) and (text := self._said.add(said)):
                yield from map(self._add_text, self._tags.split(text))
            self._blocks.add(choice.delta)
            for piece in choice.delta.tool_calls or ():
                self._add_call(piece)

    def rest(self) -> Iterator[TextDelta]:
        """Yield the text that was held back, once the stream has ended."""
        yield from map(self._add_text, self._tags.rest())

    def reply(self, usage: Usage) -> Reply:
        thought, text = without_begun_thought("".join(self._text))
        return Reply(
            text=text,
            tool_calls=tuple(
                ToolCall(
                    id=call.id or f"{self._id_prefix}_{number}",
                    name=call.name,
                    arguments=with_whole_characters(call.arguments) or "{}",
                )
                for number, call in enumerate(self._calls)
            ),
            reasoning="".join(self._reasoning) + thought,
            thinking_blocks=self._blocks.blocks([call.id for call in self._calls]),
            usage=usage,
            finish_reason=self.finish_reason or "stop",
        )

    def _add_text(self, delta: TextDelta) -> TextDelta:
        (self._reasoning if delta.is_reasoning else self._text).append(delta.text)
        self.size += len(delta.text)
        return delta

    def _add_call(self, piece: Any) -> None:
        name, arguments = _parts_of(piece)
        call = self._call_at.get(piece.index)
        if call is not None and piece.id and call.id and piece.id != call.id:
            of_id = (each for each in self._calls if each.index == piece.index and each.id == piece.id)
            call = next(of_id, None)
        elif call is not None and _is_sent_again(call, name, arguments):
            return
        elif call is not None and _begins_another(call, name, arguments):
            call = None
        if call is None:
            call = _Call(piece.index, "", "", "")
            self._calls.append(call)
        self._call_at[piece.index] = call
        call.id = call.id or piece.id or ""
        call.name = _joined_name(call, name)
        call.arguments = arguments if _replaces(arguments, call.arguments) else call.arguments + arguments
        self.size += len(arguments) + len(name) + 1


def _is_sent_again(call: _Call, name: str, arguments: str) -> bool:
    """Return whether a piece repeats a call with all of its arguments, as its end does from some servers: nothing is to
    be done twice.
    """
    is_same = bool(name) and (name, arguments.strip()) == (call.name, call.arguments.strip())
    return is_same and _is_whole(call)


def _begins_another(call: _Call, name: str, arguments: str) -> bool:
    """Return whether a piece that names no other id begins a further call, as from servers that give all calls the same
    place and no ids: the call there has all of its arguments.
    """
    if not (name and arguments.strip()) or (name == call.name and _replaces(arguments, call.arguments)):
        return False
    return _is_whole(call)


def _is_whole(call: _Call) -> bool:
    if not call.arguments.rstrip().endswith("}"):
        return False
    try:
        return isinstance(json.loads(call.arguments, strict=False), dict)
    except (ValueError, RecursionError):
        return False


def _replaces(arguments: str, before: str) -> bool:
    """Return whether arguments come in place of an empty input, which some proxies send first."""
    return before.strip() == "{}" and arguments.lstrip().startswith("{")


def _joined_name(call: _Call, name: str) -> str:
    """Return the name of a call with a further piece of it. Some servers send the whole name with each piece, others
    cut it, as all text, into tokens, before the first argument.
    """
    if call.arguments or name == call.name:
        return call.name or name
    return name if name.startswith(call.name) else call.name + name


def _parts_of(piece: Any) -> tuple[str, str]:
    """Return name and arguments, also of a call of OpenAI's kind `custom`, which takes a text: planact offers no such
    tools, and then says so.
    """
    if (function := getattr(piece, "function", None)) is not None:
        return function.name or "", function.arguments or ""
    custom = getattr(piece, "custom", None)
    return getattr(custom, "name", None) or "", getattr(custom, "input", None) or ""
