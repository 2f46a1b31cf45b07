"""Tool calls of one answer: under ids of their own, or implied by its text, and grouped for running side by side."""

import json
from collections.abc import Callable, Sequence

from planact.agent.implied_call import implied_call, plan_call
from planact.agent.written_plan import written_plan
from planact.model.chat.message import Reply, ToolCall
from planact.policy.rights import DELEGATING
from planact.tools.registry import BY_NAME


def calls_of(reply: Reply, message_id: str, *, lacks_plan: bool = False) -> tuple[str, tuple[ToolCall, ...]]:
    """Return the text and the calls of a reply, each under an id of its own, also where a provider gave two calls the
    same id. A text that holds a call loses its JSON; where a plan was asked for, one in Markdown is submitted.
    """
    ids = [call.id for call in reply.tool_calls]
    if not ids and reply.finish_reason != "length":
        implied = implied_call(reply.text, f"call_{message_id}")
        if implied is not None:
            return implied.text, (implied.call,)
        plan = written_plan(reply.text) if lacks_plan else None
        return reply.text, (plan_call(plan, f"call_{message_id}"),) if plan else ()
    return reply.text, tuple(
        call if ids.index(call.id) == number else call.model_copy(update={"id": f"{call.id}_{number}"})
        for number, call in enumerate(reply.tool_calls)
    )


def group_calls(calls: Sequence[ToolCall], is_reading_role: Callable[[str], bool]) -> list[list[ToolCall]]:
    """Return groups to run one after the other: neighbouring calls that only read together, each other call alone.

    Args:
        calls: those of one answer.
        is_reading_role: returns whether a task of the role with a name would change nothing.
    """

    def only_reads(call: ToolCall) -> bool:
        if call.name == DELEGATING:
            return is_reading_role(_role_asked(call))
        return call.name in BY_NAME and BY_NAME[call.name].category in ("read", "search")

    groups: list[list[ToolCall]] = []
    for call in calls:
        if groups and only_reads(call) and only_reads(groups[-1][-1]):
            groups[-1].append(call)
        else:
            groups.append([call])
    return groups


def _role_asked(call: ToolCall) -> str:
    """Return the role that a call delegates a task to; empty where it names none."""
    try:
        arguments = json.loads(call.arguments)
    except ValueError:
        return ""
    return str(arguments.get("role") or "") if isinstance(arguments, dict) else ""
