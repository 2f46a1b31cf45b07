"""LSP features, one module per method, each with `register(server)` that is named here."""

from collections.abc import Callable
from typing import Any

FEATURES: tuple[Callable[[Any], None], ...] = ()
