"""Seams to language models."""

from collections.abc import AsyncIterator, Sequence
from typing import Protocol

from planact.model.language_model import LanguageModel
from planact.model.reply import ModelRequest, Reply, TextDelta


class Model(Protocol):
    """A language model that can call tools."""

    def stream(self, request: ModelRequest) -> AsyncIterator[TextDelta | Reply]:
        """Stream the answer to `request`; closing the iterator ends the connection.

        Raises:
            ModelFailure: with the code of the cause; `is_transient` where a retry may help.
        """
        ...


class Models(Protocol):
    """Where models come from."""

    def open(self, name: str) -> Model:
        """The model called `name`, without connecting to it.

        Raises:
            ModelFailure: MODEL_NOT_CHOSEN. InvalidInput: CONFIG_INVALID for a script that can't be used.
        """
        ...

    def about(self, name: str) -> LanguageModel:
        """What is known of the model called `name`; nothing is loaded or connected to for it."""
        ...

    def list(self) -> Sequence[LanguageModel]:
        """The models that are known by name. There may be others."""
        ...
