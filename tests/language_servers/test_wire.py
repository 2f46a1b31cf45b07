"""Messages come in any pieces, and what is no message ends the talk."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planact.adapters.language_servers.wire import BrokenWire, MessageReader, framed
from planact.base.flood import FloodError

MESSAGES = [{"id": 1, "result": None}, {"method": "x", "params": {"text": "ä\r\n\r\nContent-Length: 3\r\n\r\n"}}]


@given(st.lists(st.integers(0, 200), max_size=12))
def test_messages_are_whole_however_they_are_torn(cuts: list[int]) -> None:
    data = b"".join(map(framed, MESSAGES))
    ends = sorted({0, len(data), *(min(cut, len(data)) for cut in cuts)})
    reader, found = MessageReader(), []
    for begin, end in pairwise(ends):
        found += list(reader.feed(data[begin:end]))
    assert found == [{"jsonrpc": "2.0", **message} for message in MESSAGES]


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"<!doctype html>" * 500, BrokenWire),
        (b"\r\n\r\n", BrokenWire),
        (b"Content-Length: -1\r\n\r\n", BrokenWire),
        (b"Content-Length: 1e3\r\n\r\n", BrokenWire),
        (b"Content-Length: 2\r\n\r\n[]", BrokenWire),
        (b"Content-Length: 3\r\n\r\n{]}", BrokenWire),
        (b"Content-Length: 100000\r\n\r\n" + b"[" * 100_000, BrokenWire),
        (b"Content-Length: 99999999\r\n\r\n", FloodError),
        (b"Content-Length: 2\r\n\r\n{}" * 10_001, FloodError),
    ],
)
def test_what_is_no_message_is_refused(data: bytes, error: type[Exception]) -> None:
    with pytest.raises(error):
        list(MessageReader().feed(data))


def test_a_header_may_say_more_than_the_length() -> None:
    body = json.dumps({"method": "x"}).encode()
    head = f"content-type: application/json\r\nCONTENT-LENGTH:{len(body)}\r\nX: y\r\n\r\n".encode()
    assert list(MessageReader().feed(head + body)) == [{"method": "x"}]
