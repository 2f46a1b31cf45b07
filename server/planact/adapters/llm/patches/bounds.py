"""Bound what an endpoint may send in one response. Applied once litellm is imported."""

import functools
from collections.abc import AsyncIterator
from importlib import import_module
from typing import Any

_MOST_BYTES = 200_000_000
"""Bytes of a response; the longest answers of models have a quarter of it, with what surrounds each of their words."""

MOST_OF_LINE = 20_000_000
"""Bytes without a line break, which stay in memory, like those of a response that is no stream."""


def bound_responses(litellm: Any) -> None:
    """Break off a response that is too large once it is unpacked, or that has too long a line: clients wait for the
    end of each line and of each error, however much memory that takes.
    """
    httpx = import_module(f"{litellm.__name__}.llms.custom_httpx.http_handler").httpx
    response: Any = httpx.Response
    read = response.aiter_bytes

    @functools.wraps(read)
    async def read_within_bounds(self: Any, chunk_size: int | None = None) -> AsyncIterator[bytes]:
        size = of_line = 0
        async for chunk in read(self, chunk_size):
            size += len(chunk)
            at = chunk.rfind(b"\n")
            of_line = of_line + len(chunk) if at < 0 else len(chunk) - at
            if size > _MOST_BYTES or of_line > MOST_OF_LINE:
                most = f"{_MOST_BYTES:,} bytes" if size > _MOST_BYTES else f"{MOST_OF_LINE:,} bytes in one line"
                raise httpx.ReadError(f"it sent more than {most}")
            yield chunk

    response.aiter_bytes = read_within_bounds
