"""Caches for approved commands, of tools that don't work at all where theirs can't be written: the user's lie outside
of what these commands may write, so each gets empty ones that are thrown away.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePath

_PLACES = {
    "UV_CACHE_DIR": ".cache/uv",
    "npm_config_cache": ".npm",
}
"""Only what can be fetched again, and is named by a variable of its own, apart from settings and keys."""


def caches_in_act(
    environment: Mapping[str, str], home: Path, writable: Sequence[PurePath]
) -> Iterator[tuple[str, str]]:
    """Yield the variables for caches that lie in none of the folders `writable`, with `$TMPDIR` for a new folder."""
    for name, place in _PLACES.items():
        cache = Path(environment.get(name) or environment.get(name.upper()) or home / place)
        if not any(cache.is_relative_to(folder) for folder in writable):
            yield name, f"$TMPDIR/{name}"
