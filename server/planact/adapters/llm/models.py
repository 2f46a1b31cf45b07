"""Where models come from: `scripted:FILE` is played from a file, any other name goes to litellm.

Importing this imports neither; litellm begins to load when a model of its is opened.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from planact.adapters.llm.litellm_model import LitellmLoader, LitellmModel
from planact.adapters.llm.scripted import ScriptedModel
from planact.base.errors import ModelFailure
from planact.ports import Model

_SCRIPTED = "scripted:"


class ModelSource:
    """Implements `ports.Models`. A script's path is relative to `folder`."""

    def __init__(self, endpoint: str, parameters: Mapping[str, Any], loader: LitellmLoader, folder: Path) -> None:
        self._endpoint = endpoint
        self._parameters = parameters
        self._loader = loader
        self._folder = folder
        self._scripted: dict[str, ScriptedModel] = {}

    def open(self, name: str) -> Model:
        """See `ports.Models`. Raises InvalidInput CONFIG_INVALID for a script that can't be used."""
        if not name:
            raise ModelFailure(
                "MODEL_NOT_CHOSEN",
                "no model is chosen",
                "Name one in the setting `model` or as PLANACT_MODEL, such as anthropic/claude-sonnet-4-5, and put its "
                "key into the environment, there ANTHROPIC_API_KEY",
            )
        if name.startswith(_SCRIPTED):
            # Kept, since a script may fail a number of times and then succeed.
            if name not in self._scripted:
                self._scripted[name] = ScriptedModel.load(self._folder / name.removeprefix(_SCRIPTED))
            return self._scripted[name]
        self._loader.start()
        return LitellmModel(name, self._endpoint, self._parameters, self._loader)
