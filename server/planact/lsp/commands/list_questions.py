"""`planact.listQuestions`: what waits for an answer, in all folders."""

from planact.lsp.host import host_of
from planact.lsp.results import OpenQuestions, QuestionPending
from planact.lsp.server import PlanactServer


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.listQuestions")
    async def on_list_questions(ls: PlanactServer) -> OpenQuestions:
        host = host_of(ls)
        found = (
            QuestionPending.of(question, host.folder(ws)) for ws in host.workspaces() for question in ws.desk.open()
        )
        return OpenQuestions(questions=tuple(found))
