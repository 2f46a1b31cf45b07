"""Tell folders in which a file is found by its name in capital and in small letters."""

import os
from pathlib import Path


def is_case_ignored(folder: Path) -> bool:
    """Return whether the disk of a folder ignores the case of names, as those of Windows and macOS do that Linux has by
    a share. Linux may then know a file by several spellings, and what is mounted over one of them leaves the others.
    """
    try:
        with os.scandir(folder) as entries:
            name = next(
                (each.name for each in entries if each.name.isascii() and each.name.swapcase() != each.name), ""
            )
        other = name.swapcase()
        is_same = bool(name) and os.path.samestat(os.lstat(folder / name), os.lstat(folder / other))
        return is_same and other not in os.listdir(folder)  # noqa: PTH208 - texts are enough
    except OSError:
        return False
