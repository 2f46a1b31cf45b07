"""Submit the plan as data; planact writes the document."""

from pydantic import Field, model_validator

from planact.model.rights.permission import PlanEffect
from planact.plan.syntax.lower import plan_from_json
from planact.tools.permits.permit import Permit
from planact.tools.tool import Args, Tool, known_format


class SubmittedStep(Args):
    """One reviewable unit of work."""

    action: str = Field(min_length=1, description="one change that can be reviewed and checked by itself")
    reason: str = ""
    tools_needed: tuple[str, ...] = ()
    files: tuple[str, ...] = Field(default=(), description="all that it changes; for any other the user is asked")
    expected_outcome: str = ""
    validation_checks: tuple[str, ...] = Field(
        default=(), description="commands that exit with 0 once the step is done, and not before"
    )
    estimated_time: str = ""


class WritePlanArgs(Args):
    """The whole plan, also when it is revised."""

    _known_format = model_validator(mode="before")(known_format)

    goal: str = Field(min_length=1)
    steps: tuple[SubmittedStep, ...] = Field(min_length=1)
    description: str = ""
    analysis: str = ""
    assumptions: tuple[str, ...] = ()
    prerequisites: tuple[str, ...] = ()
    risks: tuple[str, ...] = ()
    validation: tuple[str, ...] = Field(default=(), description="checks of the whole; commands in backticks are run")
    estimated_total_time: str = ""
    has_infrastructure_changes: bool = Field(default=False, description="changes a cloud, a cluster or a database")


async def _run(args: WritePlanArgs, permit: Permit) -> str:
    return await permit.conversation.write_plan(plan_from_json(args.model_dump(mode="json")))


WRITE_PLAN = Tool(
    name="write_plan",
    summary="Write the plan document, or its next revision.",
    args=WritePlanArgs,
    required_permissions=frozenset(),
    category="other",
    risk="low",
    effects=lambda _args: (PlanEffect(),),
    run=_run,
    examples=(
        '{"goal": "Name `load` for what it does", "steps": [{"action": "Rename `load` to `read_config` in '
        '`src/app.py`", "reason": "the name hides that it reads a file", "tools_needed": ["read_file", "update_file"], '
        '"files": ["src/app.py"], "expected_outcome": "`load` is gone", "validation_checks": '
        '["python -m pytest -q tests/test_app.py"]}]}',
    ),
)
