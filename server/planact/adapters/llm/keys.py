"""The keys of model providers: those of the environment, and those that the user handed over while planact runs.

What was handed over is in no environment, not even this process's own, so that no program that is started can read it.
"""

from collections.abc import Iterator, Mapping

from planact.model.language_model import key_variable


class ProviderKeys(Mapping[str, str]):
    """By the variables that usually hold them; a key that was handed over counts more than the environment's."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._handed: dict[str, str] = {}

    def hand_over(self, variable: str, key: str) -> None:
        """Keep a key until the process ends; an empty one forgets it."""
        self._handed[variable] = key

    def handed(self, model: str) -> str:
        """The key for a model that was handed over, or empty."""
        return self._handed.get(key_variable(model), "")

    def __getitem__(self, variable: str) -> str:
        return self._handed.get(variable) or self._environment[variable]

    def __iter__(self) -> Iterator[str]:
        return iter({**self._environment, **self._handed})

    def __len__(self) -> int:
        return len({**self._environment, **self._handed})
