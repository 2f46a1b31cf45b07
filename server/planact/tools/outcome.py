"""How a tool call ended, and how the model is told."""

import json
from dataclasses import dataclass
from typing import Literal

from planact.model.permission import Mode


@dataclass(frozen=True, slots=True)
class Done:
    """It did what it says."""

    text: str

    def for_model(self) -> str:
        """The text as it is."""
        return self.text


@dataclass(frozen=True, slots=True)
class Refused:
    """It was not run, by policy or because the user said no; or its jail held it back, and `output` is what it said."""

    code: str
    tool: str
    mode: Mode
    message: str
    hint: str = ""
    layer: Literal["policy", "user", "sandbox"] = "policy"
    stops: bool = False
    output: str = ""

    def for_model(self) -> str:
        """The structured error of refusals."""
        error = {
            "code": self.code,
            "mode": self.mode.value,
            "tool": self.tool,
            "layer": self.layer,
            "message": self.message,
            "hint": self.hint,
        }
        if self.output:
            error["output"] = self.output
        return json.dumps({"error": error}, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Failed:
    """It was run, or could not be, and the model can mend it."""

    code: str
    message: str
    hint: str = ""

    def for_model(self) -> str:
        """Code, cause and next step."""
        return json.dumps(
            {"error": {"code": self.code, "message": self.message, "hint": self.hint}}, ensure_ascii=False
        )


Outcome = Done | Refused | Failed
