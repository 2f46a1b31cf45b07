"""Commands, one module each, each with `register(server)` that is named here."""

from collections.abc import Callable
from typing import Any

COMMANDS: tuple[Callable[[Any], None], ...] = ()
