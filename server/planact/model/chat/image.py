"""A picture that goes with a message."""

import base64
import binascii
import struct
from collections.abc import Iterator
from contextlib import suppress
from typing import Literal, get_args

from planact.base.frozen_model import FrozenModel

MediaType = Literal["image/png", "image/jpeg", "image/gif", "image/webp"]

MAX_IMAGES = 8
"""So many go with one message."""

MAX_IMAGE_BYTES = 5_000_000
"""Largest image that providers accept."""

MAX_IMAGE_SIDE = 8_000
"""Pixels; providers refuse larger ones."""

_BEGINS: tuple[tuple[MediaType, bytes], ...] = (
    ("image/png", b"\x89PNG\r\n\x1a\n"),
    ("image/jpeg", b"\xff\xd8\xff"),
    ("image/gif", b"GIF8"),
)


class Image(FrozenModel):
    """Its bytes are in base64, as requests carry them."""

    media_type: MediaType
    data: str

    @classmethod
    def of(cls, media_type: MediaType, content: bytes) -> "Image":
        return cls(media_type=media_type, data=base64.b64encode(content).decode("ascii"))

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


class KeptImage(FrozenModel):
    """An image of a tool's result, whose bytes are kept by their SHA-256 in hex, once for all messages."""

    media_type: MediaType
    sha256: str
    width: int
    height: int

    def __str__(self) -> str:
        return f"{self.media_type}, {self.width}×{self.height}"


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
    return Image.of(kind, content)


def picture_of(content: bytes) -> KeptImage:
    """Return an image that models take, and that isn't kept yet.

    Raises:
        ValueError: it is none, broken or too large; the message says so.
    """
    kind = media_type_of(content)
    if kind is None:
        raise ValueError(f"is none of {', '.join(get_args(MediaType))}")
    if len(content) > MAX_IMAGE_BYTES:
        raise ValueError(f"has {len(content):,} bytes; at most {MAX_IMAGE_BYTES:,} can be sent")
    width, height = _size(kind, content)
    if not (width and height):
        raise ValueError(f"is a broken {kind}")
    if max(width, height) > MAX_IMAGE_SIDE:
        raise ValueError(f"has {width}×{height} pixels; at most {MAX_IMAGE_SIDE:,} on a side can be sent")
    return KeptImage(media_type=kind, sha256="", width=width, height=height)


def _size(kind: MediaType, content: bytes) -> tuple[int, int]:
    """Return width and height by the head of an image, without decoding it; zeros where it has none."""
    with suppress(struct.error):
        match kind:
            case "image/png":
                return struct.unpack_from(">II", content, 16)
            case "image/gif":
                return struct.unpack_from("<HH", content, 6)
            case "image/jpeg":
                return next(_frames(content), (0, 0))
            case "image/webp":
                return _size_of_webp(content)
    return 0, 0


def _frames(content: bytes) -> Iterator[tuple[int, int]]:
    at = 2
    while content[at : at + 1] == b"\xff":
        marker, length = struct.unpack_from(">xBH", content, at)
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", content, at + 5)
            yield width, height
        at += 2 + length


def _size_of_webp(content: bytes) -> tuple[int, int]:
    match content[12:16]:
        case b"VP8X":
            return 1 + int.from_bytes(content[24:27], "little"), 1 + int.from_bytes(content[27:30], "little")
        case b"VP8L":
            (bits,) = struct.unpack_from("<I", content, 21)
            return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
        case b"VP8 ":
            width, height = struct.unpack_from("<HH", content, 26)
            return width & 0x3FFF, height & 0x3FFF
    return 0, 0
