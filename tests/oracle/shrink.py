"""Makes a line that failed shorter, as long as it fails and is still held to only read."""

import re
from collections.abc import Awaitable, Callable, Iterator

_TOKEN = re.compile(r"""\n|(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+|\S""", re.DOTALL)
_MOST_TRIES = 60


async def shrink(line: str, fails: Callable[[str], Awaitable[bool]]) -> str:
    """Return the shortest line that was found by leaving words out."""
    tries = 0
    tokens = _TOKEN.findall(line)
    size = len(tokens) // 2
    while size and tries < _MOST_TRIES:
        for fewer in _without(tokens, size):
            tries += 1
            if await fails(_joined(fewer)):
                tokens = fewer
                break
        else:
            size //= 2
    return _joined(tokens)


def _without(tokens: list[str], size: int) -> Iterator[list[str]]:
    for start in range(len(tokens) - size + 1):
        if fewer := tokens[:start] + tokens[start + size :]:
            yield fewer


def _joined(tokens: list[str]) -> str:
    return re.sub(r" ?\n ?", "\n", " ".join(tokens))
