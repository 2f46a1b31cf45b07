"""`planact.declineQuestion`: the user won't answer."""

from planact.lsp.arguments import OneQuestion
from planact.lsp.host import host_of
from planact.lsp.results import QuestionResolved
from planact.lsp.server import PlanactServer


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.declineQuestion")
    async def on_decline_question(ls: PlanactServer, arguments: OneQuestion) -> QuestionResolved:
        ws, question = host_of(ls).question(arguments.question_id)
        ended = ws.desk.decline(question.id)
        await ws.desk.settle(ended)
        return QuestionResolved.of(ended)
