"""A model's reasoning in its stream: in the provider's own form, to be sent back, and in tags in the text."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from planact.base.text import with_whole_characters
from planact.model.chat.message import TextDelta

SIGNATURE = "thought_signature"
"""Type of the block that holds Gemini's signature of a text; those of calls are part of their ids."""

_JOINED = ("thinking", "text", "summary")
"""Fields of a block that come in pieces."""

_TAGS = {"<think>": "</think>", "<thinking>": "</thinking>"}


_ENDED = re.compile(r"(?:\A|\n)[ \t]*</think(?:ing)?>[ \t]*(?:\n+|\Z)")


def without_begun_thought(text: str) -> tuple[str, str]:
    """Return the thought that a text begins with, and the rest. Some templates open the tag before the model's answer,
    so that only its end, on a line of its own, is in the text; one in a fence or behind a tag that begins is quoted.
    """
    end = _ENDED.search(text)
    before = text[: end.start()] if end else ""
    if end is None or "<think" in before or before.count("```") % 2:
        return "", text
    return before, text[end.end() :]


class ReasoningBlocks:
    """Blocks of reasoning as far as the stream has come: Anthropic's signed thinking, OpenAI's encrypted items,
    OpenRouter's details and Gemini's signatures. Their types tell them apart.
    """

    def __init__(self) -> None:
        self._blocks: list[dict[str, Any]] = []
        self._signatures: list[str] = []

    def add(self, delta: Any) -> None:
        """Add the blocks of one chunk's delta."""
        for name in ("thinking_blocks", "reasoning_details"):
            for block in _blocks_in(getattr(delta, name, None)):
                self._add_piece(block)
        for item in _blocks_in(getattr(delta, "reasoning_items", None)):
            # Nothing is kept at OpenAI, so an id would name nothing there; what isn't encrypted can't be sent back.
            if item.get("encrypted_content"):
                self._blocks.append({name: item.get(name) for name in ("type", "summary", "encrypted_content")})
        fields = getattr(delta, "provider_specific_fields", None)
        signatures = fields.get("thought_signatures") if isinstance(fields, Mapping) else None
        self._signatures += [each for each in signatures or () if isinstance(each, str)]

    def blocks(self, call_ids: Sequence[str]) -> tuple[Mapping[str, Any], ...]:
        """Return the blocks, with the last signature that no call carries: a copy of one would be billed once more."""
        free = [each for each in self._signatures if not any(call_id.endswith(each) for call_id in call_ids)]
        whole = [{name: _whole(value) for name, value in block.items()} for block in self._blocks]
        return (*whole, *({"type": SIGNATURE, "signature": each} for each in free[-1:]))

    def _add_piece(self, piece: Mapping[str, Any]) -> None:
        """Join the pieces of a block until its signature comes; an encrypted block comes whole."""
        piece = {
            name: value
            for name, value in piece.items()
            if value is not None and (name not in _JOINED or isinstance(value, str))
        }
        last = self._blocks[-1] if self._blocks else {}
        is_next = any(last.get(name) != piece.get(name) for name in ("type", "index")) or last.get("signature")
        if is_next or not any(name in last or name in piece for name in _JOINED):
            self._blocks.append(piece)
            return
        for name, value in piece.items():
            last[name] = last.get(name, "") + value if name in _JOINED else value


def _blocks_in(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the blocks of a field; servers of one's own send other things there."""
    yield from (each for each in value if isinstance(each, Mapping)) if isinstance(value, list | tuple) else ()


def _whole(value: Any) -> Any:
    return with_whole_characters(value) if isinstance(value, str) else value


class ThinkTags:
    """Text that may begin with reasoning in tags, as servers without a parser for it hand it on."""

    def __init__(self) -> None:
        self._held = ""
        self._end = ""
        self._is_over = False
        self._has_text = False

    def split(self, text: str) -> Iterator[TextDelta]:
        """Yield a piece of the text as reasoning and text. What may be half a tag is held back."""
        if self._is_over:
            text = text if self._has_text else text.lstrip("\n")
            self._has_text = self._has_text or bool(text)
            if text:
                yield TextDelta(text)
            return
        self._held += text
        if not self._end:
            begun = self._held.lstrip()
            tag = next((tag for tag in _TAGS if begun.startswith(tag)), "")
            if not tag:
                if not any(tag.startswith(begun) for tag in _TAGS):
                    yield from self.rest()
                return
            self._end, self._held = _TAGS[tag], begun.removeprefix(tag)
        thought, end, after = self._held.partition(self._end)
        if end:
            self._is_over, self._held = True, ""
        else:
            size = next((n for n in range(len(self._end) - 1, 0, -1) if thought.endswith(self._end[:n])), 0)
            thought, self._held = thought[: len(thought) - size], thought[len(thought) - size :]
        if thought:
            yield TextDelta(thought, is_reasoning=True)
        if end:
            yield from self.split(after)

    def rest(self) -> Iterator[TextDelta]:
        """Yield the text that is held back, at the end of the answer."""
        if self._held and not self._is_over:
            yield TextDelta(self._held, is_reasoning=bool(self._end))
            self._has_text, self._held = not self._end, ""
        self._is_over = True
