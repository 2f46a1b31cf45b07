"""A server that does nothing but answer each change with diagnostics that are none: what any of them costs here."""

from lsprotocol import types
from pygls.lsp.server import LanguageServer

server = LanguageServer("bare", "1")


@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
def on_change(ls: LanguageServer, params: types.DidChangeTextDocumentParams) -> None:
    document = params.text_document
    ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(document.uri, [], version=document.version))


@server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
def on_watched_files(ls: LanguageServer, params: types.DidChangeWatchedFilesParams) -> None:
    """Read, and no more."""


@server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)
def on_document_link(ls: LanguageServer, params: types.DocumentLinkParams) -> None:
    """There is none."""


if __name__ == "__main__":
    server.start_io()
