"""The sizes of planact's own files for a workspace, outside of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class StorageUsage:
    """`folder` is where it lies; `workspace` is whose it is, empty where that was never written down; `kinds` has the
    bytes of each kind, which add up to `bytes`.
    """

    folder: Path
    workspace: str
    bytes: int
    kinds: Mapping[str, int]
