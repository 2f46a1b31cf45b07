"""All documents that the client has open, of every language, as it last sent them: the truth about their text."""

import hashlib
import logging
import os
import stat
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote

from lsprotocol import types

from planact.base.filetext import FileText
from planact.base.paths import Place
from planact.base.span import TextEdit, apply_edits
from planact.lsp.convert import Encoding, TextIndex, path_of
from planact.plan.approval import hash_of
from planact.plan.parser import parse
from planact.plan.tree import PlanTree

logger = logging.getLogger(__name__)

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Document:
    """One version of an open document. `path` is None for what isn't a file; `before` is the last version's plan."""

    uri: str
    language_id: str
    version: int
    text: str
    encoding: Encoding
    path: Path | None
    before: PlanTree | None = field(default=None, repr=False, compare=False)

    @cached_property
    def index(self) -> TextIndex:
        """Converts between spans of this text and the client's positions."""
        return TextIndex(self.text, self.encoding, self.plan.line_spans if self.is_plan else ())

    @property
    def is_plan(self) -> bool:
        """Whether it is a `*.plan` document, saved or not."""
        return unquote(self.uri).endswith(".plan")

    @cached_property
    def plan(self) -> PlanTree:
        """This version's text as a plan."""
        return parse(self.text, self.before)

    @cached_property
    def plan_hash(self) -> str:
        """What an approval of this version binds to."""
        return hash_of(self.plan)


class Documents:
    """What is open now. May be asked from any thread; changes come from the event loop alone.

    Attributes:
        encoding: the client's, once it is known.
        listeners: called with each new version, also the first, and when what it is judged by changed.
    """

    def __init__(self) -> None:
        self.encoding: Encoding = "utf-16"
        self.listeners: list[Callable[[Document], None]] = []
        self._open: dict[str, Document] = {}
        self._overtaken: set[str] = set()

    def open(self, item: types.TextDocumentItem) -> None:
        """The client opened a document, or opened it anew."""
        path = path_of(item.uri)
        self._put(
            Document(
                item.uri, str(item.language_id), item.version, item.text, self.encoding, Path(path) if path else None
            )
        )

    def change(
        self, identifier: types.VersionedTextDocumentIdentifier, changes: Sequence[types.TextDocumentContentChangeEvent]
    ) -> None:
        """The client changed a document's text; each change refers to the text that the one before left."""
        document = self.get(identifier.uri)
        if document is None:
            logger.warning("a change of %s, which is not open, is ignored", identifier.uri)
            return
        before = document.plan if document.is_plan else None
        for change in changes:
            document = replace(document, text=_changed(document, change), version=identifier.version, before=before)
        self._put(document)

    def close(self, uri: str) -> None:
        """The client closed a document: the disk holds the truth about it now."""
        self._open.pop(_key(uri), None)
        self._overtaken.discard(_key(uri))

    def overtake(self, document: Document) -> None:
        """Its file was written past a client that takes no edits: until that sends a new text, the disk counts."""
        self._overtaken.add(_key(document.uri))

    def get(self, uri: str) -> Document | None:
        """The document with that URI, however it is escaped; None when it isn't open."""
        return self._open.get(_key(uri))

    def plan(self, uri: str) -> Document | None:
        """The same for a plan; None for every other document."""
        document = self.get(uri)
        return document if document is not None and document.is_plan else None

    def all(self) -> tuple[Document, ...]:
        """Every open document, in the order of opening."""
        return tuple(self._open.values())

    def at(self, place: Place) -> Document | None:
        """The document that shows the file at `place`, under whatever name the client opened it, if not overtaken."""
        real = Path(place.real)
        shown = [document for key, document in tuple(self._open.items()) if key not in self._overtaken]
        files = [(document, document.path) for document in shown if document.path is not None]
        return next((document for document, path in files if _is_same(path, real)), None)

    def below(self, place: Place) -> tuple[Document, ...]:
        """The documents that show the file at `place` or any in it, if it is a directory."""
        real = Path(place.real)
        return tuple(
            document
            for document in self.all()
            if document.path is not None
            and (_is_same(document.path, real) or real in Path(os.path.realpath(document.path)).parents)
        )

    def buffer(self, place: Place) -> FileText | None:
        """The open text of the file at `place`, with what the disk has of it just now."""
        document = self.at(place)
        if document is None:
            return None
        data = read_regular(Path(place.real))
        return FileText(
            text=document.text,
            has_bom=data is not None and data.startswith(_BOM),
            sha256="" if data is None else hashlib.sha256(data).hexdigest(),
            version=document.version,
        )

    def is_dirty(self, document: Document) -> bool:
        """Whether the text differs from the file's; unsure means yes."""
        if _key(document.uri) in self._overtaken:
            return False
        data = read_regular(document.path) if document.path is not None else None
        return data is None or not shows(document, data)

    def is_written(self, document: Document) -> bool:
        """Whether the file holds just this text, in UTF-8."""
        data = read_regular(document.path) if document.path is not None else None
        return data is not None and data.removeprefix(_BOM) == document.text.encode("utf-8", "surrogatepass")

    def tell(self, document: Document) -> None:
        """Call the listeners: the document is new, or the world around it."""
        for listener in tuple(self.listeners):
            listener(document)

    def _put(self, document: Document) -> None:
        self._open[_key(document.uri)] = document
        self._overtaken.discard(_key(document.uri))
        self.tell(document)


def same_text(one: str, other: str) -> bool:
    """Whether an editor would show the same: some turn line ends into the document's, or end every text with one."""
    return _plain(one) == _plain(other)


def shows(document: Document, data: bytes) -> bool:
    """Whether the document's text is what an editor would show of these bytes."""
    return any(same_text(document.text, text) for text in _decodings(data))


def read_regular(path: Path) -> bytes | None:
    """The bytes of a regular file, None when there is none: a pipe would never end."""
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


def _is_same(path: Path, real: Path) -> bool:
    if os.path.normcase(os.path.realpath(path)) == os.path.normcase(real):
        return True
    try:
        # Other casing where the file system takes no notice of it, or a hard link.
        return path.samefile(real)
    except (OSError, ValueError):
        return False


def _key(uri: str) -> str:
    """Clients don't escape a URI the same way each time, nor write a drive letter in the same case."""
    path = path_of(uri)
    return os.path.normcase(path) if path is not None else unquote(uri)
