"""Results of tool calls, and their text for the model."""

import json
from dataclasses import dataclass, replace
from typing import Literal, assert_never

from planact.model.chat.image import KeptImage
from planact.model.rights.permission import Mode


@dataclass(frozen=True, slots=True)
class Done:
    """The tool did its work; models that see get the `pictures`, too. What was cut is kept under the ids `outputs`."""

    text: str
    pictures: tuple[KeptImage, ...] = ()
    outputs: tuple[str, ...] = ()

    def for_model(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Refused:
    """The call was refused by policy or by the user, or its jail held its command back, which had printed `output`.

    `stops` = the user wants the turn to end; `held_back` = what the command wanted where it ran unasked, for
    people, and `openable` the path that has to be opened for it on trial.
    """

    code: str
    tool: str
    mode: Mode
    message: str
    hint: str = ""
    layer: Literal["policy", "user", "sandbox"] = "policy"
    stops: bool = False
    output: str = ""
    held_back: str = ""
    openable: str = ""

    def for_model(self) -> str:
        """Return the error as JSON."""
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
    """The call failed, before or while it ran; the model can mend it."""

    code: str
    message: str
    hint: str = ""

    def for_model(self) -> str:
        """Return code, cause and next step as JSON."""
        return json.dumps(
            {"error": {"code": self.code, "message": self.message, "hint": self.hint}}, ensure_ascii=False
        )


ToolResult = Done | Refused | Failed


def with_note(result: ToolResult, note: str) -> ToolResult:
    """Return a result that also tells the model `note`."""
    match result:
        case Done(text=text):
            return replace(result, text=f"{text}\n[planact] {note}")
        case Refused(hint=hint) | Failed(hint=hint):
            end = "." if hint and hint[-1] not in ".?!" else ""
            return replace(result, hint=f"{hint}{end} {note}".strip())
        case _:
            assert_never(result)


def with_comment(message: str, comment: str) -> str:
    """Return `message` with what the user wrote beside their answer."""
    return f"{message} They say: {comment}" if comment else message
