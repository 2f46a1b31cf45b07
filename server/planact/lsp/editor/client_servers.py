"""The client's own language servers, asked over requests of ours for what they know of files."""

import asyncio
import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePath

from pydantic import ValidationError
from pygls.exceptions import JsonRpcException

from planact.base.paths import Place
from planact.lsp.documents.convert import path_of, uri_of
from planact.lsp.documents.open_documents import Document
from planact.lsp.protocol import messages
from planact.lsp.server import PlanactServer
from planact.model.file import EditorProblem, FileCheck

log = logging.getLogger(__name__)

_EDITOR = "the editor"
"""The name under which results tell of the client's language servers, which it doesn't name."""

_NOT_YET = "its language servers have said nothing of the present text yet"


class ClientLanguageServers:
    """Those of a client for one workspace folder; `answer_limit` is in seconds."""

    def __init__(self, server: PlanactServer, root: Path, answer_limit: float) -> None:
        self._server = server
        self._root = root
        self._answer_limit = answer_limit

    async def diagnostics(self, place: Place) -> Sequence[EditorProblem] | None:
        """Return the problems that the client shows at or below a place; None for a client that doesn't send them."""
        folder = uri_of(place.real).removesuffix("/") + ("/" if place.is_directory else "")
        found = await self._diagnose(messages.Diagnosed(uris=(folder,), versions=(None,)))
        if found is None:
            return None
        shown = {file.uri: self._shown(file.uri, place.real) for file in found.files}
        return [each for file in found.files if (path := shown[file.uri]) for each in _problems(path, file)]

    async def check_files(
        self, paths: Sequence[str], documents: Mapping[str, Document], seconds: float
    ) -> Sequence[FileCheck]:
        """Return the problems in the present texts of files, of which some are open, and wait up to `seconds` for them.
        Files that no server checks are left out.
        """
        if not paths or not self._server.client.planact.diagnostics:
            return ()
        opened = [documents.get(path) for path in paths]
        uris = tuple(each.uri if each else uri_of(self._root / path) for path, each in zip(paths, opened, strict=True))
        versions = tuple(each.version if each else None for each in opened)
        found = await self._diagnose(messages.Diagnosed(uris=uris, versions=versions, wait_ms=round(seconds * 1000)))
        told = {file.uri: file for file in found.files} if found else {}
        checks = []
        for path, uri in zip(paths, uris, strict=True):
            if (file := told.get(uri)) is not None and file.state != "unserved":
                is_known = file.state == "known"
                problems = tuple(_problems(path, file)) if is_known else None
                checks.append(FileCheck(path, _EDITOR, problems, "" if is_known else _NOT_YET))
        return checks

    async def _diagnose(self, asked: messages.Diagnosed) -> messages.Diagnostics | None:
        if not self._server.client.planact.diagnostics:
            return None
        limit = self._answer_limit + asked.wait_ms / 1000
        try:
            told = await asyncio.wait_for(self._server.protocol.request(messages.DIAGNOSTICS, asked), limit)
            return messages.Diagnostics.model_validate(told)
        except (JsonRpcException, TimeoutError, ValidationError) as error:
            log.warning("the client did not tell its diagnostics: %s", error)
            return None

    def _shown(self, uri: str, below: PurePath) -> str | None:
        """Return the path of a document in this folder and below another; None for one elsewhere."""
        path, real = path_of(uri), Path(os.path.realpath(self._root))
        where = Path(os.path.realpath(path)) if path is not None else real
        if not where.is_relative_to(below) or not where.is_relative_to(real):
            return None
        return where.relative_to(real).as_posix()


def _problems(path: str, file: messages.DiagnosedFile) -> Iterator[EditorProblem]:
    for each in file.diagnostics:
        yield EditorProblem(path, each.line + 1, each.severity, each.message, each.source, each.code)
