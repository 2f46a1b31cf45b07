"""Images that go with a message, from files."""

from pathlib import Path

from planact.base.errors import InvalidInput
from planact.model.image import Image, image_of


def picture(path: Path) -> Image:
    """The image in a file. Raises InvalidInput INVALID_ARGUMENTS where there is none."""
    try:
        return image_of(path.read_bytes())
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InvalidInput("INVALID_ARGUMENTS", f"{path} can't be sent: {reason}", "Name an image.") from error
