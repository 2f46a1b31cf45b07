"""What holds for kept outputs, real or fake."""

from planact.model.chat.message import Session
from tests.contracts.conftest import Stores


def test_an_output_is_read_by_its_session_until_that_is_deleted(stores: Stores) -> None:
    for name in ("s1", "s2"):
        stores.sessions.put(Session(id=name))
    output_id, kept = stores.outputs.keep("s1", "a\nkey sk-abcdefghijklmnopqrstuvwxyz\n\ud7ff🙂")
    other_id, _ = stores.outputs.keep("s2", "b")
    assert kept == "a\nkey [redacted]\n\ud7ff🙂"
    assert (stores.outputs.read("s1", output_id), stores.outputs.read("s2", other_id)) == (kept, "b")
    assert [stores.outputs.read("s2", name) for name in (output_id, "", "o", "o0", "x1", f"{output_id} ")] == [None] * 6
    stores.sessions.delete("s1")
    assert stores.outputs.read("s1", output_id) is None
    assert stores.outputs.read("s2", other_id) == "b"


def test_no_output_of_a_missing_session_is_kept(stores: Stores) -> None:
    assert stores.outputs.keep("nobody", "a") == ("", "a")
    assert stores.outputs.read("nobody", "o1") is None
