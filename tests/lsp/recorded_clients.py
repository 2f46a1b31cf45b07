"""What real clients declare, and whether a server keeps to it: a second reading of LSP, apart from the server's own."""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from lsprotocol import converters, types
from pygls.capabilities import get_capability
from pytest_lsp.client import client_capabilities

_OURS = Path(__file__).parents[1] / "data" / "clients"
RECORDED = ("visual_studio_code@v1.65.2", "neovim@v0.6.1", "neovim@v0.10.0", "neovim@v0.11.0", "emacs@v29.1")
"""Those that pytest-lsp has recorded."""
READ = ("helix", "kate", "sublime_text", "zed")
"""Those that were read in the clients' sources; the files say where."""

_REQUESTS = {
    types.WORKSPACE_APPLY_EDIT: "workspace.apply_edit",
    types.WORKSPACE_CONFIGURATION: "workspace.configuration",
    types.WORKSPACE_WORKSPACE_FOLDERS: "workspace.workspace_folders",
    types.WORKSPACE_CODE_LENS_REFRESH: "workspace.code_lens.refresh_support",
    types.WORKSPACE_INLAY_HINT_REFRESH: "workspace.inlay_hint.refresh_support",
    types.WORKSPACE_SEMANTIC_TOKENS_REFRESH: "workspace.semantic_tokens.refresh_support",
    types.WORKSPACE_DIAGNOSTIC_REFRESH: "workspace.diagnostics.refresh_support",
    types.WINDOW_WORK_DONE_PROGRESS_CREATE: "window.work_done_progress",
    types.WINDOW_SHOW_DOCUMENT: "window.show_document.support",
}
_NEEDS_NOTHING = {
    types.WINDOW_SHOW_MESSAGE_REQUEST,
    types.WINDOW_SHOW_MESSAGE,
    types.WINDOW_LOG_MESSAGE,
    types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS,
}


def declared_by(name: str) -> types.ClientCapabilities:
    """The capabilities of one of `RECORDED` or `READ`."""
    if name in RECORDED:
        return client_capabilities(name)
    said = json.loads((_OURS / f"{name}.json").read_text("utf-8"))
    capabilities: types.ClientCapabilities = converters.get_converter().structure(
        said["capabilities"], types.ClientCapabilities
    )
    return capabilities


def says(declared: types.ClientCapabilities, path: str) -> bool:
    """Whether a capability is declared, as true or with details."""
    return get_capability(declared, path, None) not in (None, False)


def undeclared(declared: types.ClientCapabilities, received: Iterable[Any]) -> list[str]:
    """What the server sent and this client didn't ask for."""
    tokens: set[Any] = set()
    registered: set[str] = set()
    found: list[str] = []
    for message in received:
        method, params = getattr(message, "method", None), getattr(message, "params", None)
        if method == types.WINDOW_WORK_DONE_PROGRESS_CREATE:
            tokens.add(params.token)
        match method:
            case None:
                continue
            case types.PROGRESS:
                found += [f"progress of {params.token}"] if params.token not in tokens else []
            case types.CLIENT_REGISTER_CAPABILITY:
                found += [each.method for each in params.registrations if not _is_dynamic(declared, each)]
                registered |= {each.id for each in params.registrations}
            case types.CLIENT_UNREGISTER_CAPABILITY:
                found += [each.id for each in params.unregisterations if each.id not in registered]
            case types.WORKSPACE_APPLY_EDIT:
                found += _in_edit(declared, params.edit)
        is_declared = method in _REQUESTS and says(declared, _REQUESTS[method])
        is_protocol = method in _NEEDS_NOTHING or (method.startswith(("$/", "client/")))
        found += [] if is_declared or is_protocol else [method]
    return found


def _is_dynamic(declared: types.ClientCapabilities, registration: Any) -> bool:
    feature = re.sub("[A-Z]", lambda match: f"_{match[0].lower()}", registration.method).replace("/", ".")
    if registration.method == types.WORKSPACE_DID_CHANGE_WATCHED_FILES:
        patterns = [each["globPattern"] for each in registration.register_options["watchers"]]
        is_plain = all(isinstance(pattern, str) for pattern in patterns)
        if not (is_plain or says(declared, f"{feature}.relative_pattern_support")):
            return False
    return says(declared, f"{feature}.dynamic_registration")


def _in_edit(declared: types.ClientCapabilities, edit: types.WorkspaceEdit) -> Iterator[str]:
    operations = {
        str(getattr(kind, "value", kind)) for kind in get_capability(declared, f"{_EDIT}.resource_operations", ())
    }
    for change in edit.document_changes or ():
        if isinstance(change, types.TextDocumentEdit):
            # Neovim declares the operations alone, which come in the same list.
            if not (says(declared, f"{_EDIT}.document_changes") or operations):
                yield "versions in an edit"
        elif change.kind not in operations:
            yield f"{change.kind} in an edit"
    if edit.change_annotations and not says(declared, f"{_EDIT}.change_annotation_support"):
        yield "annotations of an edit"


_EDIT = "workspace.workspace_edit"
