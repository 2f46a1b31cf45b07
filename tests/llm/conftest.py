"""litellm, imported and warm, with the key of a user."""

import os
from collections.abc import AsyncIterator

import pytest_asyncio

from planact.adapters.llm.litellm_model import LitellmLoader

KEY = "sk-test-0123456789abcdef"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def loader() -> AsyncIterator[LitellmLoader]:
    before = dict(os.environ)
    loader = LitellmLoader({"OPENAI_API_KEY": KEY})
    litellm = await loader.ready()
    yield loader
    await litellm.close_litellm_async_clients()
    os.environ.clear()
    os.environ.update(before)
