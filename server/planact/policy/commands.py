"""From what a command line would do to whether it may: the part of the gate's verdict that is about commands.

Reading can need a question too: outside the workspace, from an address, or of secrets. Pure, like all of policy.
"""

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

from planact.model.classification import Classification
from planact.model.permission import Mode
from planact.policy.protected import holds_credentials

Containment = Literal["on", "ask", "off"]
"""The user's setting `contain`: whether unknown commands run contained in Plan."""

Jail = Literal["strongest", "some", "none"]
"""What commands run in: the jail that can hold unknown commands, one that can hold reading ones, or nothing."""


@dataclass(frozen=True, slots=True)
class CommandVerdict:
    """`contain`: run, but in the strongest jail. `ask` in Plan about an unknown command means: contained, if at all."""

    kind: Literal["allow", "contain", "ask", "deny"]
    reason: str


_STRICTNESS = ("allow", "contain", "ask", "deny")


def judge_command(found: Classification, mode: Mode, contain: Containment, jail: Jail) -> CommandVerdict:
    """The verdict on one classified line, apart from the plan and the user's lists, which can only matter in Act.

    The stricter of what its class and what its traits ask for, so that more to run is never judged more mildly.
    """
    verdicts = (_by_class(found, mode, contain, jail), _by_traits(found, mode))
    return max(verdicts, key=lambda verdict: _STRICTNESS.index(verdict.kind))


def _by_class(found: Classification, mode: Mode, contain: Containment, jail: Jail) -> CommandVerdict:
    changes = found.cls in ("unknown", "mutating")
    if mode is Mode.ACT:
        return CommandVerdict("ask" if changes else "allow", found.reason)
    if found.cls == "unknown" and jail == "strongest" and contain != "off":
        return CommandVerdict("contain" if contain == "on" else "ask", found.reason)
    if changes:
        return CommandVerdict("deny", found.reason)
    if jail == "none" and not (found.cls == "local-read" and "plain" in found.traits):
        return CommandVerdict("deny", f"{found.reason}, but there is no jail here to hold it to that")
    return CommandVerdict("allow", found.reason)


def _by_traits(found: Classification, mode: Mode) -> CommandVerdict:
    if "secret" in found.traits or any(holds_credentials(PurePosixPath(path)) for path in found.reads):
        return CommandVerdict("deny" if mode is Mode.PLAN else "ask", "it would show credentials")
    if "outside" in found.traits:
        return CommandVerdict("ask", "it reads outside the workspace")
    if "fetches" in found.traits:
        return CommandVerdict("ask", "it fetches from the network")
    return CommandVerdict("allow", found.reason)
