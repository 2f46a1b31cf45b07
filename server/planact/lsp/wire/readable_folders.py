"""Workspace folders of messages from which some clients leave out what the protocol requires."""

from collections.abc import Mapping
from typing import Any


def with_readable_folders(said: Mapping[str, Any], *lists: str) -> dict[str, Any]:
    """Return `said` with the folders in these lists that have a URI, each with a name, which may be empty. A value that
    is no list stays as it is.
    """
    return {**said, **{name: _readable(said[name]) for name in lists if isinstance(said.get(name), list)}}


def _readable(folders: list[Any]) -> list[dict[str, str]]:
    found = [each for each in folders if isinstance(each, dict) and isinstance(each.get("uri"), str)]
    return [{"uri": each["uri"], "name": name if isinstance(name := each.get("name"), str) else ""} for each in found]
