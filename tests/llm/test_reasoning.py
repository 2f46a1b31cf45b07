"""Reasoning in a stream: in tags before the text, and in blocks that providers want back."""

from types import SimpleNamespace
from typing import Any

import pytest

from planact.adapters.llm.reasoning import ReasoningBlocks, ThinkTags, without_begun_thought


def split(*pieces: str) -> tuple[str, str]:
    """Return the reasoning and the text of a stream in these pieces."""
    tags = ThinkTags()
    deltas = [delta for piece in pieces for delta in tags.split(piece)] + list(tags.rest())
    assert all(delta.text for delta in deltas)
    thought = "".join(delta.text for delta in deltas if delta.is_reasoning)
    return thought, "".join(delta.text for delta in deltas if not delta.is_reasoning)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<think>Hm.</think>\n\nHello", ("Hm.", "Hello")),
        ("\n<thinking>Hm, <b>.</thinking>Hello\n", ("Hm, <b>.", "Hello\n")),
        ("<think></think>Hello", ("", "Hello")),
        ("<think>never ended", ("never ended", "")),
        ("Hello", ("", "Hello")),
        ("<th", ("", "<th")),
        ("<table>", ("", "<table>")),
        ("Write `<think>x</think>` so", ("", "Write `<think>x</think>` so")),
        ("<think>a</think>b <think>c</think>", ("a", "b <think>c</think>")),
    ],
)
def test_tags_at_the_beginning_hold_reasoning_however_they_are_cut(text: str, expected: tuple[str, str]) -> None:
    assert split(text) == expected
    assert split(*text) == expected
    for at in range(1, len(text)):
        assert split(text[:at], text[at:]) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hm.\nSo:\n</think>\n\nHello", ("Hm.\nSo:", "Hello")),
        ("</think>\nHello", ("", "Hello")),
        ("Hm.\n</thinking>", ("Hm.", "")),
        ("Hello", ("", "Hello")),
        ("It ends with `</think>`\nthere", ("", "It ends with `</think>`\nthere")),
        ("As in\n```\n</think>\n```\nHello", ("", "As in\n```\n</think>\n```\nHello")),
        ("One writes <think>\nx\n</think>\nthen", ("", "One writes <think>\nx\n</think>\nthen")),
    ],
)
def test_an_end_without_its_beginning_ends_a_thought(text: str, expected: tuple[str, str]) -> None:
    assert without_begun_thought(text) == expected


def blocks_of(*deltas: dict[str, Any], call_ids: tuple[str, ...] = ()) -> list[Any]:
    blocks = ReasoningBlocks()
    for delta in deltas:
        blocks.add(SimpleNamespace(**delta))
    return list(blocks.blocks(call_ids))


def test_pieces_of_a_detail_are_joined_up_to_its_signature() -> None:
    def text(**more: Any) -> dict[str, Any]:
        return {"reasoning_details": [{"type": "reasoning.text", "index": 0, "format": "f", **more}]}

    joined = {"type": "reasoning.text", "index": 0, "format": "f", "text": "Hm, hm.", "signature": "S"}
    later = {"type": "reasoning.text", "index": 0, "format": "f", "text": "Oh."}
    assert blocks_of(text(text="Hm, "), text(text="hm."), text(signature="S"), text(text="Oh.")) == [joined, later]


def test_encrypted_details_stay_apart() -> None:
    one, other = ({"type": "reasoning.encrypted", "data": data, "index": 0} for data in "ab")
    assert blocks_of({"reasoning_details": [one]}, {"reasoning_details": [other]}) == [one, other]


def test_items_lose_their_id_and_go_without_encryption() -> None:
    item = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "E"}
    bare = {"type": "reasoning", "id": "rs_2", "summary": [], "encrypted_content": None}
    assert blocks_of({"reasoning_items": [item, bare]}) == [
        {"type": "reasoning", "summary": [], "encrypted_content": "E"}
    ]


def test_a_signature_that_a_call_carries_is_not_kept_twice() -> None:
    signed = {"provider_specific_fields": {"thought_signatures": ["A", "B"]}}
    assert blocks_of(signed, call_ids=("call_1__thought__B",)) == [{"type": "thought_signature", "signature": "A"}]
    assert blocks_of(signed)[-1]["signature"] == "B"
