"""Ask the user to approve the plan and start it."""

from pydantic import Field

from planact.model.rights.permission import ExitPlanEffect, PathEffect, Permission
from planact.tools.permits.permit import Permit
from planact.tools.tool import Args, Tool


class ExitPlanModeArgs(Args):
    """The plan that `write_plan` wrote."""

    plan_file_path: str = Field(description="as `write_plan` returned it")


async def _run(args: ExitPlanModeArgs, permit: Permit) -> str:
    return await permit.conversation.exit_plan(args.plan_file_path)


EXIT_PLAN_MODE = Tool(
    name="exit_plan_mode",
    summary="Ask the user to approve the finished plan and start it.",
    args=ExitPlanModeArgs,
    required_permissions=frozenset({Permission.READ_FILES}),
    category="other",
    risk="low",
    effects=lambda args: (ExitPlanEffect(args.plan_file_path), PathEffect("read", args.plan_file_path)),
    run=_run,
)
