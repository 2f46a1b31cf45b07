"""`planact sessions`: list the conversations of the folder."""

from planact.cli.command import CliCommand, Exit, Invocation, Result, no_arguments


def _run(invocation: Invocation) -> Result:
    from planact.cli.engine import Engine
    from planact.cli.output.show import sessions_text
    from planact.workflows.sessions.manage import with_content

    ws = Engine(invocation, warms_up=False).ws
    sessions = with_content(ws, ws.ports.sessions.list())
    data = {"sessions": [session.model_dump(mode="json") for session in sessions]}
    if not sessions:
        return Result(Exit.DONE, data, next_step="There are no sessions in this folder. Begin one: planact chat")
    return Result(Exit.DONE, data, sessions_text(sessions))


COMMANDS = (CliCommand("sessions", "list the conversations of the folder, the last used first", no_arguments, _run),)
