"""The result of `ask_user`: what the model gets to read of the user's answers."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from planact.base.text import visible
from planact.model.answer import answers_in_words
from planact.model.question import Question, QuestionSet
from planact.workflows.questions.same_question import EarlierAnswer

_DECLINED = "The user declined to answer. Decide yourself, or stop."


def agent_subject(asked_in: str) -> str:
    """Return the subject of the agent's questions in a step; `asked_in` as in `Scope`."""
    return f"agent {asked_in}"


def effect_reason(ended: QuestionSet) -> str:
    """Return the reason, for the user, of what the server does upon an answer that pauses, stops or re-plans."""
    chose = f"you chose “{visible(answers_in_words(ended))}”"
    match ended.effect:
        case "pause":
            return f"paused, since {chose}"
        case "stop":
            return f"stopped by the user: {chose}"
        case _:
            return f"the plan is to be revised, since {chose}"


def answers_as_result(
    questions: Sequence[Question], earlier: Mapping[str, EarlierAnswer], ended: QuestionSet | None
) -> str:
    """Return the answers as JSON: those that were given `earlier`, and those to the rest of the questions, `ended`."""
    answers: dict[str, Any] = {name: each.value for name, each in earlier.items() if not each.is_declined}
    declined = [name for name, each in earlier.items() if each.is_declined]
    told: dict[str, Any] = {}
    if ended is not None and ended.status == "answered":
        answers |= ended.answers
        told |= {"assumed": True} if ended.assumed else {}
    elif ended is not None and not answers:
        message = _DECLINED if ended.status == "declined" else ended.reason
        return json.dumps({"status": ended.status, "message": message}, ensure_ascii=False)
    elif ended is not None:
        told |= {"not_answered": [question.name for question in ended.questions], "status": ended.status}
        told |= {"message": _DECLINED if ended.status == "declined" else ended.reason}
    if not answers:
        return json.dumps({"status": "declined", "message": _DECLINED}, ensure_ascii=False)
    told |= {"declined": declined} if declined else {}
    asked = {question.name: question.question for question in questions}
    reworded = {name: each.question.question for name, each in earlier.items() if each.question.question != asked[name]}
    told |= {"asked_earlier_as": reworded} if reworded else {}
    comments = [each.asked.comment for each in earlier.values()] + ([ended.comment] if ended else [])
    told |= {"comment": "\n".join(dict.fromkeys(filter(None, comments)))} if any(comments) else {}
    return json.dumps({"answers": answers, **told}, ensure_ascii=False)
