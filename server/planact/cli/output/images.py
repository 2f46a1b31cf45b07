"""Images for a message, loaded from files."""

from pathlib import Path

from planact.base.errors import InvalidInput
from planact.model.chat.image import Image, image_of


def load_image(path: Path) -> Image:
    """Load the image in a file.

    Raises:
        InvalidInput: INVALID_ARGUMENTS, for a file that is missing or no image.
    """
    try:
        return image_of(path.read_bytes())
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InvalidInput("INVALID_ARGUMENTS", f"{path} can't be sent: {reason}", "Name an image.") from error
