"""Have another role work on a task, to its end, and read what it says. Its talk stays out of the caller's context."""

from pydantic import Field

from planact.model.effect import Effect, SpawnEffect
from planact.tools.permit import Permit
from planact.tools.spec import Args, Tool


class DelegateArgs(Args):
    """Which role, and all that it needs to know: it hears nothing else of the conversation."""

    role: str = Field(min_length=1)
    task: str = Field(min_length=1)


def _effects(args: DelegateArgs) -> tuple[Effect, ...]:
    return (SpawnEffect(args.role),)


async def _run(args: DelegateArgs, permit: Permit) -> str:
    return await permit.conversation.delegate(args.role, args.task)


DELEGATE = Tool(
    name="delegate",
    summary="Have another role do a task and report. It knows only what `task` says, and may do no more than you.",
    args=DelegateArgs,
    required_permissions=frozenset(),
    category="other",
    risk="low",
    effects=_effects,
    run=_run,
)
