"""LSP features: one module per subject, each with `register(server)`. The folder is the list."""

from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

FEATURES: tuple[Callable[[Any], None], ...] = tuple(
    import_module(f"{__name__}.{module.name}").register for module in iter_modules(__path__)
)
