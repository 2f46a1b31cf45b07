"""Failures since memory ran out, which Python and the system tell in several ways."""

import errno
import sys
from typing import TypeVar

from planact.base.errors import PlanactError

if sys.platform != "win32":
    import resource

_SIGNS = (
    "can't start new thread",
    "failed to map segment",
    "cannot map zero-fill pages",
    "cannot allocate memory",
    "malloc failure",
)
"""What exceptions of other types say then, when a thread is started or a library loaded."""

E = TypeVar("E", bound=PlanactError)


def memory_failure(error: BaseException, kind: type[E]) -> E | None:
    """Return the failure OUT_OF_MEMORY if memory ran out in `error`, or in one that led to it; else None."""
    link: BaseException | None = error
    seen: set[int] = set()
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        lacks_memory = isinstance(link, MemoryError) or (isinstance(link, OSError) and link.errno == errno.ENOMEM)
        if lacks_memory or any(sign in str(link).lower() for sign in _SIGNS):
            cause = str(link) or type(link).__name__
            hint = "Close other programs or raise the limit (`ulimit -v`), then start planact again."
            return kind("OUT_OF_MEMORY", f"memory ran out ({cause})", hint)
        link = link.__cause__ or link.__context__
    return None


def check_limit(needed: int, what: str) -> None:
    """Check that this process may have the bytes of memory that `what` needs: with less, compiled libraries end the
    process by themselves, or raise what says nothing of memory.

    Raises:
        MemoryError: where a limit (`ulimit -v`) is too low.
    """
    limit = sys.maxsize if sys.platform == "win32" else resource.getrlimit(resource.RLIMIT_AS)[0]
    if 0 <= limit < needed:  # without a limit, it is negative
        raise MemoryError(f"the limit is {limit // 10**6} MB, and {what} needs more than {needed // 10**6} MB")


def unexpected_failure(error: BaseException, hint: str) -> PlanactError:
    """Return the failure for an exception that is none of planact's: OUT_OF_MEMORY, else INTERNAL_ERROR with `hint`."""
    told = f"{type(error).__name__}: {error}"
    return memory_failure(error, PlanactError) or PlanactError("INTERNAL_ERROR", told, hint)
