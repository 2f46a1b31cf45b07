"""A turn in which a change was asked for, and which the model ended without one."""

from collections.abc import Sequence

from planact.agent.loop import TurnResult
from planact.tools.trace import Trace

NOTHING_DONE = "Nothing was changed"


def left_undone(ended: TurnResult, trace: Trace, said: Sequence[str]) -> TurnResult | None:
    """Return the result of a turn that changed nothing: `refused` if a change was refused, else `nothing_done`. None if
    the turn changed something, or no change was asked for.

    Args:
        ended: the turn's own end.
        trace: what its calls did. The caller knows that there is no plan.
        said: what the user wrote to it.
    """
    from planact.policy.intent.change_request import (
        asks_for_answer,  # as in `handle_intent`
        asks_for_change,
    )

    if ended.kind != "finished" or (trace.left() if trace.discarded_alone else trace.changed):
        return None
    is_asked = any(map(asks_for_change, said))
    refused = [each.reason for each in trace.refused if is_asked or each.is_edit]
    if refused and (is_asked or not all(map(asks_for_answer, said))):
        return TurnResult("refused", ended.text, f"{NOTHING_DONE}: {refused[-1]}")
    reason = f"{NOTHING_DONE}: {trace.discarded_alone}" if trace.discarded_alone else f"{NOTHING_DONE}."
    return TurnResult("nothing_done", ended.text, reason) if is_asked else None
