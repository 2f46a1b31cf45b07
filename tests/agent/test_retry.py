import pytest

from planact.agent.ask_model import LONGEST_WAIT, MAX_ATTEMPTS, wait_before_retry
from planact.base.errors import ModelFailure


def failure(retry_after: float | None = None, *, is_transient: bool = True) -> ModelFailure:
    return ModelFailure("MODEL_OVERLOADED", "overloaded", is_transient=is_transient, retry_after=retry_after)


@pytest.mark.parametrize("attempt", range(1, MAX_ATTEMPTS))
def test_the_wait_doubles(attempt: int) -> None:
    wait = wait_before_retry(failure(), attempt)
    assert wait is not None
    assert 0.75 * 2 ** (attempt - 1) <= wait <= 1.25 * 2 ** (attempt - 1)


@pytest.mark.parametrize(("asked", "expected"), [(0.0, 0.0), (7.5, 7.5), (LONGEST_WAIT, LONGEST_WAIT), (3600.0, None)])
def test_the_provider_says_how_long_up_to_a_minute(asked: float, expected: float | None) -> None:
    assert wait_before_retry(failure(asked), 1) == expected


def test_it_is_given_up_after_some_attempts_and_at_once_for_what_does_not_pass() -> None:
    assert wait_before_retry(failure(), MAX_ATTEMPTS) is None
    assert wait_before_retry(failure(1.0, is_transient=False), 1) is None
