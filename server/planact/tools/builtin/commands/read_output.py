"""Read on in what a started command says, or in an output that was too long for its result."""

import re

from pydantic import Field

from planact.base.errors import InvalidInput
from planact.model.rights.permission import Effect, OutputEffect, Permission, RunningEffect
from planact.policy.given_addresses import READING_ON
from planact.tools.permits.permit import Permit
from planact.tools.tool import Args, Tool

_COMMAND = re.compile(r"c[0-9]+")
"""The id of a started command; all others are those of kept outputs."""


class ReadOutputArgs(Args):
    """`wait` = seconds to wait for more, if there is none yet. Lines, counted from 1, and `search` are for outputs that
    were cut.
    """

    id: str = Field(description="as `start_command` returned it, or a result that was cut names it")
    wait: float = Field(default=0, ge=0, le=60, description="of a command: most seconds to wait for more")
    first_line: int = Field(default=1, ge=1, description="of a cut output, from 1")
    last_line: int | None = Field(default=None, ge=1, description="included; without it, as far as fits")
    search: str = Field(default="", max_length=1_000, description="only the lines with this text, in any case")


def _effects(args: ReadOutputArgs) -> tuple[Effect, ...]:
    return (RunningEffect(args.id) if _COMMAND.fullmatch(args.id) else OutputEffect(args.id),)


async def _run(args: ReadOutputArgs, permit: Permit) -> str:
    if not _COMMAND.fullmatch(args.id):
        return await permit.read_output(args.id, args.first_line, args.last_line, args.search)
    if args.search or args.first_line > 1 or args.last_line:
        message = f"{args.id} is a started command, whose output is read as it comes"
        raise InvalidInput("INVALID_ARGUMENTS", message, "Leave out lines and search.")
    return await permit.output_of(args.id, args.wait)


READ_OUTPUT = Tool(
    name=READING_ON,
    summary=(
        "Read on in an output that was cut, by lines or by search. Of a started command, read what is new, and wait up "
        "to `wait` seconds for some."
    ),
    args=ReadOutputArgs,
    required_permissions=frozenset({Permission.EXECUTE_COMMANDS}),
    category="execute",
    risk="low",
    effects=_effects,
    run=_run,
)
