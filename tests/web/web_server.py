"""A web of several hosts on 127.0.0.1, which alone counts as public. As a program: planact in such a web."""

import ipaddress
import socket
import ssl
import sys
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from planact.__main__ import main
from planact.adapters.web import public_hosts

_find, _is_public = socket.getaddrinfo, public_hosts.is_public
_LOOPBACK = ipaddress.ip_address("127.0.0.1")


class WebServer:
    """Answers by `pages`: path → status, headers and body; over TLS where it has a `certificate` (a file with its key).

    Attributes:
        port: of all hosts.
        asked: host and path of each request, in order.
        headers: those of the requests.
        names: those that clients asked for while they greeted it over TLS.
    """

    def __init__(self, certificate: Path | None = None) -> None:
        self.pages: dict[str, tuple[int, Mapping[str, str], bytes]] = {}
        self.asked: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.names: list[str | None] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._scheme = "http"
        if certificate:
            self._scheme = "https"
            self._server.socket = self._over_tls(certificate)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def url(self, path: str, host: str = "docs.example") -> str:
        return f"{self._scheme}://{host}:{self.port}{path}"

    def page(self, path: str, body: str | bytes, kind: str = "text/html; charset=utf-8") -> str:
        """Serve a page, and return its address."""
        data = body.encode() if isinstance(body, str) else body
        self.pages[path] = (200, {"content-type": kind}, data)
        return self.url(path)

    def redirect(self, path: str, target: str) -> str:
        self.pages[path] = (302, {"location": target}, b"")
        return self.url(path)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _over_tls(self, certificate: Path) -> ssl.SSLSocket:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        context.sni_callback = lambda _, name, __: self.names.append(name)
        return context.wrap_socket(self._server.socket, server_side=True, do_handshake_on_connect=False)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        web = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                web.asked.append(f"{self.headers['host'].split(':')[0]}{self.path}")
                web.headers.append({name.lower(): value for name, value in self.headers.items()})
                status, headers, body = web.pages.get(self.path.split("?")[0], (404, {}, b"nothing"))
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None: ...

        return Handler


def _lookup(host: Any, port: Any, *rest: Any, **more: Any) -> Any:
    """Every name that ends in `.example` leads to this machine; `private.example` to a private address besides."""
    if not str(host).endswith(".example"):
        return _find(host, port, *rest, **more)
    places = ["127.0.0.1", *(["10.0.0.7"] if host == "private.example" else [])]
    return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (place, port)) for place in places]


PATCHES = (
    (socket, "getaddrinfo", _lookup),
    (public_hosts, "is_public", lambda address: address == _LOOPBACK or _is_public(address)),
)
"""What makes this machine the web: object, name and value."""


if __name__ == "__main__":  # planact itself, in this web
    for owner, name, value in PATCHES:
        setattr(owner, name, value)
    sys.exit(main())
