"""Commands on the questions that the server asks the user."""

from pydantic import Field, JsonValue

from planact.base.frozen_model import FrozenModel
from planact.lsp.host.go_on_after import go_on_after
from planact.lsp.host.workspace_host import host_of
from planact.lsp.protocol.arguments import Arguments
from planact.lsp.protocol.results import QuestionPending, QuestionResolved
from planact.lsp.server import PlanactServer
from planact.model.question import Answered
from planact.workflows.plans.question_in_plan import read_answers


class OneQuestion(Arguments):
    """A question that is open."""

    question_id: str


class AnswerQuestion(OneQuestion):
    """Values by question name. Values that don't fit are refused with ANSWER_INVALID, and the question stays open.

    Without `answers` they are read from the plan at `uri`: ticked boxes and written text. Where the question isn't
    written there, it is shown again, and its answer waited for.

    `rejected` are paths of its `edits` that stay as they are while the rest is allowed; `comment` is the user's remark,
    which the agent reads with a refusal.
    """

    uri: str = ""
    answers: dict[str, JsonValue] | None = None
    rejected: tuple[str, ...] = ()
    comment: str = Field(default="", max_length=10_000)


class OpenQuestions(FrozenModel):
    """The oldest first."""

    questions: tuple[QuestionPending, ...]


async def handle_answer_question(ls: PlanactServer, arguments: AnswerQuestion) -> QuestionResolved:
    """Resolve a question with the user's answer, given as data or written in a plan; without one, show the question
    again.
    """
    ws, question = host_of(ls).workspaces.question(arguments.question_id)
    if question.status != "open":
        await ws.questions.remove_shown(
            question
        )  # a block that stayed where it was; the answer is refused all the same
    given: Answered | None = None
    if arguments.answers is not None:
        given = Answered(arguments.answers, rejected=arguments.rejected, comment=arguments.comment)
    elif arguments.uri:
        given = read_answers(ws, question, host_of(ls).workspaces.path_in(ws, arguments.uri))
    if given is None:
        ended = await ws.questions.show_again(question)
    else:
        ended = ws.questions.answer(question.id, given.answers, rejected=given.rejected, comment=given.comment)
        await ws.questions.remove_shown(ended)
    await go_on_after(ls, ws, ended)
    return QuestionResolved.of(ended)


async def handle_decline_question(ls: PlanactServer, arguments: OneQuestion) -> QuestionResolved:
    """Resolve a question that the user won't answer."""
    ws, question = host_of(ls).workspaces.question(arguments.question_id)
    ended = ws.questions.decline(question.id)
    await ws.questions.remove_shown(ended)
    await go_on_after(ls, ws, ended)
    return QuestionResolved.of(ended)


async def handle_cancel_question(ls: PlanactServer, arguments: OneQuestion) -> QuestionResolved:
    """Withdraw a question."""
    ws, question = host_of(ls).workspaces.question(arguments.question_id)
    ended = ws.questions.cancel(question.id, "The user took the question off the table.")
    await ws.questions.remove_shown(ended)
    return QuestionResolved.of(ended)


async def handle_list_questions(ls: PlanactServer) -> OpenQuestions:
    """List the open questions of all folders."""
    host = host_of(ls)
    found = (
        QuestionPending.of(question, host.workspaces.folder(ws))
        for ws in host.workspaces.all()
        for question in ws.questions.open()
    )
    return OpenQuestions(questions=tuple(found))
