"""Images in files, for models that see."""

from planact.base.errors import InvalidInput
from planact.model.chat.image import media_type_of
from planact.tools.permits.permit import Permit

_SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".webp")


async def read_image(path: str, permit: Permit, *, is_binary: bool = False) -> str | None:
    """Show the image in a file, and return what it is; None where it is none. What isn't known to be binary is only
    read where its name says that it is an image.

    Raises:
        InvalidInput: FILE_UNREADABLE, where it can't be shown.
    """
    if not (is_binary or path.lower().endswith(_SUFFIXES)):
        return None
    content = await permit.read_bytes(path)
    if media_type_of(content) is None:
        return None
    try:
        shown = await permit.show_picture(content)
    except ValueError as error:
        hint = "Ask the user for a smaller or another image."
        raise InvalidInput("FILE_UNREADABLE", f"{path} {error}", hint) from error
    return f"{path}: {shown}, {len(content):,} bytes"
