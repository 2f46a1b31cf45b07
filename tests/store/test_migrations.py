"""The schema of the state database: versions that databases have stay as they are."""

import hashlib

from planact.adapters.store.state.database import MIGRATIONS


def test_versions_of_the_schema_that_databases_have_are_never_changed() -> None:
    said = hashlib.sha256(repr(MIGRATIONS[:9]).encode()).hexdigest()
    assert said == "a3d099397820817b8cdff91d7894ad32c24da9fc2e3d80f89fcdfd32921a7226"
