from collections.abc import Iterator

import pytest

from tests.web.web_server import PATCHES, WebServer


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[WebServer]:
    for owner, name, value in PATCHES:
        monkeypatch.setattr(owner, name, value)
    server = WebServer()
    yield server
    server.close()
