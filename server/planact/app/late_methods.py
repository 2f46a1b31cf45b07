"""A patch of Python's dataclasses: methods of planact's, pydantic's and litellm's are compiled at their first use.

Python 3.11 and 3.12 compile up to six methods of each class when they define it, one by one, which takes a third of the
program's start, and a tenth of litellm's. A command or a server uses a tenth of them. Later versions compile those of a
class at once, and stay as they are.
"""

import dataclasses
from collections.abc import Callable, Sequence
from functools import cache, partial
from types import FunctionType
from typing import Any

_PACKAGES = {"annotated_types", "litellm", "planact", "pydantic"}


def compile_methods_late() -> None:
    """Have the methods of dataclasses that are defined from now on compiled at their first use."""
    compile_now = getattr(dataclasses, "_create_fn", None)
    if compile_now is None or isinstance(compile_now, partial):
        return
    setattr(dataclasses, "_create_fn", partial(_compile_late, compile_now))  # noqa: B010 (types know no private names)


def _compile_late(
    compile_now: Callable[..., FunctionType],
    name: str,
    parameters: Sequence[str],
    body: Sequence[str],
    *,
    globals: dict[str, Any] | None = None,
    locals: dict[str, Any] | None = None,
    **more: Any,
) -> "FunctionType | _LateMethod":
    """Return what dataclasses put into a class as its method; their other arguments are passed on."""
    named = None if locals is None else {**locals}  # which they go on to change
    build = cache(partial(compile_now, name, parameters, body, globals=globals, locals=named, **more))
    module = str((globals or {}).get("__name__"))
    return _LateMethod(name, module, build) if module.partition(".")[0] in _PACKAGES else build()


class _LateMethod:
    """Stands for a method in its class until its first use."""

    def __init__(self, name: str, module: str, build: Callable[[], FunctionType]) -> None:
        self.__name__, self.__module__, self.__doc__ = name, module, None
        self._build = build

    def __get__(self, instance: object, owner: type) -> Any:
        method = self._build()
        for kind in owner.__mro__:
            if vars(kind).get(self.__name__) is self:
                method.__qualname__ = f"{kind.__qualname__}.{self.__name__}"
                setattr(kind, self.__name__, method)
        return method.__get__(instance, owner)

    def __call__(self, *arguments: Any) -> Any:
        """Stand for it in `__repr__`, which dataclasses wrap."""
        return self._build()(*arguments)
