"""The client's capabilities, from `initialize`. Every command works without any of them, if less comfortably."""

from dataclasses import dataclass, field
from typing import Any

from lsprotocol import types
from pydantic import ValidationError
from pygls.capabilities import get_capability

from planact.lsp.protocol.messages import Capability


@dataclass(frozen=True, slots=True)
class ClientCapabilities:
    """Capabilities that the client declared.

    Attributes:
        annotations: asks the user before it makes edits that are marked so.
        apply_edit: takes `workspace/applyEdit`.
        document_changes: understands versions in edits.
        resource_operations: creates, renames or deletes files itself (`create`, `rename`, `delete`).
        progress: shows work the server began.
        code_action_literals: takes code actions with edits, not only commands.
        code_lens_refresh: asks for lenses again on request.
        diagnostic_links: opens the page that explains a diagnostic's code.
        hover_markdown: shows Markdown in hovers.
        inlay_hint_refresh: asks for inlay hints again on request.
        show_document: opens a document on request.
        nested_symbols: shows symbols inside others.
        virtual_documents: shows texts of other schemes than `file`, which it asks for.
        watches_files: watches files on request.
        relative_patterns: can watch them below one folder.
        planact: its extras for planact.
    """

    annotations: bool = False
    apply_edit: bool = False
    document_changes: bool = False
    resource_operations: frozenset[str] = frozenset()
    progress: bool = False
    code_action_literals: bool = False
    code_lens_refresh: bool = False
    diagnostic_links: bool = False
    hover_markdown: bool = False
    inlay_hint_refresh: bool = False
    show_document: bool = False
    nested_symbols: bool = False
    virtual_documents: bool = False
    watches_files: bool = False
    relative_patterns: bool = False
    planact: Capability = field(default_factory=Capability)

    @classmethod
    def of(cls, declared: types.ClientCapabilities) -> "ClientCapabilities":
        """Read a client's declaration; malformed parts count as not declared."""

        def says(path: str) -> bool:
            return get_capability(declared, path, False) is True

        edit = "workspace.workspace_edit"
        formats = "text_document.hover.content_format"
        literals = "text_document.code_action.code_action_literal_support"
        operations = get_capability(declared, f"{edit}.resource_operations", None) or ()
        return cls(
            annotations=get_capability(declared, f"{edit}.change_annotation_support", None) is not None,
            apply_edit=says("workspace.apply_edit"),
            # Neovim doesn't declare versions, yet the resource operations that it declares come in the same list.
            document_changes=says(f"{edit}.document_changes") or bool(operations),
            resource_operations=frozenset(map(_word, operations)),
            progress=says("window.work_done_progress"),
            code_action_literals=get_capability(declared, literals, None) is not None,
            code_lens_refresh=says("workspace.code_lens.refresh_support"),
            diagnostic_links=says("text_document.publish_diagnostics.code_description_support"),
            hover_markdown="markdown" in map(_word, get_capability(declared, formats, None) or ()),
            inlay_hint_refresh=says("workspace.inlay_hint.refresh_support"),
            show_document=says("window.show_document.support"),
            nested_symbols=says("text_document.document_symbol.hierarchical_document_symbol_support"),
            virtual_documents=get_capability(declared, "workspace.text_document_content", None) is not None,
            watches_files=says("workspace.did_change_watched_files.dynamic_registration"),
            relative_patterns=says("workspace.did_change_watched_files.relative_pattern_support"),
            planact=_extras(declared.experimental),
        )


def _word(value: Any) -> str:
    return str(getattr(value, "value", value) or "")


def _extras(experimental: Any) -> Capability:
    """Read `experimental.planact`: flags, or a list of the flags that are on."""
    declared = experimental.get("planact") if isinstance(experimental, dict) else None
    if isinstance(declared, list):
        declared = {name: True for name in declared if isinstance(name, str)}
    try:
        return Capability.model_validate(declared or {})
    except ValidationError:
        return Capability()
