"""How long to wait before a request that failed for a passing reason is sent again."""

import random

from planact.base.errors import ModelFailure

MAX_ATTEMPTS = 5
LONGEST_WAIT = 60.0
"""Seconds; a provider that asks for more is not waited for."""


def wait_before_retry(failure: ModelFailure, attempt: int) -> float | None:
    """Seconds to wait after the failed `attempt` (the first is 1), or None when it is of no use.

    Doubles from one second, with jitter so that several sessions don't come back at once; the provider's own word
    counts more.
    """
    if not failure.is_transient or attempt >= MAX_ATTEMPTS:
        return None
    if failure.retry_after is not None:
        return failure.retry_after if failure.retry_after <= LONGEST_WAIT else None
    return min(2.0 ** (attempt - 1), LONGEST_WAIT) * random.uniform(0.75, 1.25)  # noqa: S311 (jitter, not a secret)
