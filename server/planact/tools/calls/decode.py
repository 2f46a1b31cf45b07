"""First station of the gate: find the tool that a call names, and check the arguments."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from planact.model.chat.message import ToolCall
from planact.model.rights.permission import Rights
from planact.policy.rights import may_use
from planact.tools.calls.meant import asks_to_go_on, find_tool, read_as_meant
from planact.tools.tool import Args, Tool
from planact.tools.tool_result import Failed

_MOST_PROBLEMS = 5
"""Problems of the arguments that the model is told at once."""


@dataclass(frozen=True, slots=True)
class DecodedCall:
    """A call of a tool that exists, with arguments that fit its schema.

    Attributes:
        call: as it was made, or with the name and arguments that were meant.
        notes: what was read otherwise than it was sent, for the model.
        held_back: what its command wanted on trial or contained and didn't get; empty = it had all, or wasn't run.
        opens: absolute paths that its command is given on trial.
        is_held_in_act: the jail of approved commands held its command back.
    """

    call: ToolCall
    tool: Tool[Any]
    args: Args
    notes: tuple[str, ...] = ()
    held_back: str = ""
    opens: tuple[str, ...] = ()
    is_held_in_act: bool = False


def decode_call(call: ToolCall, tools: Mapping[str, Tool[Any]], rights: Rights | None = None) -> DecodedCall | Failed:
    """Return the decoded call; Failed = UNKNOWN_TOOL or INVALID_ARGUMENTS. Only tools that `rights` cover are named."""
    tool = find_tool(call.name, tools)
    if tool is None:
        offered = [name for name in tools if rights is None or may_use(rights, name)]
        near = difflib.get_close_matches(call.name, offered, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"The tools are {', '.join(offered)}."
        return Failed("UNKNOWN_TOOL", f"no tool named {call.name!r}", hint)
    notes = () if call.name == tool.name else (f"`{call.name}` is `{tool.name}` here",)
    meant = call.model_copy(update={"name": tool.name})
    try:
        return DecodedCall(meant, tool, tool.args.model_validate_json(call.arguments or "{}"), notes)
    except ValidationError as error:
        return _decode_as_meant(meant, tool, notes, error)


def _decode_as_meant(
    call: ToolCall, tool: Tool[Any], notes: tuple[str, ...], error: ValidationError
) -> DecodedCall | Failed:
    """Return the call with the arguments that were meant, else what doesn't fit in these, or as they were sent."""
    meant = read_as_meant(tool, call.arguments)
    if meant is None:
        return _unfit(tool, error)
    try:
        args = tool.args.model_validate_json(meant.arguments)
    except ValidationError as left:
        return _unfit(tool, left)
    return DecodedCall(call.model_copy(update={"arguments": meant.arguments}), tool, args, (*notes, *meant.notes))


def _unfit(tool: Tool[Any], error: ValidationError) -> Failed:
    problems = "; ".join(
        f"{'.'.join(map(str, problem['loc'])) or 'arguments'}: {problem['msg']}"
        for problem in error.errors()[:_MOST_PROBLEMS]
    )
    hint = f"Call {tool.name} again with arguments that fit its schema."
    if any(asks_to_go_on(str(key)) for problem in error.errors() for key in problem["loc"]):
        hint = f"start_command starts a command that goes on beside the work. {hint}"
    return Failed("INVALID_ARGUMENTS", f"the arguments of {tool.name} don't fit: {problems}", hint)
