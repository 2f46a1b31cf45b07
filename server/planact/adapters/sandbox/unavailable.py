"""The error where a command can't be held by its jail."""

from planact.base.errors import CommandFailure


def unavailable(reason: str) -> CommandFailure:
    """Return the error for a missing jail; no command ran."""
    return CommandFailure(
        "SANDBOX_UNAVAILABLE",
        f"the command was not run, since it can't be confined here: {reason}",
        "See `planact doctor`; the setting `sandbox` says whether commands need a sandbox",
    )
