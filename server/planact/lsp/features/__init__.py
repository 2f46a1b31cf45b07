"""LSP features, one module per method, each with `register(server)` that is named here."""

from collections.abc import Callable
from typing import Any

from planact.lsp.features import (
    code_action,
    code_lens,
    completion,
    definition,
    did_change_configuration,
    did_change_workspace_folders,
    did_open,
    did_save,
    document_link,
    document_symbol,
    folding_range,
    formatting,
    hover,
    initialize,
    initialized,
    inlay_hint,
    publish_diagnostics,
    range_formatting,
    semantic_tokens,
    text_document_content,
    transcript,
    will_rename_files,
)

FEATURES: tuple[Callable[[Any], None], ...] = (
    initialize.register,
    initialized.register,
    did_change_configuration.register,
    did_change_workspace_folders.register,
    did_open.register,
    did_save.register,
    publish_diagnostics.register,
    code_lens.register,
    code_action.register,
    document_symbol.register,
    hover.register,
    completion.register,
    definition.register,
    document_link.register,
    folding_range.register,
    formatting.register,
    range_formatting.register,
    semantic_tokens.register,
    inlay_hint.register,
    will_rename_files.register,
    text_document_content.register,
    transcript.register,
)
