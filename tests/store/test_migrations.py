"""The schema of the state database: versions that databases have stay as they are."""

import hashlib

from planact.adapters.store.state.database import MIGRATIONS

PINNED = {
    9: "a3d099397820817b8cdff91d7894ad32c24da9fc2e3d80f89fcdfd32921a7226",
    14: "053e089bb0a87a77f26ec6f7b29b005ca05e66221f9e3172adce2d6abb4508b6",
}
"""Hashes of all versions up to these."""


def test_versions_of_the_schema_that_databases_have_are_never_changed() -> None:
    said = {upto: hashlib.sha256(repr(MIGRATIONS[:upto]).encode()).hexdigest() for upto in PINNED}
    assert said == PINNED, (
        "server/planact/adapters/store/state/migrations.sql: leave the versions there are as they were, and add "
        f"`-- version {len(MIGRATIONS) + 1}` at the end with what is to change"
    )
