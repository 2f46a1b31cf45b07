"""The answer to `initialize`: the server's capabilities (`advertised.json`, generated), fitted to the client's.

The editor waits only for this, so it imports JSON alone: no pygls, no lsprotocol. Features for plans alone are left out
and registered for `*.plan` where the client allows that. Declared for all languages, they would give each of them a
second formatter, and no folding by indentation.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from planact import __version__

PLANS = [{"pattern": "**/*.plan"}]
ENCODINGS = ("utf-8", "utf-16", "utf-32")
ADVERTISED = Path(__file__).with_name("advertised.json")

PROVIDERS: dict[str, tuple[str, str]] = {
    "textDocument/documentSymbol": ("documentSymbolProvider", "documentSymbol"),
    "textDocument/hover": ("hoverProvider", "hover"),
    "textDocument/completion": ("completionProvider", "completion"),
    "textDocument/definition": ("definitionProvider", "definition"),
    "textDocument/documentLink": ("documentLinkProvider", "documentLink"),
    "textDocument/foldingRange": ("foldingRangeProvider", "foldingRange"),
    "textDocument/formatting": ("documentFormattingProvider", "formatting"),
    "textDocument/rangeFormatting": ("documentRangeFormattingProvider", "rangeFormatting"),
    "textDocument/semanticTokens": ("semanticTokensProvider", "semanticTokens"),
    "textDocument/inlayHint": ("inlayHintProvider", "inlayHint"),
}
"""By method: the key in the server's capabilities, and in the client's for text documents."""

Json = Mapping[str, Any]


def answer_initialize(body: bytes, sink: BinaryIO) -> dict[str, Any] | None:
    """Answer `initialize` and return the message. Returns None, without an answer, for other messages."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return None
    match message:
        case {
            "jsonrpc": "2.0",
            "id": str() | int() as msg_id,
            "method": "initialize",
            "params": {"capabilities": dict(client)},
        }:
            said = answer(advertised(), client)
            send_early(sink, {"jsonrpc": "2.0", "id": msg_id, "result": said})
            return dict(message)
        case _:
            return None


def send_early(sink: BinaryIO, message: Json) -> None:
    """Send a message to the client, while there is no server yet that does."""
    body = json.dumps(message).encode("ascii")
    sink.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    sink.flush()


def advertised() -> Json:
    """Return the server's capabilities for a client with all capabilities."""
    found: Json = json.loads(ADVERTISED.read_bytes())
    return found


def answer(advertised: Json, client: Json) -> dict[str, Any]:
    """Return the result of `initialize`, from the server's and the client's capabilities."""
    withheld = {PROVIDERS[method][0] for method in registrations(advertised, client)}
    said = {key: value for key, value in advertised.items() if key not in withheld}
    workspace = dict(said["workspace"])
    operations = workspace.get("fileOperations", {})
    known = {key: value for key, value in operations.items() if _at(client, "workspace", "fileOperations", key)}
    workspace["fileOperations"] = known
    if _at(client, "workspace", "textDocumentContent") is None:
        workspace.pop("textDocumentContent", None)
    said |= {"positionEncoding": encoding_of(client), "workspace": workspace}
    return {"capabilities": said, "serverInfo": {"name": "planact", "version": __version__}}


def registrations(advertised: Json, client: Json) -> dict[str, Json]:
    """Return options by method of features that are registered after `initialized` instead of advertised."""
    return {
        method: {**_options(advertised[provider]), "documentSelector": PLANS}
        for method, (provider, feature) in PROVIDERS.items()
        if advertised.get(provider) and _at(client, "textDocument", feature, "dynamicRegistration") is True
    }


def encoding_of(client: Json) -> str:
    """Return the unit of positions: the first encoding of the client's that the server has, else LSP's default."""
    offered = _at(client, "general", "positionEncodings")
    known = [each for each in offered if each in ENCODINGS] if isinstance(offered, list) else []
    return known[0] if known else "utf-16"


def _options(provider: Any) -> Json:
    return provider if isinstance(provider, dict) else {}


def _at(declared: Any, *keys: str) -> Any:
    for key in keys:
        declared = declared.get(key) if isinstance(declared, dict) else None
    return declared
