"""Takes out of litellm, and of OpenAI's client below it, what they do with each request and each answer for nobody.

There are no settings for it. tests/llm compares what is sent with what would be without.
"""

from collections.abc import Mapping
from typing import Any


def mend(litellm: Any) -> None:
    """For all that this process asks of models from now on."""
    _mend_openai()
    _mend_streams(litellm)


def _mend_openai() -> None:
    """Have OpenAI's client send a request as it is. It would try each message against the types of all kinds of
    messages, to rename fields and write dates and files as text: 0.3 ms a message, where there is none of these.

    And have its streams be what they are read by: litellm asks for an iterator with each piece, and would get a new
    generator, which is given up after one piece and closed by a task of its own.
    """
    from openai import AsyncStream, NotGiven, Omit
    from openai.resources.chat.completions import completions

    async def as_it_is(request: Mapping[str, Any], _type: object) -> Mapping[str, Any]:
        return {name: value for name, value in request.items() if not isinstance(value, NotGiven | Omit)}

    module: Any = completions
    module.async_maybe_transform = as_it_is
    stream: Any = AsyncStream
    stream.__aiter__ = lambda self: self


def _mend_streams(litellm: Any) -> None:
    """Have litellm's stream end where the provider's does. It would put the whole answer together once more, on another
    thread, price it, and copy it for a cache and for loggers that aren't there: some 3 ms an answer, before its last
    word is handed on.
    """
    stream = litellm.CustomStreamWrapper
    closing = stream._finalize_completed_stream  # noqa: SLF001 - there is no setting

    async def finalize(self: Any, cache_hit: bool) -> Any:
        if self.sent_last_chunk:
            raise StopAsyncIteration
        return await closing(self, cache_hit)

    stream._finalize_completed_stream = finalize  # noqa: SLF001
    litellm.utils.update_response_metadata = lambda **_: None  # prices an answer that has hardly begun
