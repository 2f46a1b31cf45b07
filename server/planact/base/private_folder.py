"""Folders for the user alone."""

from pathlib import Path


def make_private_folder(path: Path) -> None:
    """Make a folder for the user alone, and the missing ones above it too, whatever the umask; one that is there stays
    as it is. Raises OSError.
    """
    try:
        path.mkdir(mode=0o700, exist_ok=True)
    except FileNotFoundError:
        if path.parent == path:
            raise
        make_private_folder(path.parent)
        path.mkdir(mode=0o700, exist_ok=True)
