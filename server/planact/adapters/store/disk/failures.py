"""What the system says of a file that can't be read, as planact's own errors."""

import errno
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from planact.adapters.store.disk.similar_path import similar_path
from planact.base.errors import EditFailure, InvalidInput, NotFound
from planact.base.paths import Place


def conflict(place: Place, cause: str) -> EditFailure:
    """Return the failure of a change of what isn't as it was."""
    return EditFailure(
        "EDIT_CONFLICT", f"{place.shown} {cause}", "Read it again and repeat the change on what it is now"
    )


def missing(place: Place, is_hidden: Callable[[str], bool]) -> NotFound:
    """Return the failure of reading what isn't there, with the path that may be meant."""
    near = similar_path(place, is_hidden)
    hint = f"Did you mean {near}?" if near else "List the directory to see what there is"
    return NotFound("FILE_NOT_FOUND", f"there is no {place.shown}", hint)


@contextmanager
def convert_read_errors(place: Place, is_hidden: Callable[[str], bool]) -> Iterator[None]:
    """Raise InvalidInput FILE_NOT_FOUND, FILE_UNREADABLE, FILE_TOO_LARGE for what reading raises."""
    try:
        yield
    except EditFailure as error:
        raise InvalidInput("FILE_UNREADABLE", error.message, "Try again") from error
    except OSError as error:
        if isinstance(error, FileNotFoundError) or (isinstance(error, NotADirectoryError) and not place.exists):
            raise missing(place, is_hidden) from error
        if error.errno == errno.EISDIR:
            raise InvalidInput("FILE_UNREADABLE", f"{place.shown} is a directory", "List it") from error
        cause = (error.strerror or str(error)).lower()
        if error.errno == errno.EFBIG:
            raise InvalidInput(
                "FILE_TOO_LARGE", f"{place.shown} is too large: {cause}", "Search in it instead"
            ) from error
        raise InvalidInput(
            "FILE_UNREADABLE", f"{place.shown} can't be read: {cause}", "Check what it is and its permissions"
        ) from error
    except ValueError as error:
        raise NotFound(
            "FILE_NOT_FOUND", f"{place.shown!r} is no path", "Use a path relative to the workspace"
        ) from error
