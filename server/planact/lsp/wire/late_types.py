"""A patch of `lsprotocol`'s import: each of its 550 types is completed at its first use.

A session uses about eighty of them; completing all takes a third of the server's start and of its memory, since attrs
writes and compiles the methods of a class when it decorates it. With the patch, attrs is called with the class's first
instance, or the first question about its fields.
"""

import sys
import threading
from collections.abc import Callable
from typing import Any

import attrs

LSPROTOCOL = "2025.0.0"
"""The version of lsprotocol whose import is patched here, and whose private `_hooks` is told so."""


def import_lsp_types() -> None:
    """Import `lsprotocol` with late types; one that was imported before stays as it is."""
    if "lsprotocol.types" in sys.modules:
        return
    complete = attrs.define
    lock = threading.RLock()

    def define(kind: type) -> type:
        def build() -> None:
            with lock:
                if isinstance(vars(kind)["__init__"], _Late):
                    # Without slots, since with them it would be another class than the one that was imported.
                    complete(kind, slots=False, init=True)
                    attrs.resolve_types(kind, types.ALL_TYPES_MAP, {})

        for name in ("__init__", "__attrs_attrs__"):
            setattr(kind, name, _Late(name, build))
        return kind

    attrs.define = define  # type: ignore[assignment]
    try:
        from lsprotocol import types
    finally:
        attrs.define = complete
    from lsprotocol import _hooks

    _hooks._resolved_forward_references = True  # noqa: SLF001 - each type's are, once it is completed


class _Late:
    """Stands for an attribute of a class until its first use."""

    def __init__(self, name: str, build: Callable[[], None]) -> None:
        self._name = name
        self._build = build

    def __get__(self, instance: object, owner: type) -> Any:
        self._build()
        return getattr(owner if instance is None else instance, self._name)
