"""Start a command that runs beside the work, for example a development server."""

from pydantic import Field

from planact.model.rights.permission import CommandEffect, Permission
from planact.tools.commands.unmarked_command import UnmarkedCommand
from planact.tools.permits.permit import Permit
from planact.tools.tool import Args, Tool


class StartCommandArgs(Args):
    """A command line, and the folder it starts in."""

    command: UnmarkedCommand = Field(min_length=1)
    directory: str = Field(default=".", description="folder in which it starts")


async def _run(args: StartCommandArgs, permit: Permit) -> str:
    return await permit.start(args.command, args.directory)


START_COMMAND = Tool(
    name="start_command",
    summary="Start a long-running command, such as a server; returns its id. It ends with the run.",
    args=StartCommandArgs,
    required_permissions=frozenset({Permission.EXECUTE_COMMANDS}),
    category="execute",
    risk="high",
    effects=lambda args: (CommandEffect(args.command, args.directory, goes_on=True),),
    run=_run,
)
