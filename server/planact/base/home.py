"""The user's home folder."""

from collections.abc import Mapping
from pathlib import Path

from planact.base.errors import InvalidInput


def home_of(environment: Mapping[str, str]) -> Path:
    """Return the user's home folder.

    Raises:
        InvalidInput: CONFIG_INVALID, when neither `HOME` nor the system names one.
    """
    try:
        return Path(environment.get("HOME") or Path.home())
    except RuntimeError as error:
        hint = "Set HOME to a folder that you can write."
        raise InvalidInput("CONFIG_INVALID", "your home folder is unknown: HOME is not set", hint) from error
