"""`planact.cancelQuestion`: the question is of no interest any more."""

from planact.lsp.arguments import OneQuestion
from planact.lsp.host import host_of
from planact.lsp.results import QuestionResolved
from planact.lsp.server import PlanactServer


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.cancelQuestion")
    async def on_cancel_question(ls: PlanactServer, arguments: OneQuestion) -> QuestionResolved:
        ws, question = host_of(ls).question(arguments.question_id)
        ended = ws.desk.cancel(question.id, "The user took the question off the table.")
        await ws.desk.settle(ended)
        return QuestionResolved.of(ended)
