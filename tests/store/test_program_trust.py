"""Folders of older versions: the ones in which the user worked count as trusted with their programs."""

import sqlite3

import pytest

from planact.adapters.store.state.database import MIGRATIONS


@pytest.mark.parametrize("is_used", [True, False])
def test_a_folder_in_which_the_user_worked_with_an_older_version_is_trusted_with_programs(is_used: bool) -> None:
    new = next(number for number, version in enumerate(MIGRATIONS) if "program_trust" in version[0])
    connection = sqlite3.connect(":memory:")
    for statement in (statement for version in MIGRATIONS[:new] for statement in version):
        connection.execute(statement)
    if is_used:
        connection.execute("INSERT INTO sessions VALUES ('s1', 1, '{}')")
    for statement in MIGRATIONS[new]:
        connection.execute(statement)
    rows = connection.execute("SELECT is_trusted FROM program_trust").fetchall()
    connection.close()
    assert rows == ([(1,)] if is_used else [])
