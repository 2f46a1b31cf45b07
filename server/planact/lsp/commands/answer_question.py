"""`planact.answerQuestion`: the user's answer; without one, the question is shown again."""

from planact.lsp.arguments import AnswerQuestion
from planact.lsp.host import host_of
from planact.lsp.results import QuestionResolved
from planact.lsp.server import PlanactServer


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.answerQuestion")
    async def on_answer_question(ls: PlanactServer, arguments: AnswerQuestion) -> QuestionResolved:
        ws, question = host_of(ls).question(arguments.question_id)
        if arguments.answers is None:
            return QuestionResolved.of(await ws.desk.show_again(question))
        return QuestionResolved.of(ws.desk.answer(question.id, arguments.answers))
