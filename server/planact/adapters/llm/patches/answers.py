"""Leave out work of OpenAI's client and of litellm on each request and answer. Applied once litellm is imported."""

from collections.abc import Mapping
from typing import Any


def send_requests_unchanged(_litellm: Any) -> None:
    """Drop the arguments that were not given from a request, and send the rest as planact wrote it."""
    from openai import NotGiven, Omit
    from openai.resources.chat.completions import completions

    async def unchanged(request: Mapping[str, Any], _type: object) -> Mapping[str, Any]:
        return {name: value for name, value in request.items() if not isinstance(value, NotGiven | Omit)}

    module: Any = completions
    module.async_maybe_transform = unchanged


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
