"""What the user reads of work: a few words for a status line, and a title with a sentence where they may decide."""

from collections.abc import Mapping

from planact.base.text import counted
from planact.model.question import QuestionSet
from planact.model.rights.permission import Mode
from planact.model.work import Work, WorkState

_WORDS: Mapping[WorkState, str] = {
    "repairing": "repairing",
    "waiting_approval": "allow?",
    "waiting_question": "answer",
    "stopping": "stopping",
    "changed": "changed",
    "outdated": "out of date",
    "no_answer": "no answer",
    "failed": "failed",
    "paused": "paused",
    "interrupted": "interrupted",
    "done": "done",
    "partly": "partly done",
    "nothing_done": "nothing done",
    "rolled_back": "rolled back",
}
_WAITS: Mapping[str, str] = {
    "MODEL_RATE_LIMITED": "model busy",
    "MODEL_OVERLOADED": "model busy",
    "MODEL_UNAVAILABLE": "no connection",
    "MODEL_STREAM_BROKEN": "answer broke off",
}

ELSEWHERE = "This run belongs to another window. Follow it here; stop or answer it there."


def waiting_for(question: QuestionSet) -> WorkState:
    """Return the state of work that a question holds up."""
    if question.about == "failure":
        return "failed"
    is_permission = question.purpose == "approval" and question.about != "outcome"
    return "waiting_approval" if is_permission else "waiting_question"


def in_words(work: Work) -> Work:
    """Return the work with `status_text` and, where it is under way, with its text."""
    place = f"{work.step}/{work.of}" if work.step and work.of else ""
    mode = "Act" if work.mode is Mode.ACT else "Plan"
    if work.elsewhere:
        status = f"{place or mode} · elsewhere"
        return work.model_copy(update={"status_text": status, "text": work.text or ELSEWHERE})
    is_over = work.state in ("done", "partly", "nothing_done", "rolled_back", "to_review", "changed", "outdated")
    head = " ".join(filter(None, (mode, "" if is_over else place)))
    return work.model_copy(update={"status_text": " · ".join(filter(None, (head, _words(work))))})


def _words(work: Work) -> str:
    if work.state == "retrying":
        return _WAITS.get(work.code, "trying again")
    if work.state == "to_review":
        return counted(work.of, "step")
    if work.state != "working":
        return _WORDS.get(work.state, "")
    if work.activity == "calling" and work.calls:
        return work.calls[-1].text.partition(" ")[0].lower()
    return work.activity
