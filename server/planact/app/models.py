"""Language models by their names in the settings, through litellm, which is loaded when the first one is needed."""

from collections.abc import Mapping
from pathlib import Path

from planact.adapters.llm.editor_models import EditorModels, is_editor_model
from planact.adapters.llm.litellm_model import LitellmLoader, doubt_about
from planact.adapters.llm.model_table import ModelTable
from planact.adapters.llm.models import ModelSource, ProviderKeys
from planact.base.errors import ModelFailure
from planact.model.settings import Settings
from planact.policy.merge_settings import MergedSettings


class ModelServices:
    """The access to models of one process.

    Attributes:
        editor: those of the editor that is connected, if any.
    """

    def __init__(self, environment: Mapping[str, str], keys: ProviderKeys) -> None:
        self.editor = EditorModels()
        self._keys = keys
        self._loader = LitellmLoader(environment)
        self._table = ModelTable(keys)

    def source(self, root: Path, merged: MergedSettings) -> ModelSource:
        """Return the models of a folder with these settings."""
        return ModelSource(
            *(merged.settings.of_model, self._loader, self._table, root),
            keys=self._keys,
            editor=self.editor,
            unclear=merged.unclear,
        )

    def warm_up(self, settings: Settings) -> None:
        """Begin to load litellm in the background if a model that needs it is chosen."""
        names = {settings.model, settings.planner_model, settings.actor_model, settings.intent.model} - {""}
        if any(not (name.startswith("scripted:") or is_editor_model(name)) for name in names):
            self._loader.start()

    async def doubt_about(self, settings: Settings, model: str) -> str | None:
        """Check a model's name with litellm, which this loads: see `adapters.llm.litellm_model.doubt_about`."""
        if is_editor_model(model):
            hint = "Choose another model for the terminal"
            raise ModelFailure("MODEL_UNAVAILABLE", "only the editor that brings it can ask it", hint)
        return await doubt_about(model, settings.of_model(model).endpoint, self._loader)
