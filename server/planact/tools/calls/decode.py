"""First station of the gate: find the tool that a call names, and check the arguments."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from planact.model.chat.message import ToolCall
from planact.tools.tool import Args, Tool
from planact.tools.tool_result import Failed

_MOST_PROBLEMS = 5
"""Problems of the arguments that the model is told at once."""


@dataclass(frozen=True, slots=True)
class DecodedCall:
    """A call of a tool that exists, with arguments that fit its schema."""

    call: ToolCall
    tool: Tool[Any]
    args: Args


def decode_call(call: ToolCall, tools: Mapping[str, Tool[Any]]) -> DecodedCall | Failed:
    """Return the decoded call; Failed = UNKNOWN_TOOL or INVALID_ARGUMENTS."""
    tool = tools.get(call.name)
    if tool is None:
        near = difflib.get_close_matches(call.name, tools, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"The tools are {', '.join(tools)}."
        return Failed("UNKNOWN_TOOL", f"no tool named {call.name!r}", hint)
    try:
        return DecodedCall(call, tool, tool.args.model_validate_json(call.arguments or "{}"))
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(map(str, problem['loc'])) or 'arguments'}: {problem['msg']}"
            for problem in error.errors()[:_MOST_PROBLEMS]
        )
        hint = f"Call {tool.name} again with arguments that fit its schema."
        return Failed("INVALID_ARGUMENTS", f"the arguments of {tool.name} don't fit: {problems}", hint)
