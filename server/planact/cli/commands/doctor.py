"""`planact doctor`: what is found on this machine, and the next step."""

from planact.cli.call import Call, Command, Result, no_arguments


def _run(call: Call) -> Result:
    from planact.cli.examination import examine

    return examine(call)


COMMAND = Command("doctor", "say what is found on this machine, and the next step", no_arguments, _run)
