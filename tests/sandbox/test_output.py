import tracemalloc

import pytest

from planact.adapters.sandbox.runner.output import Output


def run(limit: int, *pieces: bytes) -> tuple[str, list[str]]:
    seen: list[str] = []
    output = Output(limit, seen.append)
    for piece in pieces:
        output.add(piece)
    output.add(b"", is_last=True)
    return output.text, seen


LEFT_OUT = "characters left out: narrow the command, as with rg or tail, to see them …]"


@pytest.mark.parametrize(
    ("limit", "pieces", "expected"),
    [
        (10, [b"0123456789"], "0123456789"),
        (10, [b"01234", b"56789"], "0123456789"),
        (10, [b"0123456789a"], f"01234\n[… 1 {LEFT_OUT}\n6789a"),
        (10, [b"0123", b"4567", b"89ab", b"cdef"], f"01234\n[… 6 {LEFT_OUT}\nbcdef"),
        (11, [b"0123456789abc"], f"012345\n[… 2 {LEFT_OUT}\n89abc"),
        (10, [], ""),
        (0, [b"abc"], f"\n[… 3 {LEFT_OUT}\n"),
        (10, [b"\xf0\x9f", b"\x99\x82"], "🙂"),
        (10, [b"a\xf0\x9f"], "a\ufffd"),
        (10, [b"\xff\xfea"], "\ufffd\ufffda"),
        (10, [b"\r\n\x1b[0m\0"], "\r\n\x1b[0m\0"),
    ],
)
def test_both_ends_are_kept(limit: int, pieces: list[bytes], expected: str) -> None:
    assert run(limit, *pieces)[0] == expected


def test_everything_up_to_the_limit_is_seen_as_it_comes() -> None:
    assert run(10, b"abc", b"", b"\xc3", b"\xa9") == ("abcé", ["abc", "é"])


def test_endless_output_takes_bounded_memory_and_floods_nobody() -> None:
    seen: list[int] = []
    output = Output(30_000, lambda text: seen.append(len(text)))
    tracemalloc.start()
    for _ in range(2_000):
        output.add(b"y\n" * 16_384)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2_000_000
    assert len(seen) < 200
    assert len(output.text) < 30_100
