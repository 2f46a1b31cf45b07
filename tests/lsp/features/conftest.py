"""The same servers as for commands: one for each position encoding, and for each test a folder of its own.

Features have to do with positions, and their tests run in each encoding. Those of `ONE_ENCODING` are about other
things, and do so in `make soak` alone.
"""

import pytest

from tests.lsp.commands.conftest import choose_encodings, client, shared

__all__ = ["client", "shared"]

ONE_ENCODING = {
    "test_did_change_configuration.py",
    "test_did_change_watched_files.py",
    "test_did_change_workspace_folders.py",
    "test_did_save.py",
    "test_mistreated_plans.py",
    "test_secret.py",
    "test_text_document_content.py",
    "test_transcript.py",
    "test_workspace_trust.py",
}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    choose_encodings(config, items, [item for item in items if item.path.name in ONE_ENCODING])
