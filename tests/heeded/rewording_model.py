"""A model on this machine that asks and says nothing twice in the same words, as real models do after a restart."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from tests.cli.program import Program
from tests.fakes.loopback_model import Fault, LoopbackModel, Page, Say
from tests.heeded.killed_program import KilledProgram

MODEL = "openai/rewording"

Reword = Callable[[str], str]
"""Returns a text in other words each time."""

_OPENINGS = ("Before I go on", "To be sure", "Please tell me", "One thing is open")


class RewordingModel(LoopbackModel):
    """Passes each request to `answer`, together with `reword`."""

    def __init__(self, answer: Callable[[dict[str, Any], Reword], Say | Fault | Page]) -> None:
        self._said: Counter[str] = Counter()
        super().__init__(lambda request: answer(request, self.reword))

    def reword(self, text: str) -> str:
        """Return the text as it is the first time, and in other words each time after that."""
        number = self._said[text]
        self._said[text] += 1
        if not number:
            return text
        times = f" (asked {number + 1} times)" if number > len(_OPENINGS) else ""
        return f"{_OPENINGS[(number - 1) % len(_OPENINGS)]}{times}: {text[0].lower()}{text[1:]}"

    def is_asked(self, text: str) -> bool:
        """Return whether a text stands in any request so far."""
        return any(text in request.body.decode() for request in self.requests)

    def serve(self, program: Program | KilledProgram) -> None:
        """Have a program use this model, in all its processes."""
        program.variables |= {
            "OPENAI_API_KEY": "sk-test",
            "PLANACT_MODEL": MODEL,
            "PLANACT_MODEL_ENDPOINT": self.url,
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        }

    @property
    def settings(self) -> dict[str, str]:
        """The settings of an editor whose server is to use this model."""
        return {"model": MODEL, "modelEndpoint": self.url}
