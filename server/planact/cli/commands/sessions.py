"""`planact sessions`: the conversations of the folder."""

from planact.cli.call import Call, Command, Exit, Result, no_arguments


def _run(call: Call) -> Result:
    from planact.cli.engine import Engine
    from planact.cli.show import sessions_text
    from planact.workflows.sessions import with_content

    sessions = with_content(Engine(call, warms_up=False).ws.ports.sessions.list())
    data = {"sessions": [session.model_dump(mode="json") for session in sessions]}
    if not sessions:
        return Result(Exit.DONE, data, next_step="There are no sessions in this folder. Begin one: planact chat")
    return Result(Exit.DONE, data, sessions_text(sessions))


COMMAND = Command("sessions", "list the conversations of the folder, the last used first", no_arguments, _run)
