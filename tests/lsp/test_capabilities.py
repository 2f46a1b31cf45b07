"""What a client says it can do, recorded from real ones and made up by hostile ones."""

from typing import Any

import pytest
from lsprotocol import types
from pytest_lsp.client import client_capabilities

from planact.lsp.protocol.capabilities import ClientCapabilities
from planact.lsp.protocol.messages import Capability


@pytest.mark.parametrize(
    ("client", "expected"),
    [
        (
            "visual-studio-code",
            ClientCapabilities(
                annotations=True,
                apply_edit=True,
                document_changes=True,
                resource_operations=frozenset({"create", "rename", "delete"}),
                progress=True,
                nested_symbols=True,
                code_action_literals=True,
                code_lens_refresh=True,
                diagnostic_links=True,
                hover_markdown=True,
                watches_files=True,
                show_document=True,
            ),
        ),
        (
            "neovim@v0.11",
            ClientCapabilities(
                apply_edit=True,
                document_changes=True,
                resource_operations=frozenset({"create", "rename", "delete"}),
                progress=True,
                nested_symbols=True,
                code_action_literals=True,
                hover_markdown=True,
                inlay_hint_refresh=True,
                relative_patterns=True,
                show_document=True,
            ),
        ),
        (
            "emacs",
            ClientCapabilities(
                apply_edit=True,
                document_changes=True,
                progress=True,
                nested_symbols=True,
                code_action_literals=True,
                hover_markdown=True,
                watches_files=True,
            ),
        ),
    ],
)
def test_real_clients_can(client: str, expected: ClientCapabilities) -> None:
    assert ClientCapabilities.of(client_capabilities(client)) == expected


@pytest.mark.parametrize(
    ("experimental", "expected"),
    [
        ({"planact": {"questions": True, "later": True}}, Capability(questions=True)),
        ({"planact": ["save", "messages", 7]}, Capability(save=True, messages=True)),
        ({"planact": {"questions": [1]}}, Capability()),
        ({"planact": "all"}, Capability()),
        ({"planact": None}, Capability()),
        ({}, Capability()),
        (["planact"], Capability()),
        (None, Capability()),
    ],
)
def test_extras_are_flags_or_a_list_of_flags(experimental: Any, expected: Capability) -> None:
    declared = types.ClientCapabilities(experimental=experimental)
    assert ClientCapabilities.of(declared) == ClientCapabilities(planact=expected)
