"""litellm, imported and warm, once for each module."""

from tests.llm.conftest import loader

__all__ = ["loader"]
