"""Files that usually hold credentials are never written, and read at most after a question."""

from collections.abc import Sequence
from pathlib import PurePosixPath

from planact.model.rights.credentials import holds_credentials
from planact.model.rights.permission import Mode, PathEffect
from planact.policy.commands import can_only_name
from planact.policy.context import Ask, Deny, PolicyContext, Request, Verdict


def judge(request: Request, context: PolicyContext) -> Sequence[Verdict]:
    """Refuse credentials in Plan, and ask before they are read in Act; a command that can't open the files it
    names passes.
    """
    commands = [touch.found for touch in request.touches if touch.found is not None]
    if commands and all(
        can_only_name(found, context.mode, hides_credentials=context.hides_credentials) for found in commands
    ):
        return ()
    for touch in request.touches:
        if not isinstance(touch.effect, PathEffect) or touch.place is None:
            continue
        path = touch.place.relative or PurePosixPath(touch.place.real.as_posix())
        if touch.effect.action in ("search", "make_directory") or not holds_credentials(path):
            continue
        name = touch.place.shown
        if touch.effect.action != "read":
            return (Deny("CREDENTIAL_FILE", f"{name} usually holds credentials and is never written", "Ask the user."),)
        if context.mode is Mode.PLAN:
            return (Deny("CREDENTIAL_FILE", f"{name} usually holds credentials and is not read in Plan Mode"),)
        if context.approval != "acceptAll":
            return (Ask(f"{name} usually holds credentials", (touch,)),)
    return ()
