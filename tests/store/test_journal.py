from planact.adapters.store.state.database import Database
from planact.adapters.store.state.journal import SqliteJournal
from tests.fakes.clock import FakeClock


def test_a_before_image_is_kept_byte_for_byte_even_with_a_secret_in_it(database: Database) -> None:
    # Redacted, it could not restore the file.
    data = b"\x00password=hunter2\xff"
    digest = SqliteJournal(database, FakeClock()).keep(data)
    assert database.rows("SELECT sha256, data FROM images") == [(digest, data)]


def test_sequence_numbers_are_never_given_twice(database: Database) -> None:
    journal = SqliteJournal(database, FakeClock())
    first = journal.append("s1", "e1", "call_started", {})
    database.write("DELETE FROM journal")
    assert journal.append("s1", "e1", "call_started", {}) == first + 1
