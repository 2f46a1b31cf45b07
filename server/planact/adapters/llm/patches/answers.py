"""Leave out work of OpenAI's client and of litellm on each request and answer. Applied once litellm is imported."""

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any


def send_requests_unchanged(_litellm: Any) -> None:
    """Drop the arguments that were not given from a request, and send the rest as planact wrote it."""
    from openai import NotGiven, Omit
    from openai.resources.chat.completions import completions

    async def unchanged(request: Mapping[str, Any], _type: object) -> Mapping[str, Any]:
        return {name: value for name, value in request.items() if not isinstance(value, NotGiven | Omit)}

    module: Any = completions
    module.async_maybe_transform = unchanged


def write_requests_fast(_litellm: Any) -> None:
    """Write a request as JSON by pydantic, and by the client itself what pydantic refuses, so that its errors stay."""
    from openai import _base_client
    from pydantic_core import PydanticSerializationError, to_json

    module: Any = _base_client
    write = module.openapi_dumps

    def write_fast(request: Any) -> bytes:
        try:
            return to_json(request)
        except PydanticSerializationError:
            written: bytes = write(request)
            return written

    module.openapi_dumps = write_fast


def read_pieces_fast(_litellm: Any) -> None:
    """Read a piece of an answer by pydantic, and field by field where it isn't quite what OpenAI sends."""
    from openai import AsyncOpenAI
    from openai.types.chat import ChatCompletionChunk
    from pydantic import ValidationError

    client: Any = AsyncOpenAI
    read = client._process_response_data  # noqa: SLF001

    def read_fast(self: Any, *, data: object, cast_to: type, response: Any) -> Any:
        if cast_to is ChatCompletionChunk:
            with contextlib.suppress(ValidationError):
                return ChatCompletionChunk.model_validate(data)
        return read(self, data=data, cast_to=cast_to, response=response)

    client._process_response_data = read_fast  # noqa: SLF001


def find_signatures_in_calls(litellm: Any) -> None:
    """Have litellm copy messages to take Gemini's signatures out of the ids of calls only where there are any."""
    utils: Any = litellm.utils
    remove = utils._remove_thought_signatures_from_messages  # noqa: SLF001

    def remove_where_found(messages: list[dict[str, Any]], separator: str) -> list[dict[str, Any]]:
        ids = [message.get("tool_call_id") for message in messages]
        ids += [
            call.get("id") for message in messages if "tool_calls" in message for call in message["tool_calls"] or ()
        ]
        removed: list[dict[str, Any]] = (
            remove(messages, separator) if separator in "\n".join(filter(None, ids)) else messages
        )
        return removed

    utils._remove_thought_signatures_from_messages = remove_where_found  # noqa: SLF001


def leave_messages_as_made(litellm: Any) -> None:
    """Have litellm leave out of messages the fields without a value, and not make and check each anew."""
    main: Any = litellm.main

    def without_empty_fields(messages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        return [
            {name: value for name, value in message.items() if value is not None}
            if None in message.values()
            else message
            for message in messages
        ]

    main.validate_and_fix_openai_messages = without_empty_fields


def iterate_streams_directly(_litellm: Any) -> None:
    """Have a stream of OpenAI's client be its own iterator."""
    from openai import AsyncStream

    stream: Any = AsyncStream
    stream.__aiter__ = lambda self: self


def end_streams_at_once(litellm: Any) -> None:
    """End litellm's stream after the provider's last piece."""
    stream: Any = litellm.CustomStreamWrapper
    closing = stream._finalize_completed_stream  # noqa: SLF001

    async def finalize(self: Any, cache_hit: bool) -> Any:
        if self.sent_last_chunk:
            raise StopAsyncIteration
        return await closing(self, cache_hit)

    stream._finalize_completed_stream = finalize  # noqa: SLF001


def price_no_unfinished_answers(litellm: Any) -> None:
    """Have litellm not price an answer at its beginning; planact prices the reported usage at its end."""
    utils: Any = litellm.utils
    utils.update_response_metadata = lambda **_: None


def set_fields_of_pieces_fast(litellm: Any) -> None:
    """Have pydantic remember where the fields go that litellm's pieces have and their classes don't name."""

    def set_field(piece: Any, name: str, value: object) -> None:
        piece.__pydantic_extra__[name] = value
        piece.__pydantic_fields_set__.add(name)

    types: Any = litellm.types.utils
    names = {
        types.StreamingChoices: ("finish_reason", "index", "delta", "logprobs"),
        types.ModelResponseStream: ("usage", "citations"),
    }
    for piece, fields in names.items():
        piece.__pydantic_setattr_handlers__.update(dict.fromkeys(fields, set_field))


def leave_roles_in_pieces(litellm: Any) -> None:
    """Have litellm not make a piece anew to take out the role, which planact doesn't read."""
    stream: Any = litellm.CustomStreamWrapper
    strip = stream.strip_role_from_delta

    def strip_first(self: Any, model_response: Any) -> Any:
        return model_response if self.sent_first_chunk else strip(self, model_response)

    stream.strip_role_from_delta = strip_first


def hand_on_plain_pieces(litellm: Any) -> None:
    """Have litellm hand on a piece as OpenAI's client read it, where its own would say the same."""
    from openai.types.chat import ChatCompletionChunk

    stream: Any = litellm.CustomStreamWrapper
    create = stream.chunk_creator
    providers = {"openai", *litellm.constants.openai_compatible_providers}

    def chunk_creator(self: Any, chunk: Any) -> Any:
        is_handed_on = (
            type(chunk) is ChatCompletionChunk
            and self.sent_first_chunk
            and self.received_finish_reason is None
            and self.custom_llm_provider in providers
            and not self.merge_reasoning_content_in_choices
            and _is_plain(chunk)
        )
        if is_handed_on:
            with contextlib.suppress(litellm.InternalServerError):  # which is raised again, in litellm's words, below
                self.raise_on_model_repetition()
                return chunk
        return create(self, chunk)

    stream.chunk_creator = chunk_creator


def _is_plain(piece: Any) -> bool:
    """The piece holds text, thoughts or parts of calls to functions, and nothing that litellm would put elsewhere."""
    try:
        (choice,) = piece.choices
        delta, thought = choice.delta, None
        text, calls = delta.content, delta.tool_calls or ()
        if more := delta.model_extra:
            thought = more.get("reasoning_content")
            if len(more) > 1 or not isinstance(thought, str):
                return False
        return (
            bool(text or thought or calls)
            and isinstance(text, str | None)
            and choice.finish_reason is piece.usage is delta.function_call is None
            and all(map(_is_plain_call, calls))
        )
    except (AttributeError, TypeError, ValueError):  # it isn't quite what OpenAI sends
        return False


def _is_plain_call(call: Any) -> bool:
    function = call.function
    return (
        call.type in (None, "function")
        and isinstance(call.index, int)
        and not (call.model_extra or function.model_extra)
        and all(isinstance(each, str | None) for each in (call.id, function.name, function.arguments))
    )
