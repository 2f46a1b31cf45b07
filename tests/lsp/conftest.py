"""One server process and its client, shared by the tests of a module that leave both as they were."""

import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.lsp.editor_client import EditorClient, editor_client


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[EditorClient]:
    async with editor_client(tmp_path_factory.mktemp("root")) as client:
        yield client


@pytest.fixture
def root(shared: EditorClient) -> Iterator[Path]:
    for name, text in {"a.txt": "one\ntwo\n", "b.txt": "bee\n", "c.txt": "sea\n"}.items():
        (shared.root / name).write_text(text)
    yield shared.root
    for path in shared.root.iterdir():
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


@pytest.fixture
def client(shared: EditorClient, root: Path) -> EditorClient:
    """One server and client for all tests but those that need other capabilities."""
    shared.forget()
    return shared
