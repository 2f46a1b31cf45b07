"""`planact trust`: apply the folder's own configuration as it is now, and let the user's programs start there."""

from planact.cli.command import CliCommand, Exit, Invocation, Result, no_arguments


def _run(invocation: Invocation) -> Result:
    from planact.cli.engine import Engine
    from planact.workflows.trust_folder import trust_folder

    engine = Engine(invocation, warms_up=False)
    fingerprint = trust_folder(engine.ws)
    data = {"folder": str(engine.root), "fingerprint": fingerprint}
    what = "its configuration counts as it is now" if fingerprint else "it has no configuration of its own"
    text = f"Trusted: {engine.root}; {what}, and your own hooks and MCP servers start there."
    return Result(Exit.DONE, data, text)


COMMANDS = (
    CliCommand(
        "trust",
        "trust the folder: its own configuration as it is now, and your hooks and MCP servers in it",
        no_arguments,
        _run,
    ),
)
