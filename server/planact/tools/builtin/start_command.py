"""Start a command that goes on beside the work, such as a development server."""

from pydantic import Field

from planact.model.effect import CommandEffect, Effect
from planact.model.permission import Permission
from planact.tools.permit import Permit
from planact.tools.spec import Args, Tool


class StartCommandArgs(Args):
    """What to start, and where."""

    command: str = Field(min_length=1)
    directory: str = "."


def _effects(args: StartCommandArgs) -> tuple[Effect, ...]:
    return (CommandEffect(args.command, args.directory, goes_on=True),)


async def _run(args: StartCommandArgs, permit: Permit) -> str:
    return await permit.start(args.command, args.directory)


START_COMMAND = Tool(
    name="start_command",
    summary="Start a long-running command, such as a server; returns its id. It ends with the run.",
    args=StartCommandArgs,
    required_permissions=frozenset({Permission.EXECUTE_COMMANDS}),
    category="execute",
    risk="high",
    effects=_effects,
    run=_run,
)
