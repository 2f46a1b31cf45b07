"""Images that the agent looks at: told with their size, kept once, and sent to models that see."""

import asyncio
import base64
from pathlib import Path
from typing import Any

import pytest

from planact.agent.context import COMPACTION, RequestMessages, request_messages, tokens_of
from planact.model.chat.image import MAX_IMAGE_BYTES, picture_of
from planact.model.chat.language_model import LanguageModel
from planact.model.chat.message import Message
from planact.workflows.chat.send_message import send_message
from tests.fakes.png import png_file
from tests.fakes.world import PlayedModel, call, calls
from tests.workflows.scene import SAID, Scene

LOOK = calls(call("read_file", path="a.png"))
AGAIN = calls(call("read_file", "again", path="b.png"))
SMALL = png_file(640, 480)


class Blind(PlayedModel):
    def about(self, name: str) -> LanguageModel:
        return LanguageModel(name=name, takes_images=False)


def look(root: Path, *turns: Any, content: bytes = SMALL, is_blind: bool = False) -> Scene:
    for name in ("a.png", "b.png"):
        (root / name).write_bytes(content)
    it = Scene(root, *(turns or (LOOK, SAID)))
    if is_blind:
        blind = Blind(turns or (LOOK, SAID))
        object.__setattr__(it.ws.ports, "models", blind)
        it.world.model = blind
    asyncio.run(asyncio.wait_for(send_message(it.ws, it.session_id, "What does a.png show?"), 180))
    return it


def results(it: Scene, request: int = -1) -> list[Any]:
    return [each["content"] for each in it.world.model.requests[request].messages if each["role"] == "tool"]


def test_an_image_is_shown_to_the_model_and_told_to_the_user_by_its_size(tmp_path: Path) -> None:
    it = look(tmp_path)
    told = f"a.png: image/png, 640×480, {len(SMALL):,} bytes"
    url = f"data:image/png;base64,{base64.b64encode(SMALL).decode()}"
    assert results(it) == [[{"type": "text", "text": told}, {"type": "image_url", "image_url": {"url": url}}]]
    said = [message for message in it.ws.ports.sessions.messages(it.session_id) if message.role == "tool"]
    assert [message.content for message in said] == [told]
    assert base64.b64encode(SMALL).decode()[:40] not in said[0].model_dump_json()


def test_its_bytes_are_kept_once(tmp_path: Path) -> None:
    it = look(tmp_path, LOOK, AGAIN, SAID)
    pictures = [each for message in it.ws.ports.sessions.messages(it.session_id) for each in message.pictures]
    assert len(pictures) == 2
    assert {each.sha256 for each in pictures} == {pictures[0].sha256}
    assert it.ws.ports.journal.kept(pictures[0].sha256) == SMALL
    assert len(results(it)) == 2
    assert all(len(result) == 2 for result in results(it))


def test_each_request_begins_as_the_one_before_also_when_the_session_is_loaded_anew(tmp_path: Path) -> None:
    it = look(tmp_path, LOOK, AGAIN, SAID)
    *_, before, last = it.world.model.requests
    assert last.messages[: len(before.messages)] == before.messages
    transcript = it.ws.ports.sessions.messages(it.session_id)
    anew = RequestMessages("played", it.ws.ports.journal.kept).of(str(last.messages[0]["content"]), transcript)
    assert anew[: len(last.messages)] == last.messages


def test_a_model_that_sees_none_is_told_so(tmp_path: Path) -> None:
    it = look(tmp_path, is_blind=True)
    assert results(it) == [f"a.png: image/png, 640×480; you can't see images, {len(SMALL):,} bytes"]


def test_an_image_whose_bytes_are_gone_leaves_its_text(tmp_path: Path) -> None:
    it = look(tmp_path)
    shaped = RequestMessages("played", lambda _: None).shape(it.ws.ports.sessions.messages(it.session_id))
    assert [each["content"] for each in shaped if each["role"] == "tool"] == [
        f"a.png: image/png, 640×480, {len(SMALL):,} bytes"
    ]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (SMALL[:16], "a.png is a broken image/png"),
        (png_file(8_001, 1), "a.png has 8001×1 pixels; at most 8,000 on a side can be sent"),
        (SMALL + bytes(MAX_IMAGE_BYTES), f"a.png has {MAX_IMAGE_BYTES + len(SMALL):,} bytes; at most 5,000,000"),
        (b"\0\1", "a.png is a binary file"),
    ],
)
def test_what_can_not_be_shown_is_told(tmp_path: Path, content: bytes, told: str) -> None:
    it = look(tmp_path, content=content)
    assert told in str(results(it)[0])
    assert not any(message.pictures for message in it.ws.ports.sessions.messages(it.session_id))


def test_an_image_is_known_by_its_bytes_and_svg_is_text(tmp_path: Path) -> None:
    (tmp_path / "picture").write_bytes(SMALL)
    (tmp_path / "a.svg").write_text("<svg/>\n")
    both = calls(call("read_file", "1", path="picture"), call("read_file", "2", path="a.svg"))
    it = look(tmp_path, both, SAID)
    assert results(it)[0][0]["text"].startswith("picture: image/png, 640×480")
    assert str(results(it)[1]).endswith("1\t<svg/>")


WEBP = {
    "extended": b"VP8X" + bytes(8) + (639).to_bytes(3, "little") + (479).to_bytes(3, "little"),
    "lossless": b"VP8L" + bytes(4) + b"\x2f" + (639 | 479 << 14).to_bytes(4, "little"),
    "lossy": b"VP8 " + bytes(7) + b"\x9d\x01\x2a" + (640).to_bytes(2, "little") + (480).to_bytes(2, "little"),
}
JPEG = b"\xff\xd8\xff\xe0\x00\x04ab\xff\xc4\x00\x02\xff\xc2\x00\x0b\x08\x01\xe0\x02\x80\x01\x01\x11\x00"


@pytest.mark.parametrize(
    "content",
    [SMALL, b"GIF89a\x80\x02\xe0\x01", JPEG, *(b"RIFF\0\0\0\0WEBP" + each for each in WEBP.values())],
)
def test_the_size_of_each_kind_is_read_from_its_head(content: bytes) -> None:
    picture = picture_of(content)
    assert (picture.width, picture.height) == (640, 480)
    for end in range(len(content) - 1):
        try:
            picture_of(content[:end])
        except ValueError:
            continue


def test_a_compaction_leaves_images_out_where_results_are_cut_shorter_than_one(tmp_path: Path) -> None:
    it = look(tmp_path)
    messages = list(it.ws.ports.sessions.messages(it.session_id))
    first = next(message.id for message in messages if message.role == "assistant")
    tokens = []
    for limit in (8_000, 1_000):
        metadata = {"for_model": True, COMPACTION: {"keeps_from": first, "results": limit}}
        made = Message(id="z", session_id=it.session_id, role="system", content="so far", metadata=metadata)
        tokens.append(tokens_of(*request_messages("", [*messages, made])))
    assert tokens[0] - tokens[1] > 1_500
