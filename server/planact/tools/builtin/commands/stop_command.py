"""Stop a started command, with all that it started itself."""

from planact.model.rights.permission import Permission, RunningEffect
from planact.tools.permits.permit import Permit
from planact.tools.tool import Args, Tool


class StopCommandArgs(Args):
    """Which one."""

    id: str


async def _run(args: StopCommandArgs, permit: Permit) -> str:
    return await permit.stop(args.id)


STOP_COMMAND = Tool(
    name="stop_command",
    summary="Stop a started command.",
    args=StopCommandArgs,
    required_permissions=frozenset({Permission.EXECUTE_COMMANDS}),
    category="execute",
    risk="low",
    effects=lambda args: (RunningEffect(args.id),),
    run=_run,
)
