"""litellm, loaded once for all forks of a process, which saves each one seconds of the processor.

How planact loads it is tested by the command itself, as in `tests/llm/test_isolation.py` and `tests/real`.
"""

import os

from planact.adapters.llm.litellm_model import LitellmLoader


def load_litellm() -> None:
    """Load it as planact does. From then on loaders of this process and its forks find it loaded."""
    before = dict(os.environ)
    first = LitellmLoader({})
    first._load()
    litellm = first._loaded.result()
    chosen = {name: text for name, text in os.environ.items() if before.get(name) != text}

    def give(self: LitellmLoader) -> None:
        os.environ.update(self.environment)
        os.environ.update(chosen)
        self._loaded.set_result(litellm)

    LitellmLoader._load = give  # type: ignore[method-assign]
