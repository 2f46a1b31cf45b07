"""Long sequences in portions of a bounded size, for pipes, command lines and memory."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def portions(items: Iterable[T], size_of: Callable[[T], int], most: int) -> Iterator[list[T]]:
    """Yield the items in order, in portions whose sizes add up to `most` at most; a larger item stands alone."""
    some: list[T] = []
    size = 0
    for item in items:
        more = size_of(item)
        if some and size + more > most:
            yield some
            some, size = [], 0
        some.append(item)
        size += more
    if some:
        yield some
