"""Lets work that was begun come to its end when it is cancelled meanwhile: what was done has to be written down."""

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def run_shielded(work: Coroutine[Any, Any, T]) -> T:
    """Await `work` to its end even when cancelled meanwhile, once or more; the cancellation is raised after it."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await wait_until_done(task)
        raise


async def wait_until_done(task: asyncio.Task[Any]) -> None:
    """Wait for the end of `task`, however often the wait is cancelled: the caller raises its cancellation after it."""
    while not task.done():
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.wait([task])
