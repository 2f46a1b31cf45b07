"""Reads the configuration."""

import json
from pathlib import Path


def load(path):
    """The configuration in the file at `path`."""
    return json.loads(Path(path).read_text(encoding="utf-8"))
