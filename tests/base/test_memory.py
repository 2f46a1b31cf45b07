import errno

import pytest

from planact.base.errors import PlanactError
from planact.base.memory import memory_failure, unexpected_failure


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        OSError(errno.ENOMEM, "Cannot allocate memory"),
        RuntimeError("can't start new thread"),
        ImportError("a.so: failed to map segment from shared object"),
        OSError("[CRYPTO] malloc failure (_ssl.c:3098)"),
    ],
)
def test_a_lack_of_memory_is_known_by_each_of_its_forms_also_below_another_error(error: Exception) -> None:
    outer = ValueError("it went wrong")
    outer.__cause__ = error
    for each in (error, outer):
        found = unexpected_failure(each, "")
        assert (found.code, found.message.startswith("memory ran out (")) == ("OUT_OF_MEMORY", True)


def test_errors_that_lead_to_each_other_are_looked_at_once() -> None:
    one, other = ValueError("one"), ValueError("other")
    one.__cause__, other.__cause__ = other, one
    assert memory_failure(one, PlanactError) is None
    other.__cause__ = other
    assert memory_failure(other, PlanactError) is None


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), ImportError("No module named a")])
def test_other_errors_are_none(error: Exception) -> None:
    assert memory_failure(error, PlanactError) is None
    assert unexpected_failure(error, "Look.").code == "INTERNAL_ERROR"
