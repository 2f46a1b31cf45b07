"""Leaves out what is imported with litellm and isn't needed: of OpenAI's client all that is no conversation, and the
command line of httpx, together a fifth of the time and 30 MB; and a tokenizer, which held up other threads the longest.

This package stands for litellm's package of tokenizers. Of its 1.8 MB of JSON all would be read and written anew, for a
count of tokens that is turned off.
"""

import importlib.util
import sys
from typing import Any


def leave_out() -> None:
    """To be called before litellm is imported."""
    sys.modules["litellm.litellm_core_utils.tokenizers"] = sys.modules[__name__]
    sys.modules["httpx._main"] = None  # type: ignore[assignment]  # it knows that what this draws with may be missing
    _import_late("openai.resources")  # 435 modules


def _import_late(name: str) -> None:
    """Have a package run when it is asked for a name, and not when one of its modules is imported."""
    spec = importlib.util.find_spec(name)
    if name in sys.modules or spec is None or spec.loader is None:
        return
    loader, package = spec.loader, importlib.util.module_from_spec(spec)

    def run(asked: str) -> Any:
        del package.__getattr__
        loader.exec_module(package)
        return getattr(package, asked)

    package.__getattr__ = run  # type: ignore[method-assign]
    sys.modules[name] = package
