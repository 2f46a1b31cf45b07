"""All documents that the client has open, of every language, with the text that the client sent last."""

import hashlib
import logging
import os
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path, PurePath
from urllib.parse import unquote

from lsprotocol import types

from planact.base.filetext import FileText
from planact.base.paths import Place, path_below
from planact.base.positions import Encoding
from planact.base.span import Span, TextEdit, apply_edits
from planact.lsp.documents.convert import TextIndex, path_of
from planact.plan.approval import hash_of
from planact.plan.syntax.parser import parse
from planact.plan.syntax.tree import PlanTree

log = logging.getLogger(__name__)

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Document:
    """One version of an open document. `path` is None where it isn't a file; `before` is the last version's plan."""

    uri: str
    language_id: str
    version: int
    text: str
    encoding: Encoding
    path: Path | None
    before: PlanTree | None = field(default=None, repr=False, compare=False)

    @cached_property
    def index(self) -> TextIndex:
        """Conversion between spans of this text and the client's positions."""
        return TextIndex(self.text, self.encoding, self.plan.line_spans if self.is_plan else ())

    @property
    def is_plan(self) -> bool:
        """A `*.plan` document, saved or not."""
        return unquote(self.uri).endswith(".plan")

    @cached_property
    def plan(self) -> PlanTree:
        """This version's text as a plan."""
        return parse(self.text, self.before)

    @cached_property
    def plan_hash(self) -> str:
        """Hash that an approval of this version binds to."""
        return hash_of(self.plan)


class Documents:
    """The open documents. May be asked from any thread; changes come from the event loop alone.

    Attributes:
        encoding: the client's, once it is known.
        listeners: called with each new version, also the first, and when the files that its problems depend on changed.
    """

    def __init__(self) -> None:
        self.encoding: Encoding = "utf-16"
        self.listeners: list[Callable[[Document], None]] = []
        self._open: dict[str, Document] = {}
        self._overtaken: set[str] = set()
        self._unclear: set[str] = set()
        self._own_hashes: dict[str, set[str]] = {}
        self._saves = 0
        self._saved: dict[str, tuple[int, Document]] = {}

    def open(self, item: types.TextDocumentItem) -> None:
        """Add a document that the client opened, or opened anew."""
        path = path_of(item.uri)
        document = Document(
            item.uri, str(item.language_id), item.version, item.text, self.encoding, Path(path) if path else None
        )
        if document.is_plan:
            self._own_hashes.setdefault(_key(item.uri), set()).add(document.plan_hash)
        self._unclear.discard(_key(item.uri))
        self._put(document)

    def change(
        self, identifier: types.VersionedTextDocumentIdentifier, changes: Sequence[types.TextDocumentContentChangeEvent]
    ) -> None:
        """Apply the client's changes of a document's text; each refers to the text after the one before."""
        document = self.get(identifier.uri)
        if document is None:
            log.warning("a change of %s, which is not open, is ignored", identifier.uri)
            return
        before = document.plan if document.is_plan else None
        for change in changes:
            document = replace(document, text=_changed(document, change), version=identifier.version, before=before)
            if not isinstance(change, types.TextDocumentContentChangePartial):
                self._unclear.discard(_key(document.uri))
        self._put(document)

    def mark_unclear(self, uri: str) -> None:
        """Note that a change of a document couldn't be read: until the client sends the whole text, it isn't known."""
        if self.get(uri) is not None:
            self._unclear.add(_key(uri))

    def is_unclear(self, document: Document) -> bool:
        """Return true where the client shows another text than the document has."""
        return _key(document.uri) in self._unclear

    def close(self, uri: str) -> None:
        """Remove a document that the client closed; from now on the file on disk counts."""
        self._open.pop(_key(uri), None)
        self._overtaken.discard(_key(uri))
        self._unclear.discard(_key(uri))

    def note_saved(self, uri: str) -> None:
        """Note that the client saved a document with its present text."""
        if (document := self.get(uri)) is not None:
            self._saves += 1
            self._saved[_key(uri)] = (self._saves, document)

    def saved_since(self, mark: int) -> tuple[int, tuple[Document, ...]]:
        """Return a mark for the next call, and the documents saved since an earlier one, as they were then."""
        return self._saves, tuple(document for number, document in tuple(self._saved.values()) if number > mark)

    def mark_overtaken(self, document: Document) -> None:
        """Note that the document's file was written on disk, past a client that takes no edits: until the client sends
        a new text, the disk counts.
        """
        self._overtaken.add(_key(document.uri))

    def note_own_change(self, document: Document, text: str) -> None:
        """Note that planact is about to change a plan to `text`. Saving a plan makes it the user's own, but not where
        the user has typed none of it, since editors may save by themselves.
        """
        if document.is_plan:
            hashes = self._own_hashes.setdefault(_key(document.uri), set())
            if document.plan_hash in hashes or not self.is_dirty(document):
                hashes.add(hash_of(parse(text, document.plan)))

    def is_typed(self, document: Document) -> bool:
        """Return true for a plan that the user has edited since it was opened, beyond planact's own changes."""
        return document.plan_hash not in self._own_hashes.get(_key(document.uri), ())

    def get(self, uri: str) -> Document | None:
        """Return the document with that URI, in any escaping; None when it isn't open."""
        return self._open.get(_key(uri))

    def plan(self, uri: str) -> Document | None:
        """Return the plan with that URI; None for every other document."""
        document = self.get(uri)
        return document if document is not None and document.is_plan else None

    def all(self) -> tuple[Document, ...]:
        """Every open document, in the order of opening."""
        return tuple(self._open.values())

    def at(self, place: Place) -> Document | None:
        """Return the document that shows the file at `place`, under any name, if not overtaken."""
        key = os.path.normcase(place.real)
        named = self._open.get(key) if key not in self._overtaken else None
        if place.is_link or (named is not None and os.path.normcase(os.path.realpath(key)) == key):
            return named
        shown = [document for key, document in tuple(self._open.items()) if key not in self._overtaken]
        return next(_showing(shown, place), None)

    def below(self, place: Place) -> tuple[Document, ...]:
        """Return the documents that show the file at `place`, or files in it, if it is a directory."""
        documents = self.all()
        if documents and Path(place.real).is_dir():
            return tuple(document for document, path in with_real_paths(documents) if path_below(str(place.real), path))
        return tuple(_showing(documents, place))

    def buffer(self, place: Place) -> FileText | None:
        """Return the open text of the file at `place`, with the hash of the file on disk now."""
        document = self.at(place)
        if document is None:
            return None
        data = read_if_regular(Path(place.real))
        return FileText(
            text=document.text,
            has_bom=data is not None and data.startswith(_BOM),
            sha256="" if data is None else hashlib.sha256(data).hexdigest(),
            version=document.version,
        )

    def is_dirty(self, document: Document) -> bool:
        """Return true where the text differs from the file's, or the file can't be read."""
        if _key(document.uri) in self._overtaken:
            return False
        data = read_if_regular(document.path) if document.path is not None else None
        return data is None or not shows(document, data)

    def is_written(self, document: Document) -> bool:
        """Return true where the file holds exactly this text, in UTF-8."""
        data = read_if_regular(document.path) if document.path is not None else None
        return data is not None and data.removeprefix(_BOM) == document.text.encode("utf-8", "surrogatepass")

    def notify(self, document: Document) -> None:
        """Call the listeners: the document, or files that its problems depend on, changed."""
        for listener in tuple(self.listeners):
            listener(document)

    def _put(self, document: Document) -> None:
        self._open[_key(document.uri)] = document
        self._overtaken.discard(_key(document.uri))
        self.notify(document)


def with_real_paths(documents: Iterable[Document]) -> Iterator[tuple[Document, str]]:
    """Yield the documents that have a path, each with its real one."""
    folders: dict[Path, str] = {}
    for document in documents:
        path = document.path
        if path is None:
            continue
        if path.parent not in folders:
            folders[path.parent] = os.path.realpath(path.parent)
        is_plain = path.name not in ("", "..") and not os.path.islink(path)
        yield document, os.path.join(folders[path.parent], path.name) if is_plain else os.path.realpath(path)  # noqa: PTH118


def same_text(one: str, other: str) -> bool:
    """Compare two texts but for line ends and a last line end: some editors convert the one, or add the other."""
    return _plain(one) == _plain(other)


def shows(document: Document, data: bytes) -> bool:
    """Return true where an editor would show the document's text for these bytes."""
    return any(same_text(document.text, text) for text in _decodings(data))


def read_if_regular(path: Path) -> bytes | None:
    """Return the bytes of a regular file, else None: reading a pipe would never end."""
    try:
        return path.read_bytes() if stat.S_ISREG(path.stat().st_mode) else None
    except (OSError, ValueError):
        return None


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")


def _decodings(data: bytes) -> list[str]:
    texts = []
    for codec in ("utf-8-sig", "utf-16", "cp1252", "latin-1"):
        try:
            texts.append(data.decode(codec))
        except UnicodeDecodeError:
            continue
    return texts


def _changed(document: Document, change: types.TextDocumentContentChangeEvent) -> str:
    if isinstance(change, types.TextDocumentContentChangePartial):
        return apply_edits(document.text, [TextEdit(document.index.span(change.range), change.text)])
    return change.text


def _showing(documents: Iterable[Document], place: Place) -> Iterator[Document]:
    """Yield the documents that show the file at `place`, also with other casing where the file system takes no notice
    of it, and by a hard link.
    """
    key = os.path.normcase(place.real)
    if place.is_link:
        yield from (each for each in documents if each.path is not None and os.path.normcase(each.path) == key)
        return
    found = [*with_real_paths(documents)]
    status = _status(place.real) if found else None
    for document, path in found:
        there = _status(path) if status is not None else None
        if os.path.normcase(path) == key or (status and there and os.path.samestat(status, there)):
            yield document


def _status(path: str | PurePath) -> os.stat_result | None:
    try:
        return os.stat(path)  # noqa: PTH116 (speed)
    except (OSError, ValueError):
        return None


def _key(uri: str) -> str:
    """Return a key that is equal for all spellings of a URI: clients vary in escaping and in the case of a drive
    letter.
    """
    path = path_of(uri)
    return os.path.normcase(path) if path is not None else unquote(uri)


NOT_OPEN = -1
"""Version of a document that is read from disk."""

_AGAIN = "approve-again"


def workspace_edit(
    changes: Iterable[tuple[Document, Sequence[TextEdit]]],
    *,
    has_versions: bool,
    to_confirm: Collection[Document] = (),
) -> types.WorkspaceEdit:
    """Return edits of several documents, bound to the versions they were made for where the client understands that.

    The client asks the user before it changes the approved plans in `to_confirm`, which is empty where it can't ask.
    """
    made = [(document, text_edits(document, edits)) for document, edits in changes]
    if not has_versions:
        return types.WorkspaceEdit(changes={document.uri: edits for document, edits in made})
    annotation = types.ChangeAnnotation("Paths in approved plans", True, "They will have to be approved again.")
    return types.WorkspaceEdit(
        document_changes=[
            types.TextDocumentEdit(
                types.OptionalVersionedTextDocumentIdentifier(
                    document.uri, None if document.version == NOT_OPEN else document.version
                ),
                [_annotated(edit) for edit in edits] if document in to_confirm else list(edits),
            )
            for document, edits in made
        ],
        change_annotations={_AGAIN: annotation} if to_confirm else None,
    )


def _annotated(edit: types.TextEdit) -> types.AnnotatedTextEdit:
    return types.AnnotatedTextEdit(_AGAIN, edit.range, edit.new_text)


def text_edits(document: Document, edits: Sequence[TextEdit]) -> list[types.TextEdit]:
    """Return the edits of one document for the client."""
    return [
        types.TextEdit(document.index.range(edit.span), edit.new_text) for edit in within_lines(document.text, edits)
    ]


def within_lines(text: str, edits: Sequence[TextEdit]) -> Sequence[TextEdit]:
    """Move edits from behind the last line end before it: Neovim adds a line end to text that is inserted behind the
    last line.
    """
    line_end = text[len(text.rstrip("\r\n")) :][-2:]
    line_end = line_end if line_end == "\r\n" else line_end[-1:]
    start = len(text) - len(line_end)
    appended = [edit for edit in edits if edit.span.start == len(text)]
    others = [edit for edit in edits if edit.span.start < len(text)]
    if not line_end or not appended or any(edit.span.end > start for edit in others):
        return edits
    added = "".join(edit.new_text for edit in appended)
    return (*others, TextEdit(Span(start, len(text)), f"{line_end}{added}"))
