"""Tell the end of an answer from an answer that was torn, and keep the provider's word for it. Applied once litellm is
imported.
"""

import json
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from planact.adapters.llm.failures import FAILED_ENDS


def detect_ends_of_gemini_streams(litellm: Any) -> None:
    """Have litellm take a stream of Gemini for whole where Gemini says that it is, and nowhere else."""
    gemini = import_module(f"{litellm.__name__}.llms.vertex_ai.gemini.vertex_and_google_ai_studio_gemini")
    iterator: Any = gemini.ModelResponseIterator
    parse = iterator.chunk_parser

    def chunk_parser(self: Any, chunk: dict[str, Any]) -> Any:
        parsed = parse(self, chunk)
        if parsed is not None:
            is_end = bool((chunk.get("promptFeedback") or {}).get("blockReason"))
            is_end |= any(each.get("finishReason") for each in chunk.get("candidates") or ())
            parsed.hidden_params["is_finished"] = is_end
            for choice in () if is_end else parsed.choices:
                choice.finish_reason = None
        return parsed

    iterator.chunk_parser = chunk_parser


def fill_in_what_gemini_left_out(litellm: Any) -> None:
    """Have litellm take a call of Gemini without arguments, which its API may leave out, and a piece without parts."""
    gemini = import_module(f"{litellm.__name__}.llms.vertex_ai.gemini.vertex_and_google_ai_studio_gemini")
    iterator: Any = gemini.ModelResponseIterator
    parse = iterator.chunk_parser

    def chunk_parser(self: Any, chunk: dict[str, Any]) -> Any:
        for candidate in chunk.get("candidates") or ():
            content = candidate.get("content") or {}
            if "parts" in content:
                content["parts"] = content["parts"] or []
            for part in content.get("parts", ()):
                if (call := part.get("functionCall")) is not None:
                    call["args"] = {} if call.get("args") is None else call["args"]
        return parse(self, chunk)

    iterator.chunk_parser = chunk_parser


def keep_words_of_failed_ends(litellm: Any) -> None:
    """Have litellm hand on the words by which providers say that an answer failed."""
    litellm.litellm_core_utils.core_helpers._FINISH_REASON_MAP.update({word: word for word in FAILED_ENDS})  # noqa: SLF001


def hand_on_signed_pieces(litellm: Any) -> None:
    """Have litellm hand on the pieces of OpenRouter that hold nothing but a signature or encrypted reasoning."""
    stream: Any = litellm.CustomStreamWrapper
    holds_more = stream.is_chunk_non_empty

    def is_chunk_non_empty(self: Any, completion_obj: Any, model_response: Any, response_obj: Any) -> bool:
        details = getattr(model_response.choices[0].delta, "reasoning_details", None)
        return bool(details) or holds_more(self, completion_obj, model_response, response_obj)

    stream.is_chunk_non_empty = is_chunk_non_empty


def hear_refusals(litellm: Any) -> None:
    """Have litellm hand on what a model says to refuse in OpenAI's API of chats, as its text."""
    stream: Any = litellm.CustomStreamWrapper
    create = stream.chunk_creator

    def chunk_creator(self: Any, chunk: Any) -> Any:
        for choice in getattr(chunk, "choices", None) or ():
            delta: Any = getattr(choice, "delta", None)
            refusal = getattr(delta, "refusal", None)
            if isinstance(refusal, str) and refusal and not delta.content:
                delta.content, delta.refusal = refusal, None
        return create(self, chunk)

    stream.chunk_creator = chunk_creator


class UnknownFormError(ValueError):
    """A piece of an answer has a form in which it can't be told what it says."""


def read_odd_pieces(litellm: Any) -> None:
    """Have litellm read pieces in the forms that servers of one's own send, and end an answer at one of no known form,
    in place of leaving it out, and at a part of another answer: only one is asked for.
    """
    from openai.types.chat.chat_completion_chunk import ChoiceDeltaToolCallFunction

    stream: Any = litellm.CustomStreamWrapper
    create = stream.chunk_creator

    def chunk_creator(self: Any, chunk: Any) -> Any:
        for choice in getattr(chunk, "choices", None) or ():
            delta: Any = getattr(choice, "delta", None)
            if getattr(delta, "content", None) or getattr(delta, "tool_calls", None):
                _check_place(self, choice.index)
            if not isinstance(getattr(delta, "content", None), str | None):
                _join_parts(delta)
            for call in getattr(delta, "tool_calls", None) or ():
                if getattr(call, "function", None) is None and getattr(call, "custom", None) is None:
                    call.function = ChoiceDeltaToolCallFunction()
                _make_usual(call)
        return create(self, chunk)

    stream.chunk_creator = chunk_creator


def _check_place(stream: Any, index: int) -> None:
    """Raise UnknownFormError for a part of another answer than the one of the parts before."""
    if stream.__dict__.setdefault("place_of_answer", index) != index:
        raise UnknownFormError("answer")


def _join_parts(delta: Any) -> None:
    """Make one text of a text in parts, and one thought of the thoughts among them."""
    parts = delta.content if isinstance(delta.content, list) else [None]
    texts, thoughts = [], []
    for part in parts:
        match part:
            case {"type": "thinking", "thinking": [*inner]}:
                thoughts += [each["text"] for each in inner if isinstance(each, dict) and "text" in each]
            case {"text": str(text)}:
                texts.append(text)
            case _:
                raise UnknownFormError("text")
    delta.content = "".join(texts)
    if thoughts:
        delta.reasoning_content = "".join(map(str, thoughts))


def _make_usual(call: Any) -> None:
    """Give a piece of a call the form in which OpenAI sends it."""
    if isinstance(call.id, int):
        call.id = str(call.id)
    function = call.function
    if function is not None and not isinstance(function.arguments, str | None):
        function.arguments = json.dumps(function.arguments)
    if not isinstance(call.id, str | None) or (function is not None and not isinstance(function.name, str | None)):
        raise UnknownFormError("tool call")


@dataclass(slots=True)
class _Block:
    """A part of an answer of Anthropic's form that has begun: litellm's state for it, and the `whole` input, if any."""

    tool_index: int
    pieces: list[Any]
    kind: Any
    whole: Any


def keep_input_of_calls_apart(litellm: Any) -> None:
    """Have litellm hand on the input of a call that an API of Anthropic's form sends at once, with its beginning, and
    give each call its own where such an API begins a call before the one before has ended.
    """
    handler = import_module(f"{litellm.__name__}.llms.anthropic.chat.handler")
    iterator: Any = handler.ModelResponseIterator
    parse = iterator.chunk_parser

    def chunk_parser(self: Any, chunk: dict[str, Any]) -> Any:
        kind, index = chunk.get("type"), chunk.get("index")
        blocks: dict[Any, _Block] = self.__dict__.setdefault("begun_blocks", {})
        if kind == "content_block_start":
            parsed = parse(self, chunk)
            begun = chunk.get("content_block") or {}
            whole = begun.get("input") if begun.get("type") == "tool_use" else None
            blocks[index] = _Block(self.tool_index, self.content_blocks, self.current_content_block_type, whole)
            return parsed
        block = blocks.get(index) if kind in ("content_block_delta", "content_block_stop") else None
        if block is None:
            return parse(self, chunk)
        newest, self.tool_index = self.tool_index, block.tool_index
        self.content_blocks, self.current_content_block_type = block.pieces, block.kind
        try:
            return _parsed_part(self, parse, chunk, block)
        finally:
            self.tool_index = newest

    iterator.chunk_parser = chunk_parser


def _parsed_part(iterator: Any, parse: Any, chunk: dict[str, Any], block: _Block) -> Any:
    is_whole = block.whole and not any(each["delta"].get("partial_json") for each in block.pieces)
    if chunk["type"] != "content_block_stop" or not is_whole:
        return parse(iterator, chunk)
    delta = {"type": "input_json_delta", "partial_json": json.dumps(block.whole)}
    parsed = parse(iterator, {"type": "content_block_delta", "index": chunk.get("index"), "delta": delta})
    parse(iterator, chunk)
    return parsed


_HEARD = {
    "response.refusal.delta": "response.output_text.delta",
    "response.reasoning_text.delta": "response.reasoning_summary_text.delta",
}
"""Events of OpenAI's API of responses, and those in whose place litellm knows what they say."""


def hear_all_of_responses(litellm: Any) -> None:
    """Have litellm hand on what a model says to refuse, what it thinks in full, and the space between its thoughts."""
    responses = import_module(f"{litellm.__name__}.completion_extras.litellm_responses_transformation.transformation")
    iterator: Any = responses.OpenAiResponsesToChatCompletionStreamIterator
    parse = iterator.chunk_parser

    def chunk_parser(self: Any, chunk: dict[str, Any]) -> Any:
        kind = chunk.get("type")
        if kind == "response.reasoning_summary_part.added" and chunk.get("summary_index"):
            chunk = {**chunk, "type": "response.reasoning_summary_text.delta", "delta": "\n\n"}
        return parse(self, {**chunk, "type": _HEARD[kind]} if kind in _HEARD else chunk)

    iterator.chunk_parser = chunk_parser


def end_streams_by_their_ends(litellm: Any) -> None:
    """Have litellm take no text with `[DONE]` for the end of a stream, nor the line `[DONE]` for that of an answer."""
    base = import_module(f"{litellm.__name__}.llms.base_llm.base_model_iterator")
    iterator: Any = base.BaseModelResponseIterator
    handle = iterator._handle_string_chunk  # noqa: SLF001

    def handle_string_chunk(self: Any, str_line: str) -> Any:
        parsed = iterator._string_to_dict_parser(str_line)  # noqa: SLF001
        return self.chunk_parser(chunk=parsed) if parsed else handle(self, "")

    iterator._handle_string_chunk = handle_string_chunk  # noqa: SLF001


def leave_texts_of_ollama_alone(litellm: Any) -> None:
    """Have litellm hand on the text of Ollama's models with its tags, and the errors that come in place of text."""
    chat = import_module(f"{litellm.__name__}.llms.ollama.chat.transformation")
    iterator: Any = chat.OllamaChatCompletionResponseIterator
    parse = iterator.chunk_parser

    def chunk_parser(self: Any, chunk: dict[str, Any]) -> Any:
        if chunk.get("error"):
            raise chat.OllamaError(status_code=500, message=str(chunk["error"]), headers={})
        message = chunk.get("message") or {}
        parsed = parse(self, {**chunk, "message": {**message, "content": ""}})
        if text := message.get("content"):
            parsed.choices[0].delta.content = text
        return parsed

    iterator.chunk_parser = chunk_parser
