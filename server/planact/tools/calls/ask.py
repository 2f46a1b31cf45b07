"""Third station of the gate: ask the user where the verdict is a question, and judge again with their answer."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath

from planact.base.errors import Conflict, PlanactError
from planact.model.question import Decision, ProposedEdit
from planact.model.rights.rule import AllowedReading
from planact.model.runs.change import Change
from planact.policy.context import Deny
from planact.ports import Ports
from planact.tools.calls.always_rules import keep_rules
from planact.tools.calls.judge import judge_call
from planact.tools.calls.judged_call import ALLOW, STOP, JudgedCall
from planact.tools.calls.question import approval_question
from planact.tools.edit.proposed_edits import proposed_edits, with_linked, without_rejected
from planact.tools.read_access import ReadAccess
from planact.tools.tool_result import Failed, Refused, with_comment
from planact.tools.turn import Turn

_MOST_ASKED = 5
"""Times that one call is asked about anew: a file that changes by itself would otherwise keep the user answering."""


async def ask_to_run(ports: Ports, judged: JudgedCall, turn: Turn) -> JudgedCall | Refused | Failed:
    """Return the call as it was judged last, once it may run; the user is asked only where the verdict is Ask."""
    times = 0
    while judged.needs_a_yes:
        if times == _MOST_ASKED:
            message = "what the user is asked about changes each time before they have answered"
            return Failed("EDIT_CONFLICT", message, "Wait until whatever changes it is done, or ask about it.")
        times += 1
        answered = await _ask_once(ports, judged, turn)
        if not isinstance(answered, JudgedCall):
            return answered
        judged = answered
    return judged.refusal or judged


async def _ask_once(ports: Ports, asked: JudgedCall, turn: Turn) -> JudgedCall | Refused | Failed:
    """Ask once, and judge again: a yes counts only for a call that is still the same."""
    try:
        changes, edits = await asyncio.to_thread(_proposal, ports, asked, turn)
    except PlanactError as error:
        return Failed(error.code, error.message, error.hint)  # the changes can't be made: no question about them
    try:
        decision = await turn.conversation.approve(approval_question(asked, changes), asked.subject(edits), edits)
    except Conflict as conflict:
        return Failed(conflict.code, conflict.message, conflict.hint)  # the question couldn't be asked
    rejected = with_linked(changes or (), decision.rejected)
    if rejected and asked.decoded.tool.is_whole:
        rejected = frozenset(change.place.shown for change in changes or ())
    decision = replace(decision, rejected=rejected)
    if refused := _refused_by_user(decision, changes or (), asked):
        return refused
    judged = await judge_call(ports, asked.decoded, turn)
    if isinstance(judged.verdict, Deny):
        return judged
    try:
        # A link may have been put in place, or a file changed: then their yes was to another call.
        has_a_yes = judged.is_like(asked) and _proposal(ports, judged, turn)[1] == edits
    except PlanactError as error:
        return Failed(error.code, error.message, error.hint)
    if has_a_yes:
        keep_rules(ports, asked.allowed_by(decision.value) or frozenset())
        if decision.value == ALLOW:
            turn.reading.update(PurePath(each.folder) for each in asked.folders if isinstance(each, AllowedReading))
    return replace(judged, decision=decision, has_a_yes=has_a_yes)


def _proposal(ports: Ports, judged: JudgedCall, turn: Turn) -> tuple[Sequence[Change] | None, tuple[ProposedEdit, ...]]:
    """Return the changes of files that the call would make now. Raises PlanactError where it can't make them."""
    decoded = judged.decoded
    access = ReadAccess(ports, judged.granted, turn.limits.file_bytes, {}, turn.trace.known)
    changes = decoded.tool.changes(decoded.args, access) if decoded.tool.changes else None
    return changes, proposed_edits(ports, changes or (), turn.limits.file_bytes)


def _refused_by_user(decision: Decision, changes: Sequence[Change], asked: JudgedCall) -> Refused | None:
    """Return the user's no; every answer but a yes that the question offered, to at least one change, is a no."""
    answer = decision.value
    is_rejected = bool(decision.rejected) and not without_rejected(changes, decision.rejected)
    if not is_rejected and asked.allowed_by(answer) is not None:
        return None
    message = "The user stopped the work." if answer == STOP else "The user said no to this call."
    hint = "Don't repeat it. Find another way, or ask what they want."
    message = with_comment(message, decision.comment)
    return Refused("REFUSED_BY_USER", asked.request.tool, asked.mode, message, hint, "user", stops=answer == STOP)
