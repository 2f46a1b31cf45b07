"""Images that the user pastes: checked, kept with the message, and sent to models that take them."""

import asyncio
import base64
from pathlib import Path
from typing import Any

import pytest

from planact.base.errors import InvalidInput
from planact.model.chat.image import MAX_IMAGES, Image, image_of
from planact.model.chat.language_model import LanguageModel
from planact.workflows.chat.send_message import send_message
from tests.fakes.world import PlayedModel
from tests.workflows.scene import SAID, Scene

PIXEL = b"\x89PNG\r\n\x1a\n" + b"\0" * 20
PNG = image_of(PIXEL)


def said(it: Scene, *images: Image) -> Any:
    return asyncio.run(asyncio.wait_for(send_message(it.ws, it.session_id, "What is this?", images), 180))


def test_an_image_is_kept_with_the_message_and_sent_in_every_request(tmp_path: Path) -> None:
    it = Scene(tmp_path, SAID, SAID)
    said(it, PNG)
    assert it.ws.ports.sessions.messages(it.session_id)[0].images == (PNG,)
    said(it)
    for request in it.world.model.requests:
        assert request.messages[2]["content"] == [
            {"type": "text", "text": "What is this?"},
            {"type": "image_url", "image_url": {"url": PNG.url}},
        ]


@pytest.mark.parametrize(
    ("images", "message"),
    [
        ([PNG] * (MAX_IMAGES + 1), "9 images are too many"),
        ([PNG, Image(media_type="image/png", data="not base64!")], "image 2 is not in base64"),
        ([Image(media_type="image/jpeg", data=PNG.data)], "image 1 is image/png, not image/jpeg"),
        (
            [Image(media_type="image/png", data=base64.b64encode(b"<svg/>").decode())],
            "image 1 is no image that models take, not image/png",
        ),
        ([image_of(PIXEL + b"\0" * 5_000_000)], "image 1 has 5,000,028 bytes; at most 5,000,000 can be sent"),
    ],
)
def test_what_can_not_be_sent_is_refused_and_nothing_is_said(tmp_path: Path, images: list[Image], message: str) -> None:
    it = Scene(tmp_path)
    with pytest.raises(InvalidInput) as caught:
        said(it, *images)
    assert caught.value.message == message
    assert it.ws.ports.sessions.messages(it.session_id) == ()


def test_a_model_known_to_take_none_is_named(tmp_path: Path) -> None:
    class Blind(PlayedModel):
        def about(self, name: str) -> LanguageModel:
            return LanguageModel(name=name, takes_images=False)

    it = Scene(tmp_path)
    object.__setattr__(it.ws.ports, "models", Blind(()))
    with pytest.raises(InvalidInput, match="the model played takes no images"):
        said(it, PNG)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (PIXEL, "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"GIF89a", "image/gif"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "image/webp"),
    ],
)
def test_an_image_is_known_by_how_it_begins(content: bytes, kind: str) -> None:
    assert image_of(content) == Image(media_type=kind, data=base64.b64encode(content).decode())  # type: ignore[arg-type]


def test_what_is_no_image_is_not_taken_for_one() -> None:
    with pytest.raises(ValueError, match="none of image/png, image/jpeg, image/gif, image/webp"):
        image_of(b"hello")
