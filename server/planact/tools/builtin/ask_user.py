"""Ask the user, and wait."""

from pydantic import Field, model_validator

from planact.model.question import AgentQuestion, Question
from planact.model.rights.permission import AskEffect
from planact.tools.permits.permit import Permit
from planact.tools.tool import Args, Tool, known_format


class AskUserArgs(Args):
    """Questions that are answered together."""

    _known_format = model_validator(mode="before")(known_format)

    questions: tuple[AgentQuestion, ...] = Field(min_length=1, max_length=10)


async def _run(args: AskUserArgs, permit: Permit) -> str:
    return await permit.conversation.ask(tuple(map(Question.of_agent, args.questions)))


ASK_USER = Tool(
    name="ask_user",
    summary=(
        "Ask the user and wait. Offer options where you can, the one you would take first; `schema` is the JSON Schema "
        "of the answer. planact itself heeds an option's `effect` when it is chosen: `pause` or `stop` the work, "
        "`replan`, or `continue`, the default."
    ),
    args=AskUserArgs,
    required_permissions=frozenset(),
    category="other",
    risk="low",
    effects=lambda _args: (AskEffect(),),
    run=_run,
    examples=(
        '{"questions": [{"question": "Also update the tests?", "context": "They use the old name.", '
        '"severity": "minor", "options": [{"label": "Update them", "value": "update"}, '
        '{"label": "Leave them", "value": "leave"}]}]}',
    ),
)
