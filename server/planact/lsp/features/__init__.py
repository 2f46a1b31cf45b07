"""LSP features, one module per subject, each with `register(server)` that is named here."""

from collections.abc import Callable
from typing import Any

from planact.lsp.features import (
    code_action,
    code_lens,
    completion,
    definition,
    document_link,
    document_symbol,
    document_sync,
    folding_range,
    formatting,
    hover,
    inlay_hint,
    lifecycle,
    publish_diagnostics,
    secret,
    semantic_tokens,
    text_document_content,
    transcript,
    will_rename_files,
    workspace,
)

FEATURES: tuple[Callable[[Any], None], ...] = (
    lifecycle.register,
    workspace.register,
    document_sync.register,
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
    semantic_tokens.register,
    inlay_hint.register,
    will_rename_files.register,
    text_document_content.register,
    transcript.register,
    secret.register,
)
