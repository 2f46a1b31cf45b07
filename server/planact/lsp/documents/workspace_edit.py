"""Edits of open documents as clients take them."""

from collections.abc import Collection, Iterable, Sequence

from lsprotocol import types

from planact.base.span import Span, TextEdit
from planact.lsp.documents.open_documents import Document

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
