"""Read on in what a started command says."""

from pydantic import Field

from planact.model.rights.permission import Permission, RunningEffect
from planact.tools.permit import Permit
from planact.tools.tool import Args, Tool


class ReadOutputArgs(Args):
    """`wait` = seconds to wait for more, if there is none yet."""

    id: str = Field(description="as `start_command` returned it")
    wait: float = Field(default=0, ge=0, le=60, description="most seconds to wait for more")


async def _run(args: ReadOutputArgs, permit: Permit) -> str:
    return await permit.background(args.id).output_of(args.id, args.wait)


READ_OUTPUT = Tool(
    name="read_output",
    summary="Read the new output of a started command; waits up to `wait` seconds for some.",
    args=ReadOutputArgs,
    required_permissions=frozenset({Permission.EXECUTE_COMMANDS}),
    category="execute",
    risk="low",
    effects=lambda args: (RunningEffect(args.id),),
    run=_run,
)
