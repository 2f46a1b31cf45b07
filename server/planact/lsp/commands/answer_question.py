"""`planact.answerQuestion`: the user's answer, as data or as it stands in a plan; else the question is shown again."""

from planact.lsp.arguments import AnswerQuestion
from planact.lsp.host import host_of
from planact.lsp.results import QuestionResolved
from planact.lsp.server import PlanactServer
from planact.model.question import Answered
from planact.workflows.question_in_plan import read_answers


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.answerQuestion")
    async def on_answer_question(ls: PlanactServer, arguments: AnswerQuestion) -> QuestionResolved:
        ws, question = host_of(ls).question(arguments.question_id)
        if question.status != "open":
            await ws.desk.settle(question)  # a block that stayed where it was; the answer is refused all the same
        given: Answered | None = None
        if arguments.answers is not None:
            given = Answered(arguments.answers, rejected=arguments.rejected, comment=arguments.comment)
        elif arguments.uri:
            given = read_answers(ws, question, host_of(ls).path_in(ws, arguments.uri))
        if given is None:
            return QuestionResolved.of(await ws.desk.show_again(question))
        ended = ws.desk.answer(question.id, given.answers, rejected=given.rejected, comment=given.comment)
        await ws.desk.settle(ended)
        return QuestionResolved.of(ended)
