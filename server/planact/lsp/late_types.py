"""LSP's 550 types, each completed when it is first used: a session needs some eighty, and all of them would be a third
of the time that the server takes to start, and of its memory.

attrs writes and compiles the methods of a class when it decorates it. Here the class stands at once, under its name,
and attrs is called with its first instance, or the first question about its fields.
"""

import sys
import threading
from collections.abc import Callable
from typing import Any

import attrs


def import_lsp_types() -> None:
    """Import `lsprotocol` that way; where it was imported before, it stays as it is."""
    if "lsprotocol.types" in sys.modules:
        return
    complete = attrs.define
    lock = threading.RLock()

    def define(kind: type) -> type:
        def build() -> None:
            with lock:
                if isinstance(vars(kind)["__init__"], _Late):
                    # Without slots, since with them it would be another class than the one that everybody has by now.
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
    """Stands for an attribute of a class until somebody wants it."""

    def __init__(self, name: str, build: Callable[[], None]) -> None:
        self._name = name
        self._build = build

    def __get__(self, instance: object, owner: type) -> Any:
        self._build()
        return getattr(owner if instance is None else instance, self._name)
