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


def test_before_images_are_kept_together_once_each(database: Database) -> None:
    journal = SqliteJournal(database, FakeClock())
    first = journal.keep(b"one")
    database.write("INSERT INTO doubtful (sha256, since) VALUES (?, 1)", (first,))
    digests = journal.keep_all((b"one", b"two", b"one", b""))
    assert [journal.kept(digest) for digest in digests] == [b"one", b"two", b"one", b""]
    assert database.rows("SELECT count(*) FROM images") == [(3,)]
    assert database.rows("SELECT sha256 FROM doubtful") == []
    assert journal.keep_all(()) == []
