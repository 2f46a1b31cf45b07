"""Seam to what watches files, where the client doesn't."""

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Protocol

Told = Callable[[Collection[Path]], None]
"""Called from any thread with files that may have changed."""


class Watcher(Protocol):
    """Watches single files, and the folders they are in as far as that takes; nothing below them."""

    def watch(self, files: Collection[Path]) -> Mapping[Path, str]:
        """Watch just these from now on, whether they are there or not; returns those that can't be watched, and why.
        May take a moment, and be called from any thread, one call at a time.
        """
        ...

    def close(self) -> None:
        """Watch nothing any more."""
        ...
