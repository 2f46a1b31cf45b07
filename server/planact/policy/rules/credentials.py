"""Files that usually hold credentials are never written, and read at most after a question."""

from collections.abc import Sequence

from planact.model.effect import PathEffect
from planact.model.permission import Mode
from planact.policy.protected import holds_credentials
from planact.policy.standing import Request, Standing
from planact.policy.verdict import Ask, Deny, Verdict


def judge(request: Request, standing: Standing) -> Sequence[Verdict]:
    """Refuse them in Plan, and ask before they are read in Act."""
    for touch in request.touches:
        if not isinstance(touch.effect, PathEffect) or touch.place is None or touch.place.relative is None:
            continue
        if touch.effect.action in ("search", "make_directory") or not holds_credentials(touch.place.relative):
            continue
        name = touch.place.shown
        if touch.effect.action != "read":
            return (Deny("CREDENTIAL_FILE", f"{name} usually holds credentials and is never written", "Ask the user."),)
        if standing.mode is Mode.PLAN:
            return (Deny("CREDENTIAL_FILE", f"{name} usually holds credentials and is not read in Plan Mode"),)
        if standing.approval != "acceptAll":
            return (Ask(f"{name} usually holds credentials", (touch,)),)
    return ()
