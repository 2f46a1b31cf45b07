"""One server for each position encoding, and for each test a workspace folder of its own.

Positions matter to few commands: in `make test` each test has one of the encodings, in `make soak` all of them.
"""

import os
import zlib
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.lsp.commands.planact_client import PlanactClient, full, planact_client
from tests.soak import times

ENCODINGS = ("utf-8", "utf-16", "utf-32")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    here = f"{Path(__file__).parent}{os.sep}"
    choose_encodings(config, items, [item for item in items if str(item.path).startswith(here)])


def choose_encodings(config: pytest.Config, items: list[pytest.Item], those: list[pytest.Item]) -> None:
    """Leave one encoding to each of `those`, where not all are asked for. A test that has just one keeps it."""
    for item in those:
        item.add_marker(pytest.mark.soak)
    counts = Counter(map(in_any_encoding, those))
    left_out = {item for item in those if counts[in_any_encoding(item)] > 1 and not is_chosen(item)}
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=[*left_out])


def is_chosen(item: pytest.Item) -> bool:
    encoding = encoding_of(item)
    number = zlib.crc32(in_any_encoding(item).encode()) % len(ENCODINGS)
    return encoding not in ENCODINGS or times(1, 0) == 0 or encoding == ENCODINGS[number]


def in_any_encoding(item: pytest.Item) -> str:
    """The test without the encoding in its name."""
    return item.nodeid.replace(str(encoding_of(item)), "")


def encoding_of(item: pytest.Item) -> object:
    callspec = getattr(item, "callspec", None)
    return callspec.params.get("shared") if callspec else None


@pytest_asyncio.fixture(scope="session", loop_scope="session", params=ENCODINGS)
async def shared(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[PlanactClient]:
    async with planact_client(tmp_path_factory.mktemp("first"), full(request.param)) as client:
        yield client


@pytest.fixture
def client(shared: PlanactClient, tmp_path: Path) -> PlanactClient:
    """A client with forms, in each encoding; its server has seen other folders before."""
    shared.open_folder(tmp_path)
    return shared
