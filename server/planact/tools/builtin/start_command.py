"""Start a command that runs beside the work, for example a development server."""

from pydantic import Field

from planact.model.rights.effect import CommandEffect, Effect
from planact.model.rights.permission import Permission
from planact.tools.permit import Permit
from planact.tools.tool import Args, Tool


class StartCommandArgs(Args):
    """A command line, and the folder it starts in."""

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
