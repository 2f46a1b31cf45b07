"""The user's own role files, beside their settings. Links are followed: many users keep such files elsewhere."""

import stat
from collections.abc import Sequence
from pathlib import Path

from planact.base.errors import StorageFailure

_LARGEST = 100_000


class UserRoleFolder:
    """`ports.UserRoles` for the folder that holds the files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def list(self) -> Sequence[str]:
        """Return the names of the files, sorted; none when the folder is missing."""
        try:
            return sorted(child.name for child in self._folder.iterdir())
        except (FileNotFoundError, NotADirectoryError):
            return ()
        except OSError as error:
            raise _failure(self._folder, error.strerror or str(error)) from error

    def read(self, file_name: str) -> str | None:
        """Return the text of a file, None when it is missing. Raises StorageFailure STORAGE_DAMAGED."""
        path = self._folder / file_name
        try:
            # Looked at before it is opened, since opening a FIFO would wait for ever.
            status = path.stat()
            if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST:
                raise _failure(path, f"it isn't a file of at most {_LARGEST:,} bytes")
            return path.read_bytes().decode("utf-8")
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise _failure(path, error.strerror or str(error)) from error
        except UnicodeDecodeError as error:
            raise _failure(path, "it isn't UTF-8") from error

    def shown(self, file_name: str) -> str:
        """Return the file's path as people name it."""
        return str(self._folder / file_name)


def _failure(path: Path, cause: str) -> StorageFailure:
    return StorageFailure(
        "STORAGE_DAMAGED",
        f"planact can't read {path}: {cause}",
        "Correct it, move it away, or name another folder by XDG_CONFIG_HOME",
    )
