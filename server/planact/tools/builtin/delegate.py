"""Have another role work on a task, to its end, and read what it says. Its talk stays out of the caller's context."""

from typing import Self

from pydantic import Field, model_validator

from planact.model.rights.permission import SpawnEffect
from planact.tools.permits.permit import Permit
from planact.tools.tool import Args, Tool


class DelegateArgs(Args):
    """A role and its whole task, since it sees no other part of the conversation; or a `report` that was too long for
    one result, to read on behind `skip` characters.
    """

    role: str = ""
    task: str = Field(default="", description="all that the role needs to know: it sees no other part of this")
    report: str = Field(default="", description="id of a report to read on in; alone, or with `skip`")
    skip: int = Field(default=0, ge=0, description="characters of the report that you have")

    @model_validator(mode="after")
    def _is_one_of_both(self) -> Self:
        if bool(self.report) == bool(self.role and self.task) or (self.report and (self.role or self.task)):
            raise ValueError("name a role and its task, or a report to read on in")
        return self


async def _run(args: DelegateArgs, permit: Permit) -> str:
    if args.report:
        return permit.conversation.report(args.report, args.skip)
    return await permit.conversation.delegate(args.role, args.task)


DELEGATE = Tool(
    name="delegate",
    summary="Have another role do a task and report. It knows only what `task` says.",
    args=DelegateArgs,
    required_permissions=frozenset(),
    category="other",
    risk="low",
    effects=lambda args: () if args.report else (SpawnEffect(args.role),),
    run=_run,
    examples=(
        '{"role": "tester", "task": "Write tests for limit() in src/a.py; change nothing else; report what you ran."}',
    ),
)
