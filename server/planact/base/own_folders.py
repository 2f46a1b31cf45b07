"""Folders of temporary files that planact makes. They lie where approved commands may write, too."""

import os
from pathlib import Path

TRIAL_TMP = "/tmp"  # noqa: S108 - as commands call it
"""Where a session's commands on trial see the folder `temporary_beside` its scratch folder."""


def is_real_folder(folder: Path) -> bool:
    """Return False where no folder is there, or where a link in its path leads to it, which a command may have put
    there.
    """
    return folder.is_dir() and os.path.realpath(folder) == str(folder)


def temporary_beside(scratch: Path) -> Path:
    """Return the folder that is `/tmp` for a session's commands on trial: beside its `scratch` folder, where no command
    that runs unasked can replace it.
    """
    return scratch.with_name(f"{scratch.name}.tmp")


def path_left_in_tmp(path: str, scratch: str) -> str:
    """Return where something lies that commands on trial, of the session with the folder `scratch`, left at a path
    below their `/tmp`; empty where they left nothing.
    """
    below = path.removeprefix(f"{TRIAL_TMP}/")
    left = temporary_beside(Path(scratch)) / below if scratch and below != path else None
    return str(left) if left is not None and os.path.lexists(left) else ""
