"""`planact trust`: let the folder's own configuration count fully, as it is now."""

from planact.cli.call import Call, Command, Exit, Result, no_arguments


def _run(call: Call) -> Result:
    from planact.cli.engine import Engine
    from planact.workflows.trust_folder import trust_folder

    engine = Engine(call, warms_up=False)
    fingerprint = trust_folder(engine.ws)
    data = {"folder": str(engine.root), "fingerprint": fingerprint}
    if not fingerprint:
        return Result(Exit.FAILED, data, "There is nothing to trust: the folder has no configuration for planact.")
    return Result(Exit.DONE, data, f"Trusted: the configuration of {engine.root} as it is now.")


COMMAND = Command("trust", "trust the folder's own configuration as it is now", no_arguments, _run)
