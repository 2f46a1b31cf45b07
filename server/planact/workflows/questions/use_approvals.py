"""The end of the user's yes to a call that the work then went on without."""

from collections.abc import Callable

from planact.model.question import QuestionSet
from planact.ports import Ports


def use_approvals(ports: Ports, session_id: str, is_past: Callable[[QuestionSet], bool]) -> None:
    """Have answers about calls count no more, where the work that they were for is done: the user doesn't expect such
    a call any more, and may have said otherwise since.
    """
    for asked in ports.questions.asked(session_id, purpose="approval"):
        if asked.status == "answered" and is_past(asked):
            ports.questions.use(asked.id)
