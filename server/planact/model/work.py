"""The work of a session, as front ends show it: what it does now, what it waits for, or how it ended."""

from typing import Literal

from planact.base.frozen_model import FrozenModel
from planact.model.notice import ModelRetry, RunningCall
from planact.model.rights.permission import Mode

WorkState = Literal[
    "idle",
    "working",
    "running",
    "repairing",
    "waiting_approval",
    "waiting_question",
    "retrying",
    "stopping",
    "to_review",
    "changed",
    "outdated",
    "no_answer",
    "failed",
    "paused",
    "interrupted",
    "done",
    "partly",
    "nothing_done",
    "rolled_back",
]
"""States of work. Under way: `working` on a message, `running` a plan, `repairing` a failed check, `retrying` a request
to the model, `stopping`. A plan waits `to_review`; it was `changed` since its approval, or is `outdated` by other
files. The model gave `no_answer`; a run is `paused`, or was `interrupted` by the end of its process.
"""

Activity = Literal["", "thinking", "writing", "calling", "checking"]

AT_REST: frozenset[WorkState] = frozenset(
    {
        "idle",
        "to_review",
        "changed",
        "outdated",
        "no_answer",
        "failed",
        "paused",
        "interrupted",
        "done",
        "partly",
        "nothing_done",
        "rolled_back",
    }
)
"""States in which nothing runs; of a step that `failed`, a question may wait."""


class Work(FrozenModel):
    """The work of one session. Times are ISO 8601, UTC; empty texts and zeros stand for none.

    Attributes:
        execution_id: its run, at work or the last one.
        plan_uri, plan_path: the plan's document, as URI and relative to the workspace folder.
        step: number of the step in hand, or in which the run stopped, of the plan's steps `of`; `action` is its text.
        finished: how many steps have a result.
        activity: what is done at the moment, while anything is.
        since: when this state and activity began; `started_at`: when the turn or run did.
        reason: why it waits, paused or failed, for people; `code` the error's.
        repair: number of the attempt to repair a failed check, of at most `repairs`.
        question_id: the question that waits for an answer.
        calls: those that run now. A call that waits for its question, or for calls before it, isn't among them.
        retry: the wait for the model that goes on.
        files: how many files the run changed that can be put back.
        comments: how many comments in the plan no planner has read.
        elsewhere: another process does the work.
        status_text: all of it in a few words, as "Act 2/4 · answer".
        title, text: what the user may decide now, in a title and a sentence; empty where there is nothing.
    """

    session_id: str = ""
    execution_id: str = ""
    plan_uri: str = ""
    plan_path: str = ""
    goal: str = ""
    mode: Mode = Mode.PLAN
    step: int = 0
    action: str = ""
    of: int = 0
    finished: int = 0
    state: WorkState = "idle"
    activity: Activity = ""
    since: str = ""
    started_at: str = ""
    reason: str = ""
    code: str = ""
    repair: int = 0
    repairs: int = 0
    question_id: str = ""
    calls: tuple[RunningCall, ...] = ()
    retry: ModelRetry | None = None
    files: int = 0
    comments: int = 0
    elsewhere: bool = False
    status_text: str = ""
    title: str = ""
    text: str = ""

    @property
    def is_at_rest(self) -> bool:
        """Nothing runs, and no question waits."""
        return self.state in AT_REST and not self.question_id
