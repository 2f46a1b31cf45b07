import time

import pytest

from planact.base.patterns import MAX_SEARCHED_TEXT, bounded


@pytest.mark.parametrize(
    ("pattern", "fits", "fits_not"),
    [
        ("^sg-[0-9a-f]+$", "sg-0a1b", "sg-xyz"),
        ("^(dev|prod)$", "prod", "test"),
        (r"^v?\d+\.\d+\.\d+$", "v1.20.3", "1.2"),
        ("^[a-z]{2}-[a-z]+-[0-9]$", "us-east-1", "us-east-"),
        ("^arn:aws[a-z-]*:s3:.+$", "arn:aws:s3:::b", "arn:gcp"),
        ("", "anything", None),
    ],
)
def test_plain_patterns_work_as_anywhere(pattern: str, fits: str, fits_not: str | None) -> None:
    compiled = bounded(pattern)
    assert compiled is not None
    assert compiled.search(fits)
    assert fits_not is None or not compiled.search(fits_not)


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+$",
        "(a|a)*$",
        r"(x)\1",
        "a*a*a*a*$",
        "a?" * 6,
        "(a|aa)" * 6,
        "(?=a)b",
        "[a",
        "a" * 201,
        "(a|b){9}",
        "x{9999}",
        "*",
        "(?i)x",
    ],
)
def test_what_could_take_for_ever_or_means_nothing_is_refused(pattern: str) -> None:
    assert bounded(pattern) is None


@pytest.mark.slow
@pytest.mark.parametrize("pattern", ["a*a*a*$", "a+a+a+b", "[ab]*[ab]*[ab]*c", "a?a?a*a*a*$", "(a|aa)(a|aa)a*a*b"])
def test_the_worst_that_is_let_through_ends_soon(pattern: str) -> None:
    compiled = bounded(pattern)
    assert compiled is not None
    started = time.process_time()
    compiled.search("a" * MAX_SEARCHED_TEXT + "!")
    assert time.process_time() - started < 20
