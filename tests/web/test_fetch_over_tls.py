"""Pages over HTTPS: the connection goes to the address that was checked, the name is for the certificate."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from planact.adapters.web.pages import WebPages
from planact.base.errors import PageFailure
from planact.base.web_address import web_address
from planact.model.page import Page
from tests.web.certificates import Authority
from tests.web.web_server import PATCHES, WebServer

HOST = "docs.example"


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def web(authority: Authority, monkeypatch: pytest.MonkeyPatch) -> Iterator[WebServer]:
    for owner, name, value in PATCHES:
        monkeypatch.setattr(owner, name, value)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    server = WebServer(authority.certificate(HOST))
    yield server
    server.close()


def fetched(url: str) -> Page:
    return asyncio.run(WebPages("1").fetch(web_address(url)))


def refused(url: str) -> str:
    with pytest.raises(PageFailure) as caught:
        fetched(url)
    return caught.value.message


def test_a_page_is_fetched_by_name_from_the_checked_address(web: WebServer) -> None:
    web.page("/there", "here it is", "text/plain")
    page = fetched(web.redirect("/here", "/there"))
    assert (page.address, page.text) == (web.url("/there"), "here it is")
    assert web.names == [HOST, HOST]
    assert [headers["host"] for headers in web.headers] == [f"{HOST}:{web.port}"] * 2


def test_a_certificate_of_another_name_is_refused(web: WebServer) -> None:
    web.page("/x", "x", "text/plain")
    assert "CERTIFICATE_VERIFY_FAILED" in refused(web.url("/x", "other.example"))
    assert web.asked == []


def test_a_certificate_that_nobody_vouches_for_is_refused(
    web: WebServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(Authority(tmp_path, "other").file))
    web.page("/x", "x", "text/plain")
    assert "CERTIFICATE_VERIFY_FAILED" in refused(web.url("/x"))
    assert web.asked == []


def test_a_redirect_to_the_same_host_without_tls_is_refused(web: WebServer) -> None:
    target = web.url("/there").replace("https:", "http:")
    assert "redirects to where no page is fetched" in refused(web.redirect("/here", target))
    assert len(web.asked) == 1
