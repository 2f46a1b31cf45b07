"""One server for each position encoding, and for each test a workspace folder of its own."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.lsp.commands.planact_client import PlanactClient, full, planact_client

ENCODINGS = ("utf-8", "utf-16", "utf-32")


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
