"""Leave out modules that litellm imports and no conversation needs. Applied before litellm is imported."""

import importlib.util
import sys
from typing import Any

from planact.adapters.llm.patches import tokenizers


def leave_out_tokenizers() -> None:
    """Put an empty package in the place of litellm's tokenizers."""
    sys.modules["litellm.litellm_core_utils.tokenizers"] = tokenizers


def leave_out_command_line() -> None:
    """Have httpx find its command line missing; httpx handles that, since its dependencies are optional."""
    sys.modules["httpx._main"] = None  # type: ignore[assignment]


def import_resources_late() -> None:
    """Run `openai.resources` when a name of the package is asked for, not when one of its modules is imported."""
    name = "openai.resources"
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
