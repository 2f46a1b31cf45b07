"""Questions to a running language server about names, and about changes that it proposes.

Nothing that it answers is trusted: what has another form than the protocol's is left out of places, and makes a
proposal one that can't be made.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from planact.adapters.language_servers.client import LanguageClient, RequestRefused
from planact.adapters.language_servers.problems import is_number, line_of
from planact.base.positions import Position, units_of
from planact.base.span import lines_of
from planact.base.text import one_line, word_starts
from planact.model.navigation import CodeAction, CodePlace, FileEdits, NamedPlace, PlaceKind, RangeEdit, WorkspaceEdit

_MOST_PLACES = 10_000
_MOST_ACTIONS, _MOST_ASKED = 50, 10
_LONGEST_TITLE = 300
_UNKNOWN_METHOD = -32601
_FOREIGN_OPERATION = "it would create, rename or delete files"
_MALFORMED = "it is in a form that planact doesn't know"


async def find_places(
    client: LanguageClient, kind: PlaceKind, at: NamedPlace, texts: Mapping[str, str]
) -> Sequence[CodePlace]:
    """Return where a name is used or defined. Raises ServerFailure, RequestRefused."""
    await client.show_only(texts)
    params = _position(client, at, texts[at.path])
    if kind == "references":
        params["context"] = {"includeDeclaration": True}
    found = await client.request(f"textDocument/{kind}", params)
    locations = [found] if isinstance(found, Mapping) else found if isinstance(found, list) else []
    places = dict.fromkeys(_places(client, locations[:_MOST_PLACES]))
    return tuple(places)


async def propose_rename(
    client: LanguageClient, at: NamedPlace, new_name: str, texts: Mapping[str, str]
) -> WorkspaceEdit:
    """Return the edits that would rename a name. Raises ServerFailure, RequestRefused."""
    await client.show_only(texts)
    params = {**_position(client, at, texts[at.path]), "newName": new_name}
    return _edit_of(client, await client.request("textDocument/rename", params))


async def propose_actions(
    client: LanguageClient, path: str, line: int, texts: Mapping[str, str]
) -> Sequence[CodeAction]:
    """Return the quick fixes of a line, and how the server would organise the file's imports, without those that are
    more than edits. Raises ServerFailure, RequestRefused.
    """
    await client.show_only(texts)
    await client.check(path, texts[path])
    lines = lines_of(texts[path])
    whole = {"start": _at(0, 0), "end": _at(len(lines) - 1, units_of(lines[-1], client.encoding))}
    here = [item for item in client.diagnostics(path) if line_of(item) + 1 == line][:_MOST_ASKED]
    asked = [*((item.get("range"), [item], "quickfix") for item in here), (whole, [], "source.organizeImports")]
    actions: list[CodeAction] = []
    for place, diagnostics, kind in asked:
        context = {"diagnostics": diagnostics, "only": [kind], "triggerKind": 1}
        params = {"textDocument": {"uri": client.uri(path)}, "range": place, "context": context}
        for each in await _requested(client, "textDocument/codeAction", params, []):
            is_asked = _is_of(each, kind) and len(actions) < _MOST_ACTIONS
            if is_asked and (action := await _action_of(client, each)) is not None:
                actions.append(action)
    return tuple(dict.fromkeys(actions))


def _is_of(found: Any, kind: str) -> bool:
    """Return whether an action is of a kind or names none: some servers answer with fixes of other lines, too."""
    told = found.get("kind") if isinstance(found, Mapping) else None
    return not isinstance(told, str) or f"{told}.".startswith(f"{kind}.")


async def _action_of(client: LanguageClient, found: Any) -> CodeAction | None:
    """Return an action that is nothing but an edit of texts; its command, if there is one, is never run."""
    if not isinstance(found, Mapping) or not isinstance(found.get("title"), str) or "disabled" in found:
        return None
    if found.get("edit") is None and found.get("data") is not None:
        resolved = await _requested(client, "codeAction/resolve", found, {})
        found = {**found, "edit": resolved.get("edit")} if isinstance(resolved, Mapping) else found
    edit = _edit_of(client, found.get("edit"))
    title = one_line(found["title"], _LONGEST_TITLE)
    return CodeAction(title, edit) if title and edit.files and not edit.problem else None


async def _requested(client: LanguageClient, method: str, params: Any, default: Any) -> Any:
    """Return the answer to a request that a server may not know; `default` for one of another type."""
    try:
        answer = await client.request(method, params)
    except RequestRefused as refused:
        if refused.code != _UNKNOWN_METHOD:
            raise
        return default
    return answer if isinstance(answer, type(default)) else default


def _position(client: LanguageClient, at: NamedPlace, text: str) -> dict[str, Any]:
    line = lines_of(text)[at.line - 1]
    unit = units_of(line[: word_starts(line, at.name)[at.occurrence]], client.encoding)
    return {"textDocument": {"uri": client.uri(at.path)}, "position": _at(at.line - 1, unit)}


def _at(line: int, unit: int) -> Mapping[str, int]:
    return {"line": line, "character": unit}


def _places(client: LanguageClient, locations: Sequence[Any]) -> Iterator[CodePlace]:
    for location in locations:
        if not isinstance(location, Mapping):
            continue
        path = client.path(location.get("targetUri", location.get("uri")))
        place = _range_of(location.get("targetSelectionRange", location.get("range")))
        if path and place is not None:
            yield CodePlace(path, place[0].line + 1)


def _edit_of(client: LanguageClient, found: Any) -> WorkspaceEdit:
    """Return a `WorkspaceEdit` of the protocol; without files where there is none."""
    if found is None:
        return WorkspaceEdit()
    try:
        files = tuple(_files_of(client, found))
    except _UnfitEdit as unfit:
        return WorkspaceEdit(problem=str(unfit))
    return WorkspaceEdit(files, client.encoding)


class _UnfitEdit(Exception):
    pass


def _files_of(client: LanguageClient, found: Any) -> Iterator[FileEdits]:
    if not isinstance(found, Mapping):
        raise _UnfitEdit(_MALFORMED)
    documents, changes = found.get("documentChanges"), found.get("changes")
    if documents is None and isinstance(changes, Mapping):
        for uri, edits in changes.items():
            yield _file_of(client, uri, edits)
        return
    if not isinstance(documents, list):
        raise _UnfitEdit(_MALFORMED)
    for each in documents:
        if isinstance(each, Mapping) and "kind" in each:
            raise _UnfitEdit(_FOREIGN_OPERATION)
        identity = each.get("textDocument") if isinstance(each, Mapping) else None
        if not isinstance(identity, Mapping):
            raise _UnfitEdit(_MALFORMED)
        file = _file_of(client, identity.get("uri"), each.get("edits"))
        if identity.get("version") not in (None, client.version(file.path)):
            raise _UnfitEdit("it is about another version of a file than the present one")
        yield file


def _file_of(client: LanguageClient, uri: Any, edits: Any) -> FileEdits:
    path = client.path(uri)
    if not path or not isinstance(edits, list):
        raise _UnfitEdit(_MALFORMED)
    return FileEdits(path, tuple(map(_text_edit_of, edits)))


def _text_edit_of(found: Any) -> RangeEdit:
    place = _range_of(found.get("range")) if isinstance(found, Mapping) else None
    text = found.get("newText") if isinstance(found, Mapping) else None
    if place is None or not isinstance(text, str):  # a snippet, for one
        raise _UnfitEdit(_MALFORMED)
    return RangeEdit(*place, text)


def _range_of(found: Any) -> tuple[Position, Position] | None:
    if not isinstance(found, Mapping):
        return None
    start, end = _position_of(found.get("start")), _position_of(found.get("end"))
    return (start, end) if start is not None and end is not None else None


def _position_of(found: Any) -> Position | None:
    line, unit = (found.get("line"), found.get("character")) if isinstance(found, Mapping) else (None, None)
    return Position(line, unit) if is_number(line) and is_number(unit) else None
