"""Models by name: `scripted:FILE` plays a file, `vscode/…` is the editor's, all other names go to litellm.

This module imports neither the player of scripts nor litellm, which begins to load when a model of its is opened.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path

from planact.adapters.llm.editor_models import EditorModel, EditorModels, is_editor_model
from planact.adapters.llm.effort import Effort
from planact.adapters.llm.known_names import litellm_providers
from planact.adapters.llm.learning_model import ModelAbilities
from planact.adapters.llm.litellm_model import IDLE_SECONDS, LitellmLoader, LitellmModel
from planact.adapters.llm.model_table import ModelTable
from planact.base.errors import InvalidInput, ModelFailure
from planact.model.chat.language_model import DEMO_MODEL, EDITOR_PROVIDER, LanguageModel, key_variable
from planact.model.settings import ModelSettings
from planact.ports import Model


class ProviderKeys(Mapping[str, str]):
    """Keys by the variables that usually hold them; a key that the user entered wins over the environment's."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._handed: dict[str, str] = {}

    def hand_over(self, variable: str, key: str) -> None:
        """Keep a key until the process ends; an empty one removes it."""
        self._handed[variable] = key

    def handed(self, model: str) -> str:
        """Return the key that the user entered for a model, or empty."""
        return self._handed.get(key_variable(model), "")

    def __getitem__(self, variable: str) -> str:
        return self._handed.get(variable) or self._environment[variable]

    def __iter__(self) -> Iterator[str]:
        return iter({**self._environment, **self._handed})

    def __len__(self) -> int:
        return len({**self._environment, **self._handed})


_SCRIPTED = "scripted:"
_DEMO = Path(__file__).with_name("demo.yaml")


class ModelSource:
    """`ports.Models`. `settings_of` returns the user's settings for a model; a script's path is relative to `folder`.
    `keys` holds the keys that the user entered. With settings of theirs that are `unclear`, none is opened.
    """

    def __init__(
        self,
        settings_of: Callable[[str], ModelSettings],
        loader: LitellmLoader,
        table: ModelTable,
        folder: Path,
        *,
        keys: ProviderKeys | None = None,
        editor: EditorModels | None = None,
        idle_seconds: float = IDLE_SECONDS,
        unclear: str = "",
    ) -> None:
        self._unclear = unclear
        self._settings_of = settings_of
        self._loader = loader
        self._table = table
        self._folder = folder
        self._keys = keys or ProviderKeys({})
        self._editor = editor or EditorModels()
        self._idle_seconds = idle_seconds
        self._scripted: dict[str, Model] = {}
        self._abilities: dict[str, ModelAbilities] = {}

    def open(self, name: str) -> Model:
        """Return the model. Raises InvalidInput CONFIG_INVALID for unclear settings and an unusable script."""
        if self._unclear:
            raise InvalidInput("CONFIG_INVALID", self._unclear, "Correct it: until then nothing is sent to a model")
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
                from planact.adapters.llm.scripted import ScriptedModel

                path = _DEMO if name == DEMO_MODEL else self._folder / name.removeprefix(_SCRIPTED)
                self._scripted[name] = ScriptedModel.load(path)
            return self._scripted[name]
        settings = self._settings_of(name)
        if is_editor_model(name):
            return EditorModel(name, self._editor, self._abilities_of(name, settings), self._idle_seconds)
        self._loader.start()
        key = self._keys.handed(name)
        parameters = {**({"api_key": key} if key else {}), **settings.parameters}
        known = self._table.about(name)
        effort = Effort(
            level=settings.reasoning_effort if known.reasons is not False else "",
            output_tokens=known.output_tokens,
            is_known=known.reasons is not None,
        )
        return LitellmModel(
            name,
            settings.endpoint,
            parameters,
            self._loader,
            idle_seconds=self._idle_seconds,
            abilities=self._abilities_of(name, settings),
            effort=effort,
        )

    def _abilities_of(self, name: str, settings: ModelSettings) -> ModelAbilities:
        if name not in self._abilities:
            takes_images = self.about(name).takes_images is not False
            self._abilities[name] = ModelAbilities(settings.tools == "auto", takes_images)
        return self._abilities[name]

    def about(self, name: str) -> LanguageModel:
        """Return the table's entry, or what the editor says of its models, with the user's settings over it."""
        settings = self._settings_of(name)
        if name.startswith(_SCRIPTED):
            known = LanguageModel(name=name, provider="scripted", calls_tools=True)
        else:
            known = (self._editor if is_editor_model(name) else self._table).about(name)
        update: dict[str, object] = {}
        if settings.context_tokens:
            update["context_tokens"] = settings.context_tokens
        if settings.images is not None:
            update["takes_images"] = settings.images
        return known.model_copy(update=update)

    def dearest(self, name: str) -> LanguageModel:
        """Return the dearest model of the provider that `name` begins with, or of all."""
        return self._table.dearest(name.partition("/")[0] if "/" in name else self.about(name).provider)

    def list(self) -> Sequence[LanguageModel]:
        return (*self._editor.list(), *self._table.list())

    def providers(self) -> Collection[str]:
        return litellm_providers() | {EDITOR_PROVIDER}
