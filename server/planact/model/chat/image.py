"""A picture that goes with a message."""

import base64
import binascii
from typing import Literal, get_args

from planact.base.frozen_model import FrozenModel

MediaType = Literal["image/png", "image/jpeg", "image/gif", "image/webp"]

MAX_IMAGES = 8
"""So many go with one message."""

MAX_IMAGE_BYTES = 5_000_000
"""Largest image that providers accept."""

_BEGINS: tuple[tuple[MediaType, bytes], ...] = (
    ("image/png", b"\x89PNG\r\n\x1a\n"),
    ("image/jpeg", b"\xff\xd8\xff"),
    ("image/gif", b"GIF8"),
)


class Image(FrozenModel):
    """Its bytes are in base64, as requests carry them."""

    media_type: MediaType
    data: str

    @property
    def url(self) -> str:
        """As a `data:` URL."""
        return f"data:{self.media_type};base64,{self.data}"

    @property
    def problem(self) -> str:
        """Return the reason why the image can't be sent, or an empty string."""
        try:
            content = base64.b64decode(self.data, validate=True)
        except (binascii.Error, ValueError):
            return "is not in base64"
        if len(content) > MAX_IMAGE_BYTES:
            return f"has {len(content):,} bytes; at most {MAX_IMAGE_BYTES:,} can be sent"
        found = media_type_of(content)
        return "" if found == self.media_type else f"is {found or 'no image that models take'}, not {self.media_type}"


def media_type_of(content: bytes) -> MediaType | None:
    """Return the format that the first bytes show, or None."""
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for kind, begin in _BEGINS if content.startswith(begin)), None)


def image_of(content: bytes) -> Image:
    """The image in a file.

    Raises:
        ValueError: it is none that models take; the message says so.
    """
    kind = media_type_of(content)
    if kind is None:
        raise ValueError(f"it is none of {', '.join(get_args(MediaType))}")
    return Image(media_type=kind, data=base64.b64encode(content).decode("ascii"))
