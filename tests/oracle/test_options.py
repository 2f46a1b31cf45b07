"""Options that by the tables take no value: a program that takes the next word for one does what was never judged."""

import random
import re
from collections.abc import Iterator

import pytest

from planact.shell.catalogue import CATALOGUE
from planact.shell.table import CommandRow
from tests.oracle.lines import Maker
from tests.oracle.observe import Post, observe_all, user_environment
from tests.oracle.test_oracle import AT_ONCE, SEED, can_observe
from tests.soak import times

pytestmark = [
    pytest.mark.skipif(not can_observe(), reason="needs Linux, strace, and bubblewrap that may make containers"),
    pytest.mark.timeout(times(600, 3600)),
    pytest.mark.soak,
]

LACKS_VALUE = re.compile(
    r"(requires?|expects?|expected|needs?|missing) (an? |one |1 |at least one )?(argument|value|param)", re.IGNORECASE
)


@pytest.fixture
def posts() -> Iterator[list[Post]]:
    made = [Post() for _ in range(AT_ONCE)]
    yield made
    for post in made:
        post.remove()


def flags(row: CommandRow) -> Iterator[str]:
    for name, option in row.options.items():
        if not (option.values or option.is_attached or name.endswith("#")):
            yield f"{row.name} {name}"


async def test_no_option_without_a_value_asks_for_one(posts: list[Post]) -> None:
    maker = Maker(CATALOGUE.commands, user_environment(posts[0].home)["PATH"], SEED)
    lines = [line for row in maker.rows for line in flags(row) if posts[0].reads(line)]
    chosen = random.Random(SEED).sample(lines, min(len(lines), times(100, 100_000)))
    observed = await observe_all(chosen, posts)
    assert [each.line for each in observed if LACKS_VALUE.search(each.output)] == []


async def test_one_that_asks_is_found(posts: list[Post]) -> None:
    (observed,) = await observe_all(["cut -d"], posts[:1])
    assert LACKS_VALUE.search(observed.output), observed.output
